//! The documents that operators write, and their messages of the contract.

use clap::ValueEnum;
use prost_types::Timestamp;
use proto::games::v1::{ContentKind, EventManifest, GameManifest, TvItemManifest};
use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumString};
use time::OffsetDateTime;

use crate::relative_time::When;

/// The kind of a document.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Deserialize,
    Serialize,
    Display,
    EnumIter,
    EnumString,
    ValueEnum,
)]
pub enum Kind {
    /// A game, with its rules module.
    #[value(name = "Game")]
    Game,
    /// An event of the banner.
    #[value(name = "Event")]
    Event,
    /// A video of PlayOn TV.
    #[value(name = "TvItem")]
    TvItem,
}

impl From<Kind> for ContentKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Game => Self::Game,
            Kind::Event => Self::Event,
            Kind::TvItem => Self::TvItem,
        }
    }
}

/// What is applied, as the services have it.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A game.
    Game(GameManifest),
    /// An event.
    Event(EventManifest),
    /// A video.
    TvItem(TvItemManifest),
}

impl Item {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Game(_) => Kind::Game,
            Self::Event(_) => Kind::Event,
            Self::TvItem(_) => Kind::TvItem,
        }
    }

    /// Its id within the kind.
    pub fn id(&self) -> &str {
        match self {
            Self::Game(game) => &game.key,
            Self::Event(event) => &event.key,
            Self::TvItem(item) => &item.key,
        }
    }

    /// What players call it.
    pub fn title(&self) -> &str {
        match self {
            Self::Game(game) => &game.name,
            Self::Event(event) => &event.title,
            Self::TvItem(item) => &item.title,
        }
    }
}

/// The manifest of one document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Manifest {
    Game(Game),
    Event(Event),
    TvItem(TvItem),
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the fields are named as in the contract")]
pub(crate) struct Game {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) package_id: String,
    pub(crate) description: String,
    pub(crate) game_icon: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trailer_link: Option<String>,
    /// Of a game that PlayOn does not serve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) game_url: Option<String>,
    #[serde(default)]
    pub(crate) featured: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) world: String,
    #[serde(default = "one_level")]
    pub(crate) levels: u32,
    /// The path of the rules module, relative to the document's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<String>,
    /// The sha256 of a rules module that was applied before, in hex; an export has it
    /// instead of `rules`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rules_sha256: Option<String>,
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
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) event_banner_url: String,
    pub(crate) created_at: When,
}

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TvItem {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) channel_url: String,
    #[serde(default)]
    pub(crate) primary: bool,
    pub(crate) created_at: When,
}

impl Manifest {
    /// The item to apply, beside the one that exists. The sha256 of a game's rules is in its
    /// manifest by now.
    pub(crate) fn item(&self, existing: Option<&Item>, now: OffsetDateTime) -> Item {
        let existing = existing.and_then(created_at);
        let settle = |when: When| Some(proto::timestamp(when.settle(existing, now)));
        match self.clone() {
            Self::Game(game) => Item::Game(GameManifest {
                key: game.id,
                name: game.name,
                package_id: game.package_id,
                description: game.description,
                game_icon: game.game_icon,
                trailer_link: game.trailer_link,
                game_url: game.game_url.unwrap_or_default(),
                featured: game.featured,
                world: game.world,
                levels: game.levels,
                rules_sha256: game.rules_sha256.unwrap_or_default(),
            }),
            Self::Event(event) => Item::Event(EventManifest {
                key: event.id,
                title: event.title,
                description: event.description,
                event_banner_url: event.event_banner_url,
                created_at: settle(event.created_at),
            }),
            Self::TvItem(item) => Item::TvItem(TvItemManifest {
                key: item.id,
                title: item.title,
                channel_url: item.channel_url,
                primary: item.primary,
                created_at: settle(item.created_at),
            }),
        }
    }
}

impl From<Item> for Manifest {
    fn from(item: Item) -> Self {
        let kind = item.kind();
        match item {
            Item::Game(game) => Self::Game(Game {
                kind,
                id: game.key,
                name: game.name,
                package_id: game.package_id,
                description: game.description,
                game_icon: game.game_icon,
                trailer_link: game.trailer_link,
                game_url: non_empty(game.game_url),
                featured: game.featured,
                world: game.world,
                levels: game.levels,
                rules: None,
                rules_sha256: non_empty(game.rules_sha256),
            }),
            Item::Event(event) => Self::Event(Event {
                kind,
                id: event.key,
                title: event.title,
                description: event.description,
                event_banner_url: event.event_banner_url,
                created_at: When::At(time_of(event.created_at)),
            }),
            Item::TvItem(item) => Self::TvItem(TvItem {
                kind,
                id: item.key,
                title: item.title,
                channel_url: item.channel_url,
                primary: item.primary,
                created_at: When::At(time_of(item.created_at)),
            }),
        }
    }
}

/// The items as documents that apply takes back unchanged.
pub fn yaml(items: impl IntoIterator<Item = Item>) -> anyhow::Result<String> {
    let documents: Vec<Manifest> = items.into_iter().map(Manifest::from).collect();
    Ok(serde_saphyr::to_string_multiple(&documents)?)
}

fn created_at(item: &Item) -> Option<OffsetDateTime> {
    match item {
        Item::Game(_) => None,
        Item::Event(event) => Some(time_of(event.created_at)),
        Item::TvItem(item) => Some(time_of(item.created_at)),
    }
}

/// Services always send the time.
fn time_of(timestamp: Option<Timestamp>) -> OffsetDateTime {
    proto::from_timestamp(timestamp, "createdAt").unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
