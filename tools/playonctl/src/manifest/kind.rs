//! The kinds of documents.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumString};

/// The kind of a document, in the order of their application: what others refer to is first.
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
    /// What players can subscribe to.
    SubscriptionPackage,
    /// How players pay.
    PaymentMethod,
}
