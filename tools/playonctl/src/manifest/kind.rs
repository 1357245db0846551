//! The kinds of documents.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumString};

/// The kind of a document, in the order in which kinds are applied: a kind that others refer to
/// comes first.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Deserialize,
    Serialize,
    Display,
    EnumIter,
    EnumString,
    ValueEnum,
)]
#[value(rename_all = "PascalCase")]
pub enum Kind {
    /// A game, with its rules module.
    Game,
    /// An event of the banner.
    Event,
    /// A video of PlayOn TV.
    TvItem,
    /// A tournament, with its awards.
    Tournament,
    /// A room that players join to talk.
    ChatRoom,
    /// A way to reach PlayOn's support.
    ContactSetting,
    /// A package that players can subscribe to.
    SubscriptionPackage,
    /// A way in which players pay.
    PaymentMethod,
}
