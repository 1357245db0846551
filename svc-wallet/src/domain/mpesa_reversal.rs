//! The rules of a reversal's end.
//!
//! ```text
//! CREATED ─► SUBMITTING ─► SUBMITTED     the money is out of the wallet
//! SUBMITTING ─► CREATED                  Daraja was out of reach, and did not get it
//! SUBMITTING, SUBMITTED ─► UNKNOWN       the reply was lost, or no result came
//! UNKNOWN    ─► CREATED                  an operator has it sent again
//!
//!   from any of them ─► SUCCEEDED        the payer has the money
//!                    ─► FAILED           the payer does not: the money is where it was before
//! ```
//!
//! A reversal whose outcome is unknown is never sent again automatically. An operator may have it
//! sent again, because M-Pesa reverses a receipt only once: a repeat is answered with "already
//! reversed". Where M-Pesa named another amount, only an operator ends the reversal.

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
    /// The reversal is stored, and not sent.
    Created,
    /// The reversal was sent, or was about to be when the process died.
    Submitting,
    /// Daraja has the reversal.
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
    /// The beneficiary's wallet.
    Wallet,
    /// The suspense account.
    Suspense,
    /// No account of the ledger: the money came with a second receipt.
    SecondReceipt,
}

/// Why an operator must look at a reversal. The texts are the values of the column
/// `mpesa_reversal.case_kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ReversalCase {
    /// Daraja has had no result for a day.
    Unknown,
    /// Another amount was given back than we asked for.
    OtherAmount,
    /// The money was returned, and M-Pesa gave it back after all.
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
    /// Number of calls that may have reached Daraja.
    pub(crate) attempts: i32,
    /// The time of the last call.
    pub(crate) submitted_at: Option<OffsetDateTime>,
    /// Number of queries sent so far.
    pub(crate) queries: u32,
    /// End of the lease under which a replica queries the reversal, by the database's clock.
    pub(crate) leased_until: Option<OffsetDateTime>,
    /// Why an operator must look at the reversal.
    pub(crate) case: Option<ReversalCase>,
    /// The trace of the operation.
    pub(crate) traceparent: Option<String>,
}

/// An event in the life of a reversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReversalEvent {
    /// A delivery is about to send the reversal.
    Claimed,
    /// Daraja certainly did not get the call.
    NotSent,
    /// The reversal could not be sent for too long.
    GivenUp,
    /// Daraja took the call.
    Accepted,
    /// The reply was lost, or the result does not say whether money moved.
    Doubtful,
    /// There was no result for too long.
    Overdue,
    /// M-Pesa says that the payer has the money.
    Reversed {
        /// The amount, if M-Pesa names it.
        amount: Option<Money>,
    },
    /// M-Pesa says that the payer has the money, by a receipt that ended another reversal.
    ReceiptUsed,
    /// M-Pesa refused the last call.
    Refused,
    /// An operator has the reversal sent again.
    Resent,
    /// An operator says that the payer has the money.
    Confirmed,
    /// An operator says that the payer does not have the money.
    Released,
}

/// The decision that follows from an event. The texts name it in a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ReversalDecision {
    /// The reversal goes on, in this state.
    Move(ReversalState),
    /// The reversal ends as SUCCEEDED.
    Succeed,
    /// The reversal ends as FAILED: the money returns to where it was.
    GiveBack,
    /// The reversal is UNKNOWN, and an operator's case: another amount was given back.
    OtherAmount { reversed: Money },
    /// The reversal is UNKNOWN, and an operator's case: its receipt is another reversal's.
    ReceiptUsed,
    /// The payer got the money after it had been returned: an operator's case.
    ReversedAfterFailure,
    /// The event changes nothing.
    NoChange,
}

/// The meaning of a `ResultCode` of a reversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReversalResult {
    /// The payer has the money.
    Reversed,
    /// The payer had the money before this call.
    AlreadyReversed,
    /// The call was refused.
    Refused,
    /// The call was refused because of our set-up at M-Pesa: an operator must correct it.
    Misconfigured,
    /// The code does not say whether money moved.
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
            // 15 is a duplicate of a call that may have been carried out, 17 an internal failure
            // and 26 a busy system: none says whether money moved.
            _ => Self::Unknown,
        }
    }
}

impl ReversalState {
    /// Returns what an operator reads about the refund.
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
    /// Returns the decision that follows from an event. Only this function decides a reversal's
    /// end.
    pub(crate) fn decide(&self, event: ReversalEvent) -> ReversalDecision {
        use ReversalDecision::{
            GiveBack, Move, NoChange, OtherAmount, ReceiptUsed, ReversedAfterFailure, Succeed,
        };
        use ReversalEvent as Event;
        use ReversalState::{Created, Failed, Submitted, Submitting, Succeeded, Unknown};
        // If more than one call may have reached M-Pesa, the refusal of one does not decide the
        // others.
        let is_only_call = self.attempts <= 1;
        match (self.state, event) {
            (Failed, Event::Reversed { .. }) => ReversedAfterFailure,
            (Succeeded | Failed, _) => NoChange,
            (Unknown, Event::Confirmed) => Succeed,
            (Unknown, Event::Released) => GiveBack,
            // After M-Pesa has contradicted itself, no later evidence from M-Pesa ends the
            // reversal.
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
