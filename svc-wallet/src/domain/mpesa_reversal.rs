//! The rules of a reversal's end.
//!
//! ```text
//! CREATED ─► SUBMITTING ─► SUBMITTED     the money is out of the wallet
//! SUBMITTING ─► CREATED                  Daraja was out of reach, and did not get it
//! SUBMITTING, SUBMITTED ─► UNKNOWN       the reply was lost, or no result came
//! UNKNOWN    ─► CREATED                  an operator has it sent again
//!
//!   from any of them ─► SUCCEEDED        the payer has the money
//!                    ─► FAILED           the payer does not: it is where it was before
//! ```
//!
//! One whose outcome is unknown is never sent again by itself. An operator may have it sent
//! again, because M-Pesa reverses a receipt once: then it says that it was reversed already.
//! Where M-Pesa named another amount, only an operator ends it.

use time::OffsetDateTime;
use types::Money;

use super::PaymentId;

types::id! {
    /// Identifies a reversal. It is the id of the operation that ordered it.
    pub(crate) MpesaReversalId: "reversal"
}

/// The state of a reversal. The texts are the values of the column `mpesa_reversal.state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum ReversalState {
    /// Stored, and not sent.
    Created,
    /// Sent, or about to be when the process died.
    Submitting,
    /// Daraja has it.
    Submitted,
    /// The payer may have the money or not.
    Unknown,
    /// The payer has the money.
    Succeeded,
    /// The payer does not have it: it is where it was before.
    Failed,
}

/// Where the money of a reversal was. The texts are the values of the column
/// `mpesa_reversal.source`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ReversalSource {
    /// In the beneficiary's wallet.
    Wallet,
    /// In suspense.
    Suspense,
    /// Not in the ledger: it came with a second receipt.
    SecondReceipt,
}

/// Why an operator must look at a reversal. The texts are the values of the column
/// `mpesa_reversal.case_kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ReversalCase {
    /// Daraja has not said for a day what became of it.
    Unknown,
    /// Another amount was given back than we asked for.
    OtherAmount,
    /// Its money was returned, and M-Pesa gave it back after all.
    ReversedAfterFailure,
}

/// A reversal.
#[derive(Debug, Clone)]
pub(crate) struct MpesaReversal {
    pub(crate) id: MpesaReversalId,
    pub(crate) payment: PaymentId,
    /// The receipt of the payment that is given back.
    pub(crate) receipt: String,
    pub(crate) amount: Money,
    pub(crate) source: ReversalSource,
    pub(crate) state: ReversalState,
    /// Calls that may have reached Daraja.
    pub(crate) attempts: i32,
    /// When the last call was made.
    pub(crate) submitted_at: Option<OffsetDateTime>,
    /// Queries sent so far.
    pub(crate) queries: u32,
    /// End of the lease under which it is being queried, by the database's clock.
    pub(crate) leased_until: Option<OffsetDateTime>,
    /// Why an operator must look at it.
    pub(crate) case: Option<ReversalCase>,
    /// The trace of the operation.
    pub(crate) traceparent: Option<String>,
}

/// What happens to a reversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReversalEvent {
    /// A delivery is about to send it.
    Claimed,
    /// Daraja certainly did not get the call.
    NotSent,
    /// It could not be sent for too long.
    GivenUp,
    /// Daraja took it.
    Accepted,
    /// The reply was lost, or the result does not say what became of the money.
    Doubtful,
    /// There was no result for too long.
    Overdue,
    /// M-Pesa says that the payer has the money.
    Reversed {
        /// As far as it is said.
        amount: Option<Money>,
    },
    /// The same, by a receipt that ended another reversal.
    ReceiptUsed,
    /// M-Pesa refused the last call.
    Refused,
    /// An operator has it sent again.
    Resent,
    /// An operator says that the payer has the money.
    Confirmed,
    /// An operator says that the payer does not have the money.
    Released,
}

