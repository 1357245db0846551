//! What a journal may say. Two sides, the same amount: money is only moved.

use time::OffsetDateTime;
use types::{Id, Money, Noun, PlayerId};

use super::PaymentId;

/// What a journal records. With the event's own id it is the journal's name, and
/// a name is used once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalKind {
    /// Money that came in from outside.
    TopUp,
    /// Money from one player to another, or from outside to a friend.
    Boost,
    /// Money that came in and belongs to nobody yet.
    Suspense,
}

/// An account of PlayOn's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HouseAccount {
    /// What M-Pesa holds for us.
    MpesaUtility,
    /// What a human must decide on.
    Suspense,
}

/// One side of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// A player's wallet, and the line on the player's receipt.
    Wallet {
        /// Whose.
        player: PlayerId,
        /// From whom, for what.
        detail: Option<String>,
    },
    /// An account of our own.
    House(HouseAccount),
}

/// A journal of two postings: `amount` leaves `from` and reaches `to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it records.
    pub kind: JournalKind,
    /// What happened.
    pub reference: PaymentId,
    /// Whose money it was.
    pub from: Side,
    /// Whose it is now.
    pub to: Side,
    /// How much; above zero.
    pub amount: Money,
}

/// The noun of [`JournalId`].
pub enum JournalNoun {}
impl Noun for JournalNoun {
    const NAME: &'static str = "journal";
}

/// A journal's id.
pub type JournalId = Id<JournalNoun>;

/// One line of a wallet's history.
#[derive(Debug, Clone)]
pub struct Line {
    /// The journal.
    pub journal: JournalId,
    /// What it recorded.
    pub kind: JournalKind,
    /// Signed: positive came in.
    pub amount: Money,
    /// What was in the wallet then.
    pub balance_after: Money,
    /// From whom, for what.
    pub detail: Option<String>,
    /// When.
    pub at: OffsetDateTime,
    /// M-Pesa's receipt, if M-Pesa was in it and has given one.
    pub receipt: Option<String>,
    /// When M-Pesa says it was paid.
    pub paid_at: Option<OffsetDateTime>,
}
