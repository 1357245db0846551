//! Journals of the ledger: money only moves from one account to another.

use time::OffsetDateTime;
use types::{Money, PlayerId, Text, uuid::Uuid};

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
    /// Money from a wallet to a phone, with its fee.
    Withdrawal,
    /// A player's payment for a package.
    Subscription,
    /// Money that PlayOn gives back.
    Refund,
    /// The opposite of an earlier journal.
    Reversal,
    /// Money that an operator puts into a wallet: a gift, or a payment that is put right.
    Credit,
    /// The fee that a provider keeps of a payment.
    Fee,
    /// Money that PlayOn paid in for promotions.
    Funding,
    /// Money that an erased account left, to the new account of its player.
    Former,
    /// The duty on money that came into a wallet from outside.
    Excise,
    /// The tax on a prize.
    Withholding,
}

/// An account of PlayOn's own. It has a fixed id and no row. The texts are the names that
/// `house_account` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum HouseAccount {
    /// The money that M-Pesa holds for PlayOn.
    MpesaUtility,
    /// Money that an operator must decide on.
    Suspense,
    /// The money that PlayOn gives away: what operators paid in for it, and what it has paid.
    Promotions,
    /// What the card provider owes PlayOn.
    CardReceivable,
    /// What the carrier owes PlayOn for airtime.
    CarrierReceivable,
    /// Fees that players pay for withdrawals.
    WithdrawalFee,
    /// What players pay for packages.
    SubscriptionRevenue,
    /// What providers charge PlayOn.
    ProviderFee,
    /// The duty on money that came into wallets, which PlayOn owes to the state.
    ExciseDuty,
    /// The tax on prizes, which PlayOn owes to the state.
    WithholdingTax,
}

/// One side of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Side {
    /// A player's wallet.
    Wallet {
        player: PlayerId,
        /// A line for the player's receipt that no id provides: the contest that an award is for,
        /// an operator's words. It has no names of players: they are resolved when the history is
        /// read.
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
    /// The amount, above zero.
    pub(crate) amount: Money,
    /// The other party that the history shows, if it is not the other account: the payer of a boost
    /// by M-Pesa.
    pub(crate) counterparty: Option<PlayerId>,
    /// The journal that this one reverses, in part or whole.
    pub(crate) reverses: Option<JournalId>,
}

impl Entry {
    /// Builds an entry without a counterparty of its own, which reverses nothing.
    pub(crate) const fn new(
        kind: JournalKind,
        reference: Uuid,
        from: Side,
        to: Side,
        amount: Money,
    ) -> Self {
        Self { kind, reference, from, to, amount, counterparty: None, reverses: None }
    }
}

impl Side {
    /// Returns a wallet, without a line of text.
    pub(crate) const fn wallet(player: PlayerId) -> Self {
        Self::Wallet { player, detail: None }
    }
}

impl HouseAccount {
    /// All house accounts.
    pub(crate) const ALL: [Self; 10] = [
        Self::MpesaUtility,
        Self::Suspense,
        Self::Promotions,
        Self::CardReceivable,
        Self::CarrierReceivable,
        Self::WithdrawalFee,
        Self::SubscriptionRevenue,
        Self::ProviderFee,
        Self::ExciseDuty,
        Self::WithholdingTax,
    ];

    /// Returns the id of the account, which the schema has too (`house_account`).
    pub(crate) const fn id(self) -> Uuid {
        Uuid::from_u128(match self {
            Self::MpesaUtility => 0x7000_8000_0000_0000_0001,
            Self::Suspense => 0x7000_8000_0000_0000_0002,
            Self::Promotions => 0x7000_8000_0000_0000_0003,
            Self::CardReceivable => 0x7000_8000_0000_0000_0004,
            Self::CarrierReceivable => 0x7000_8000_0000_0000_0005,
            Self::WithdrawalFee => 0x7000_8000_0000_0000_0006,
            Self::SubscriptionRevenue => 0x7000_8000_0000_0000_0007,
            Self::ProviderFee => 0x7000_8000_0000_0000_0008,
            Self::ExciseDuty => 0x7000_8000_0000_0000_0009,
            Self::WithholdingTax => 0x7000_8000_0000_0000_000a,
        })
    }

    /// Returns the house account of this id.
    pub(crate) fn of_id(id: Uuid) -> Option<Self> {
        Self::ALL.into_iter().find(|account| account.id() == id)
    }
}

/// The result of posting an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[must_use = "a refusal is a value"]
pub(crate) enum Posted {
    /// The entry is written, and commits with the transaction.
    #[strum(serialize = "POSTED")]
    Done,
    /// The entry was written before, perhaps with other content. Nothing was written now.
    Repeated,
    /// The wallet that pays has too little. Nothing was written.
    InsufficientFunds,
}

