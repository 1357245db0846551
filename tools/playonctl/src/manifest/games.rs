//! Documents of svc-games: games, events and videos.

use proto::games::v1::{EventManifest, GameManifest, PrizeClass, TvItemManifest};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use types::LocalText;

use super::{
    fields::{non_empty, time_of},
    kind::Kind,
};
use crate::relative_time::When;

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the fields are named as in the contract")]
pub(crate) struct Game {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) package_id: String,
    pub(crate) description: LocalText,
    pub(crate) game_icon: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trailer_link: Option<String>,
    /// The URL of a game that PlayOn does not serve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) game_url: Option<String>,
    #[serde(default)]
    pub(crate) featured: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) world: String,
    #[serde(default = "one_level")]
    pub(crate) levels: u32,
    #[serde(default)]
    pub(crate) prizes: Prizes,
    /// The path of the rules module, relative to the document's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<String>,
    /// The sha256 of a rules module that was applied before, in hex; an export has it
    /// instead of `rules`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rules_sha256: Option<String>,
    /// The Ed25519 public key, in hex, of a game whose own server signs the results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) score_key: Option<String>,
}

/// Which prizes a tournament in the game may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Prizes {
    /// No money, because a search finds the best moves.
    #[default]
    Solvable,
    /// Money in tournaments with `review: winners`, because a helper beside the phone could win.
    Open,
    /// Money, because the game is won by reaction.
    Reflex,
}

const fn one_level() -> u32 {
    1
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the fields are named as in the contract")]
pub(crate) struct Event {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) title: LocalText,
    pub(crate) description: LocalText,
    pub(crate) event_banner_url: String,
    pub(crate) created_at: When,
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TvItem {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) title: LocalText,
    pub(crate) channel_url: String,
    #[serde(default)]
    pub(crate) primary: bool,
    pub(crate) created_at: When,
}

impl Game {
    pub(super) fn item(self) -> GameManifest {
        let prize_class = match self.prizes {
            Prizes::Solvable => PrizeClass::Solvable,
            Prizes::Open => PrizeClass::Open,
            Prizes::Reflex => PrizeClass::Reflex,
        };
        GameManifest {
            key: self.id,
            name: self.name,
            package_id: self.package_id,
            description: self.description.en,
            description_sw: self.description.sw,
            game_icon: self.game_icon,
            trailer_link: self.trailer_link,
            game_url: self.game_url.unwrap_or_default(),
            featured: self.featured,
            world: self.world,
            levels: self.levels,
            prize_class: prize_class.into(),
            // By now this is the sha256 of the module.
            rules_sha256: self.rules_sha256.unwrap_or_default(),
            score_key: self.score_key.unwrap_or_default(),
        }
    }
}

impl From<GameManifest> for Game {
    fn from(game: GameManifest) -> Self {
        let prizes = match game.prize_class() {
            PrizeClass::Unspecified | PrizeClass::Solvable => Prizes::Solvable,
            PrizeClass::Open => Prizes::Open,
            PrizeClass::Reflex => Prizes::Reflex,
        };
        Self {
            kind: Kind::Game,
            id: game.key,
            name: game.name,
            package_id: game.package_id,
            description: LocalText { en: game.description, sw: game.description_sw },
            game_icon: game.game_icon,
            trailer_link: game.trailer_link,
            game_url: non_empty(game.game_url),
            featured: game.featured,
            world: game.world,
            levels: game.levels,
            prizes,
            rules: None,
            rules_sha256: non_empty(game.rules_sha256),
            score_key: non_empty(game.score_key),
        }
    }
}

impl Event {
    pub(super) fn item(
        self,
        existing: Option<&EventManifest>,
        now: OffsetDateTime,
    ) -> EventManifest {
        let existing = existing.map(|event| time_of(event.created_at));
        EventManifest {
            key: self.id,
            title: self.title.en,
            title_sw: self.title.sw,
            description: self.description.en,
            description_sw: self.description.sw,
            event_banner_url: self.event_banner_url,
            created_at: Some(proto::timestamp(self.created_at.settle(existing, now))),
        }
    }
}

impl From<EventManifest> for Event {
    fn from(event: EventManifest) -> Self {
        Self {
            kind: Kind::Event,
            id: event.key,
            title: LocalText { en: event.title, sw: event.title_sw },
            description: LocalText { en: event.description, sw: event.description_sw },
            event_banner_url: event.event_banner_url,
            created_at: When::At(time_of(event.created_at)),
        }
    }
}

impl TvItem {
    pub(super) fn item(
        self,
        existing: Option<&TvItemManifest>,
        now: OffsetDateTime,
    ) -> TvItemManifest {
        let existing = existing.map(|item| time_of(item.created_at));
        TvItemManifest {
            key: self.id,
            title: self.title.en,
            title_sw: self.title.sw,
            channel_url: self.channel_url,
            primary: self.primary,
            created_at: Some(proto::timestamp(self.created_at.settle(existing, now))),
        }
    }
}

impl From<TvItemManifest> for TvItem {
    fn from(item: TvItemManifest) -> Self {
        Self {
            kind: Kind::TvItem,
            id: item.key,
            title: LocalText { en: item.title, sw: item.title_sw },
            channel_url: item.channel_url,
            primary: item.primary,
            created_at: When::At(time_of(item.created_at)),
        }
    }
}
