//! The game.

use types::{Id, Noun};

/// A game, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "one word from wire to page")]
pub struct Game {
    /// Which one.
    pub id: GameId,
    /// What people call it.
    pub name: String,
    /// Its reverse-domain name, as app stores have it.
    pub package_id: String,
    /// What it is about.
    pub description: String,
    /// A picture's URL.
    pub game_icon: String,
    /// A video's URL.
    pub trailer_link: Option<String>,
    /// Where it is played.
    pub game_url: String,
    /// Shown large, and first.
    pub featured: bool,
}

/// The id of a game.
pub type GameId = Id<Named>;

/// The noun of [`GameId`].
pub enum Named {}

impl Noun for Named {
    const NAME: &'static str = "game";
}
