//! Journals of the ledger: money only moves from one account to another.

use time::OffsetDateTime;
use types::{Money, PlayerId, uuid::Uuid};

/// The business event that a journal records. With the event's id it is unique
/// (`journal_once`). The texts are the values of the column `journal.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum JournalKind {
    /// Money that came in from outside.
    TopUp,
    /// Money from one player to another, or from outside into a friend's wallet.
    Boost,
    /// Money that came in and belongs to no player yet.
    Suspense,
    /// Money that a player won.
    Award,
}

/// An account of PlayOn's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HouseAccount {
    /// The money that M-Pesa holds for PlayOn.
    MpesaUtility,
    /// Money that an operator must decide on.
    Suspense,
    /// The money that PlayOn gives away.
    Promotions,
}

/// One side of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Side {
    /// A player's wallet.
    Wallet {
        player: PlayerId,
        /// The line on the player's receipt.
        detail: Option<String>,
    },
    /// An account of PlayOn's own.
    House(HouseAccount),
}

/// A journal of two postings: `amount` leaves `from` and reaches `to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: JournalKind,
    /// The id of the payment or award that the entry records.
    pub(crate) reference: Uuid,
    pub(crate) from: Side,
    pub(crate) to: Side,
    /// Above zero.
    pub(crate) amount: Money,
}

types::id! {
    /// Identifies a journal.
    pub(crate) JournalId: "journal"
}

/// One line of a wallet's history.
#[derive(Debug, Clone)]
pub(crate) struct HistoryLine {
    pub(crate) journal: JournalId,
    pub(crate) kind: JournalKind,
    /// Positive for money that came in.
    pub(crate) amount: Money,
    /// The wallet's balance after this line.
    pub(crate) balance_after: Money,
    pub(crate) detail: Option<String>,
    pub(crate) at: OffsetDateTime,
    /// M-Pesa's receipt, if the payment went through M-Pesa and has one.
    pub(crate) receipt: Option<String>,
    /// The time of payment, by M-Pesa's clock.
    pub(crate) paid_at: Option<OffsetDateTime>,
}