/// The result of a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[must_use = "a refusal is a value"]
pub(crate) enum Held {
    /// The hold is written, and commits with the transaction.
    #[strum(serialize = "HELD")]
    Done,
    /// The payment has a hold. Nothing was written now.
    Repeated,
    /// The wallet has too little. Nothing was written.
    InsufficientFunds,
    /// The amount exceeds what may leave the wallet in a day. Nothing was written.
    DailyLimit,
}

/// The result of ending a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a hold may have ended otherwise"]
pub(crate) enum HoldEnd {
    /// The hold ended in this way now.
    Done,
    /// The hold had ended in this way before.
    Repeated,
    /// The hold had ended in the other way: released instead of settled, or the reverse. Nothing
    /// was written.
    Otherwise,
    /// The payment has no hold.
    Unknown,
}

types::id! {
    /// Identifies a journal.
    pub(crate) JournalId: "journal"
}

/// The other side of a line of history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counterparty {
    Player(PlayerId),
    House(HouseAccount),
}

types::id! {
    /// Identifies a line of a player's history.
    pub(crate) TransactionId: "transaction"
}

/// One line of a player's history.
#[derive(Debug, Clone)]
pub(crate) struct HistoryLine {
    /// The id of the journal, or of the payment from outside.
    pub(crate) id: TransactionId,
    pub(crate) kind: JournalKind,
    /// The amount; positive for money that came in.
    pub(crate) amount: Money,
    /// The wallet's balance after this line; `None` for a payment from outside the wallet.
    pub(crate) balance_after: Option<Money>,
    pub(crate) detail: Option<String>,
    /// A house account, or the player on the other side.
    pub(crate) counterparty: Counterparty,
    /// The line's place in the history: greater for later lines of the same wallet.
    pub(crate) cursor: i64,
    pub(crate) at: OffsetDateTime,
    /// The tax that was taken of this money.
    pub(crate) tax: Option<Money>,
    /// The provider's receipt, if the payment went through a provider and has one.
    pub(crate) receipt: Option<String>,
    /// The time of payment, by the provider's clock.
    pub(crate) paid_at: Option<OffsetDateTime>,
}

impl HistoryLine {
    /// The player on the other side.
    pub(crate) const fn other_player(&self) -> Option<PlayerId> {
        match self.counterparty {
            Counterparty::Player(player) => Some(player),
            Counterparty::House(_) => None,
        }
    }

    /// Returns the key of the title.
    pub(crate) fn title(&self) -> &'static str {
        match self.kind {
            JournalKind::TopUp | JournalKind::Suspense | JournalKind::Funding => {
                "TRANSACTION_TOP_UP"
            }
            JournalKind::Boost if self.amount > Money::ZERO => "TRANSACTION_BOOST_RECEIVED",
            JournalKind::Boost => "TRANSACTION_BOOST",
            JournalKind::Award => "TRANSACTION_PRIZE",
            JournalKind::Withdrawal => "TRANSACTION_WITHDRAWAL",
            JournalKind::Subscription => "TRANSACTION_SUBSCRIPTION",
            JournalKind::Refund => "TRANSACTION_REFUND",
            JournalKind::Reversal => "TRANSACTION_REVERSAL",
            JournalKind::Credit => "TRANSACTION_CREDIT",
            JournalKind::Fee => "TRANSACTION_FEE",
            JournalKind::Former => "TRANSACTION_FORMER",
            JournalKind::Excise => "TRANSACTION_EXCISE",
            JournalKind::Withholding => "TRANSACTION_WITHHOLDING",
        }
    }

    /// Returns who or what is on the other side. `name` is the other player's.
    pub(crate) fn other_side(&self, name: Option<&str>) -> Option<Text> {
        let came_in = self.amount > Money::ZERO;
        match (self.counterparty, name) {
            (Counterparty::Player(_), Some(name)) => {
                let key = if came_in { "TRANSACTION_BOOST_FROM" } else { "TRANSACTION_BOOST_TO" };
                Some(Text::new(key).with("name", name))
            }
            (Counterparty::Player(_), None) if came_in => {
                Some(Text::new("TRANSACTION_BOOST_FROM_A_FRIEND"))
            }
            (Counterparty::Player(_), None) => Some(Text::new("TRANSACTION_BOOST_TO_A_FRIEND")),
            (Counterparty::House(HouseAccount::MpesaUtility), _) => {
                Some(Text::new("TRANSACTION_MPESA"))
            }
            (Counterparty::House(HouseAccount::CardReceivable), _) => {
                Some(Text::new("TRANSACTION_CARD"))
            }
            (Counterparty::House(HouseAccount::CarrierReceivable), _) => {
                Some(Text::new("TRANSACTION_AIRTIME"))
            }
            (Counterparty::House(_), _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_house_account_has_an_id_of_its_own() {
        for account in HouseAccount::ALL {
            assert_eq!(HouseAccount::of_id(account.id()), Some(account));
        }
        let id = HouseAccount::MpesaUtility.id().to_string();
        assert_eq!(id, "00000000-0000-7000-8000-000000000001");
        assert_eq!(HouseAccount::of_id(Uuid::from_u128(11)), None);
    }
}
