//! The game.

use strum::{Display, EnumString};
use types::LocalText;

use super::Proof;

types::id! {
    /// Identifies a game.
    pub(crate) GameId: "game"
}

/// Which prizes a tournament in a game may have, by what a program could do in a player's place. The
/// texts are the values of the column `game.prize_class`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum PrizeClass {
    /// A search finds the best moves, so no money can be won.
    Solvable,
    /// A helper beside the phone could win, so operators review each winner of money.
    Open,
    /// The game is won by reaction, so money can be won.
    Reflex,
}

/// A game, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the names are the contract's")]
pub(crate) struct Game {
    pub(crate) id: GameId,
    pub(crate) name: String,
    /// The reverse-domain name, as app stores have it.
    pub(crate) package_id: String,
    pub(crate) description: LocalText,
    /// URL of a picture.
    pub(crate) game_icon: String,
    /// URL of a video.
    pub(crate) trailer_link: Option<String>,
    /// Path or URL of the page that plays it; a path is on the game's origin.
    pub(crate) game_url: String,
    /// Whether the game is shown large and listed first.
    pub(crate) featured: bool,
    /// The name of the game's colours and art in the web app; empty if it has none of its own.
    pub(crate) world: String,
    /// How many levels a player can choose from.
    pub(crate) levels: i32,
    pub(crate) prize_class: PrizeClass,
    /// How the game's scores are proven.
    pub(crate) proof: Proof,
}