/// What an event makes of a reversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReversalDecision {
    /// It goes on.
    Move(ReversalState),
    /// SUCCEEDED.
    Succeed,
    /// FAILED: the money returns to where it was.
    GiveBack,
    /// UNKNOWN, and an operator's case: another amount was given back.
    OtherAmount { reversed: Money },
    /// UNKNOWN, and an operator's case: its receipt is another reversal's.
    ReceiptUsed,
    /// The payer got the money after it had been returned: an operator's case.
    ReversedAfterFailure,
    /// Nothing.
    NoChange,
}

/// The meaning of a `ResultCode` of a reversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReversalResult {
    /// The payer has the money.
    Reversed,
    /// The payer had it before this call.
    AlreadyReversed,
    /// The call was refused.
    Refused,
    /// The same, because of our set-up at M-Pesa: an operator must correct it.
    Misconfigured,
    /// A code that does not say what became of the money.
    Unknown,
}

impl ReversalResult {
    /// Parses a result code.
    pub(crate) fn parse(code: &str) -> Self {
        match code {
            "0" => Self::Reversed,
            "R000001" => Self::AlreadyReversed,
            "R000002" | "1" | "2" | "3" | "4" | "8" | "2006" | "2040" | "SFC_IC0003" => {
                Self::Refused
            }
            "11" | "18" | "20" | "21" | "24" | "25" | "2001" | "2028" | "8006" => {
                Self::Misconfigured
            }
            // 15 is a duplicate of something that may have been carried out, 17 an internal
            // failure and 26 a busy system, which say nothing of the money.
            _ => Self::Unknown,
        }
    }
}

impl ReversalState {
    /// What an operator reads of the refund.
    pub(crate) const fn remark(self) -> &'static str {
        match self {
            Self::Created | Self::Submitting | Self::Submitted => "M-Pesa is asked to reverse it",
            Self::Unknown => {
                "unknown whether M-Pesa reversed it: refund has it sent again, which pays nothing \
                 twice; confirm or release ends it by the portal's statement"
            }
            Self::Succeeded => "M-Pesa reversed it",
            Self::Failed => "M-Pesa did not reverse it: the money is where it was before",
        }
    }
}

impl MpesaReversal {
    /// What an event makes of this reversal. The only place where its end is decided, wherever
    /// the event comes from.
    pub(crate) fn decide(&self, event: ReversalEvent) -> ReversalDecision {
        use ReversalDecision::{
            GiveBack, Move, NoChange, OtherAmount, ReceiptUsed, ReversedAfterFailure, Succeed,
        };
        use ReversalEvent as Event;
        use ReversalState::{Created, Failed, Submitted, Submitting, Succeeded, Unknown};
        // Where more than one call may have reached M-Pesa, the refusal of one says nothing of
        // the others.
        let is_only_call = self.attempts <= 1;
        match (self.state, event) {
            (Failed, Event::Reversed { .. }) => ReversedAfterFailure,
            (Succeeded | Failed, _) => NoChange,
            (Unknown, Event::Confirmed) => Succeed,
            (Unknown, Event::Released) => GiveBack,
            // Nothing that M-Pesa says later ends what it has contradicted itself about.
            (Unknown, _) if self.case == Some(ReversalCase::OtherAmount) => NoChange,
            (_, Event::ReceiptUsed) => ReceiptUsed,
            (_, Event::Reversed { amount: Some(reversed) }) if reversed != self.amount => {
                OtherAmount { reversed }
            }
            (_, Event::Reversed { .. }) => Succeed,
            (_, Event::Refused) if is_only_call => GiveBack,
            (Created, Event::GivenUp) if self.attempts == 0 => GiveBack,
            (Created, Event::Claimed) => Move(Submitting),
            (Submitting, Event::NotSent) | (Unknown, Event::Resent) => Move(Created),
            (Submitting, Event::Accepted) => Move(Submitted),
            (Created, Event::GivenUp)
            | (Submitting | Submitted, Event::Doubtful | Event::Overdue | Event::Refused) => {
                Move(Unknown)
            }
            _ => NoChange,
        }
    }
}

#[cfg(test)]
mod tests;
