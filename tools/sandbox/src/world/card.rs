//! Card payments on the hosted page, refunds and disputes.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;

/// Paystack's status of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CardStatus {
    /// The page is not finished; the transaction can still be paid.
    Abandoned,
    /// The payer is at the bank's 3-D Secure step.
    Ongoing,
    Success,
    /// The bank declined the card; the payer may try again.
    Failed,
    /// The payment was given back in full.
    Reversed,
}

/// A transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CardPayment {
    pub(crate) id: u64,
    pub(crate) reference: String,
    /// The access code, by which the page is found.
    pub(crate) access_code: String,
    pub(crate) email: String,
    pub(crate) requested_cents: u64,
    /// The amount that was paid; until then the amount that is asked for.
    pub(crate) amount_cents: u64,
    pub(crate) fee_cents: u64,
    pub(crate) currency: String,
    pub(crate) callback_url: String,
    pub(crate) metadata: Value,
    pub(crate) status: CardStatus,
    /// The bank's response.
    pub(crate) response: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    pub(crate) paid_at: Option<OffsetDateTime>,
    pub(crate) refunds: Vec<Refund>,
    pub(crate) dispute: Option<Dispute>,
}

impl CardPayment {
    /// Whether the transaction can still be paid on the page.
    pub(crate) fn is_payable(&self) -> bool {
        matches!(self.status, CardStatus::Abandoned | CardStatus::Ongoing | CardStatus::Failed)
    }

    /// Whether nothing more happens by itself.
    pub(crate) fn is_concluded(&self) -> bool {
        self.refunds.iter().all(|refund| refund.status.next().is_none())
    }

    /// The amount that can still be given back.
    pub(crate) fn refundable_cents(&self) -> u64 {
        let kept = |refund: &&Refund| refund.status != RefundStatus::Failed;
        let given: u64 = self.refunds.iter().filter(kept).map(|refund| refund.amount_cents).sum();
        self.amount_cents.saturating_sub(given)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RefundStatus {
    Pending,
    Processing,
    Processed,
    Failed,
}

impl RefundStatus {
    /// The status that follows by itself; processing ends as the settings say.
    pub(crate) fn next(self) -> Option<Self> {
        match self {
            Self::Pending => Some(Self::Processing),
            Self::Processing => Some(Self::Processed),
            Self::Processed | Self::Failed => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Refund {
    pub(crate) id: u64,
    pub(crate) amount_cents: u64,
    pub(crate) customer_note: Option<String>,
    pub(crate) merchant_note: Option<String>,
    pub(crate) status: RefundStatus,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) created_at: OffsetDateTime,
    /// When the next status follows.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) due_at: OffsetDateTime,
}

/// A payer's complaint at the bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dispute {
    pub(crate) id: u64,
    /// `awaiting-merchant-feedback` or `resolved`.
    pub(crate) status: String,
    /// `merchant-accepted` or `declined`, when resolved.
    pub(crate) resolution: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) created_at: OffsetDateTime,
}
