//! What operators may do.

use strum::{Display, EnumIter, EnumString};

/// A role of an operator. Its text is what operators write: `fair-play`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumIter, EnumString,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Role {
    /// Publishes games, tournaments, rooms, packages and all other content.
    Content,
    /// Helps players: their devices, their payments to look at, and reports of messages.
    Support,
    /// Puts money right, funds prizes, and decides on withdrawals that are held.
    Finance,
    /// Decides on runs that are held.
    FairPlay,
    /// Keeps the list of operators, and stops payouts in an emergency.
    Platform,
}
