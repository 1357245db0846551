//! The documents that operators write, and the contract's messages for them.

mod chat;
mod fields;
mod games;
mod kes;
mod kind;
mod tournament;
mod wallet;

use proto::{
    chat::v1::{ChatRoomManifest, ContactSettingManifest},
    games::v1::{EventManifest, GameManifest, TvItemManifest},
    tournament::v1::TournamentManifest,
    wallet::v1::{PaymentMethodManifest, SubscriptionPackageManifest},
};
use serde::Serialize;
use time::OffsetDateTime;

pub use self::kind::Kind;
use self::{
    chat::{ChatRoom, ContactSetting},
    games::{Event, Game, TvItem},
    tournament::Tournament,
    wallet::{PaymentMethod, SubscriptionPackage},
};

/// An item of content, as the services have it.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A game.
    Game(GameManifest),
    /// An event.
    Event(EventManifest),
    /// A video.
    TvItem(TvItemManifest),
    /// A tournament.
    Tournament(TournamentManifest),
    /// A chat room.
    ChatRoom(ChatRoomManifest),
    /// A contact setting.
    ContactSetting(ContactSettingManifest),
    /// A subscription package.
    SubscriptionPackage(SubscriptionPackageManifest),
    /// A payment method.
    PaymentMethod(PaymentMethodManifest),
}

impl Item {
    /// The item's kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Game(_) => Kind::Game,
            Self::Event(_) => Kind::Event,
            Self::TvItem(_) => Kind::TvItem,
            Self::Tournament(_) => Kind::Tournament,
            Self::ChatRoom(_) => Kind::ChatRoom,
            Self::ContactSetting(_) => Kind::ContactSetting,
            Self::SubscriptionPackage(_) => Kind::SubscriptionPackage,
            Self::PaymentMethod(_) => Kind::PaymentMethod,
        }
    }

    /// The item's id within its kind.
    pub fn id(&self) -> &str {
        match self {
            Self::Game(game) => &game.key,
            Self::Event(event) => &event.key,
            Self::TvItem(item) => &item.key,
            Self::Tournament(tournament) => &tournament.key,
            Self::ChatRoom(room) => &room.key,
            Self::ContactSetting(setting) => &setting.key,
            Self::SubscriptionPackage(package) => &package.key,
            Self::PaymentMethod(method) => &method.key,
        }
    }

    /// The name that players see.
    pub fn title(&self) -> &str {
        match self {
            Self::Game(game) => &game.name,
            Self::Event(event) => &event.title,
            Self::TvItem(item) => &item.title,
            Self::Tournament(tournament) => &tournament.name,
            Self::ChatRoom(room) => &room.name,
            Self::ContactSetting(setting) => &setting.value,
            Self::SubscriptionPackage(package) => &package.name,
            Self::PaymentMethod(method) => &method.name,
        }
    }

    const fn as_event(&self) -> Option<&EventManifest> {
        if let Self::Event(event) = self { Some(event) } else { None }
    }

    const fn as_tv_item(&self) -> Option<&TvItemManifest> {
        if let Self::TvItem(item) = self { Some(item) } else { None }
    }

    const fn as_tournament(&self) -> Option<&TournamentManifest> {
        if let Self::Tournament(tournament) = self { Some(tournament) } else { None }
    }
}

/// The manifest of one document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Manifest {
    Game(Game),
    Event(Event),
    TvItem(TvItem),
    Tournament(Tournament),
    ChatRoom(ChatRoom),
    ContactSetting(ContactSetting),
    SubscriptionPackage(SubscriptionPackage),
    PaymentMethod(PaymentMethod),
}

impl Manifest {
    /// Reads the document of a kind.
    pub(crate) fn parse(kind: Kind, text: &str) -> Result<Self, serde_saphyr::Error> {
        use serde_saphyr::from_str;
        match kind {
            Kind::Game => from_str(text).map(Self::Game),
            Kind::Event => from_str(text).map(Self::Event),
            Kind::TvItem => from_str(text).map(Self::TvItem),
            Kind::Tournament => from_str(text).map(Self::Tournament),
            Kind::ChatRoom => from_str(text).map(Self::ChatRoom),
            Kind::ContactSetting => from_str(text).map(Self::ContactSetting),
            Kind::SubscriptionPackage => from_str(text).map(Self::SubscriptionPackage),
            Kind::PaymentMethod => from_str(text).map(Self::PaymentMethod),
        }
    }

    /// The item to apply. It keeps the times of the existing item where its own times are relative.
    /// The sha256 of a game's rules is in its manifest by now.
    pub(crate) fn item(&self, existing: Option<&Item>, now: OffsetDateTime) -> Item {
        match self.clone() {
            Self::Game(game) => Item::Game(game.item()),
            Self::Event(event) => Item::Event(event.item(existing.and_then(Item::as_event), now)),
            Self::TvItem(video) => {
                Item::TvItem(video.item(existing.and_then(Item::as_tv_item), now))
            }
            Self::Tournament(tournament) => {
                Item::Tournament(tournament.item(existing.and_then(Item::as_tournament), now))
            }
            Self::ChatRoom(room) => Item::ChatRoom(room.item()),
            Self::ContactSetting(setting) => Item::ContactSetting(setting.item()),
            Self::SubscriptionPackage(package) => Item::SubscriptionPackage(package.item()),
            Self::PaymentMethod(method) => Item::PaymentMethod(method.item()),
        }
    }
}

impl From<Item> for Manifest {
    fn from(item: Item) -> Self {
        match item {
            Item::Game(game) => Self::Game(game.into()),
            Item::Event(event) => Self::Event(event.into()),
            Item::TvItem(item) => Self::TvItem(item.into()),
            Item::Tournament(tournament) => Self::Tournament(tournament.into()),
            Item::ChatRoom(room) => Self::ChatRoom(room.into()),
            Item::ContactSetting(setting) => Self::ContactSetting(setting.into()),
            Item::SubscriptionPackage(package) => Self::SubscriptionPackage(package.into()),
            Item::PaymentMethod(method) => Self::PaymentMethod(method.into()),
        }
    }
}

/// The items as documents that apply takes back unchanged.
pub fn yaml(items: impl IntoIterator<Item = Item>) -> anyhow::Result<String> {
    let documents: Vec<Manifest> = items.into_iter().map(Manifest::from).collect();
    Ok(serde_saphyr::to_string_multiple(&documents)?)
}
