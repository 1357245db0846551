//! Awards that players won, as they were given.

use strum::{Display, EnumString};
use time::OffsetDateTime;
use types::{Money, PlayerId, uuid::Uuid};

use super::{AwardState, TournamentId};

types::id! {
    /// Identifies an award that a player won; svc-wallet has the same id for it.
    pub(crate) GivenAwardId: "given award"
}

/// For what an award was given. The texts are the values of the column `award_given.cause`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum AwardCause {
    /// A place on the board as it was settled.
    Place,
    /// A run that an operator released after the settlement.
    Late,
    /// A place that its player moved up to, because another award was refused.
    MovedUp,
}

/// An award of money that a player won.
#[derive(Debug, Clone)]
pub(crate) struct CashAward {
    pub(crate) id: GivenAwardId,
    pub(crate) tournament: TournamentId,
    /// The transaction that created the tournament.
    pub(crate) created_xid: i64,
    /// The tournament's name.
    pub(crate) name: String,
    /// The reservation that the award is paid from.
    pub(crate) reservation: Option<Uuid>,
    /// The idempotency key of the player's notifications.
    pub(crate) source: String,
    pub(crate) rank: u64,
    pub(crate) player: PlayerId,
    pub(crate) cash: Money,
    pub(crate) due_at: OffsetDateTime,
    pub(crate) state: AwardState,
}

/// What an operator decided about an award.
#[derive(Debug, Clone)]
pub(crate) struct DecidedAward {
    /// The operator's name, or `SCREENING`.
    pub(crate) operator: String,
    /// A value of the column `award_decision.decision`.
    pub(crate) decision: String,
    pub(crate) reason: String,
    pub(crate) at: OffsetDateTime,
}

/// An award of money as operators see it.
#[derive(Debug)]
pub(crate) struct ListedAward {
    pub(crate) award: CashAward,
    /// The points on the final board; `None` for a late award, or without a board.
    pub(crate) points: Option<i32>,
    /// Whether the award waits until its player has proven a phone.
    pub(crate) needs_phone: bool,
    /// The last decision about the award.
    pub(crate) decided: Option<DecidedAward>,
}

/// An award of money as its player sees it.
#[derive(Debug, Clone)]
pub(crate) struct OwnAward {
    pub(crate) cash: Money,
    pub(crate) state: AwardState,
    pub(crate) due_at: OffsetDateTime,
    /// Whether the award waits until its player has proven a phone.
    pub(crate) needs_phone: bool,
    /// Why an operator refused it.
    pub(crate) reason: Option<String>,
}
