//! Payments that wait for an operator.

use time::OffsetDateTime;
use types::{Money, PlayerId};

use super::{Dispute, PaymentId, ReviewReason};

/// Why a payment waits for an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum CaseKind {
    /// A payout without an outcome, or one that was never sent.
    Unknown,
    /// Another amount than asked for arrived, or more left than the books can explain.
    Suspended,
    /// The payment has a second receipt: the payer, or a withdrawal's phone, was charged or paid
    /// twice.
    PaidTwice,
    /// A withdrawal that an operator looks at before it is sent.
    Held,
    /// The card's owner disputes the payment.
    Disputed,
    /// M-Pesa has not said whether a reversal succeeded, or contradicts the books.
    Reversal,
    /// A charge to airtime without an outcome.
    Charge,
    /// A card transaction that differs from the payment that was asked for.
    CardMismatch,
    /// Paystack has not said whether a refund succeeded, or contradicts its end.
    CardRefund,
}

/// A payment that waits for an operator.
#[derive(Debug, Clone)]
pub(crate) struct OpenCase {
    pub(crate) payment: PaymentId,
    pub(crate) kind: CaseKind,
    pub(crate) player: PlayerId,
    pub(crate) amount: Money,
    pub(crate) is_payout: bool,
    /// The second receipt; for a payout or suspense the payment's state; for a reversal or refund
    /// its state, or why it is a case; for a card payment the mismatch; for a dispute its id, or its
    /// resolution once it is lost; for a withdrawal that is held the reason.
    pub(crate) note: Option<String>,
    /// The amount in suspense, of the second receipt, or of the reversal.
    pub(crate) received: Option<Money>,
    pub(crate) since: OffsetDateTime,
}

impl OpenCase {
    /// Returns the description of the case that an operator reads at `now`.
    pub(crate) fn detail(&self, now: OffsetDateTime) -> String {
        match self.kind {
            CaseKind::Unknown if self.note.as_deref() == Some("CREATED") => {
                format!("not sent for {}: release gives it back", self.hours(now))
            }
            CaseKind::Unknown => format!("no result for {}", self.hours(now)),
            CaseKind::Suspended => {
                let received = self.received.unwrap_or_default();
                if received < Money::ZERO {
                    let is_twice = self.note.as_deref() == Some("SUCCEEDED");
                    let how = if is_twice { "twice" } else { "after it was given back" };
                    return format!(
                        "paid {how}: confirm takes it from the wallet, release bears the loss"
                    );
                }
                format!("{received} in suspense, {} asked for", self.amount)
            }
            CaseKind::PaidTwice => {
                let receipt = self.note.as_deref().unwrap_or_default();
                let amount = match self.received {
                    Some(amount) => amount.to_string(),
                    None => "an unknown amount".to_owned(),
                };
                let what = if self.is_payout { "second payout: receipt" } else { "second receipt" };
                format!("{what} {receipt} of {amount}")
            }
            CaseKind::Held => {
                let reason = ReviewReason::of_stored(self.note.as_deref().unwrap_or_default());
                let remark = reason.remark();
                format!("a withdrawal that waits for approve or release: {remark}")
            }
            CaseKind::Disputed if self.note.as_deref() == Some(Dispute::ACCEPTED) => {
                "a lost dispute: refund takes it out of the wallet".to_owned()
            }
            CaseKind::Disputed => "the card's owner disputes it".to_owned(),
            CaseKind::Reversal => self.of_reversal(now),
            CaseKind::Charge => format!(
                "no result of a charge to airtime for {}: confirm or release ends it",
                self.hours(now)
            ),
            CaseKind::CardMismatch => {
                let mismatch = self.note.as_deref().unwrap_or_default();
                format!("paid at Paystack and not credited, {mismatch}: release closes it")
            }
            CaseKind::CardRefund => self.of_refund(now),
        }
    }

    fn of_reversal(&self, now: OffsetDateTime) -> String {
        let amount = self.received.unwrap_or_default();
        match self.note.as_deref().unwrap_or_default() {
            "CREATED" => format!("a reversal of {amount} waits for M-Pesa"),
            "OTHER_AMOUNT" => {
                format!("M-Pesa reversed another amount than {amount}: confirm or release ends it")
            }
            "REVERSED_AFTER_FAILURE" => format!(
                "M-Pesa reversed {amount} after its money had been returned: refund takes it out \
                 again, release bears the loss"
            ),
            _ => format!("no result of a reversal of {amount} for {}", self.hours(now)),
        }
    }

    fn of_refund(&self, now: OffsetDateTime) -> String {
        let amount = self.received.unwrap_or_default();
        match self.note.as_deref().unwrap_or_default() {
            "DONE" => format!("Paystack says that a refund of {amount} failed, which it had made"),
            "FAILED" => format!("Paystack made a refund of {amount}, which it had refused"),
            _ => format!(
                "no result of a refund of {amount} for {}: confirm or release ends it",
                self.hours(now)
            ),
        }
    }

    fn hours(&self, now: OffsetDateTime) -> String {
        let hours = (now - self.since).whole_hours();
        format!("{hours} hour{}", if hours == 1 { "" } else { "s" })
    }
}
