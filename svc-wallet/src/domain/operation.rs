//! Operations: what operators do with money. [`super::operation_plan`] says what a payment allows.

use std::borrow::Cow;

use thiserror::Error;
use time::OffsetDateTime;
use types::{Money, PlayerId};

use super::{
    CardRefundId, Evidence, HouseAccount, JournalId, JournalKind, MpesaReversalId, Payment,
    PaymentId, ReversalSource, ReversalState, Side,
};

types::id! {
    /// Identifies an operation.
    pub(crate) OperationId: "operation"
}

/// An operation above this amount needs a second operator.
const SECOND_OPERATOR_OVER: Money = Money::from_shillings(10_000);
/// The total that one operator may do alone in a day, without approvals.
const ALONE_A_DAY: Money = Money::from_shillings(50_000);
/// The total of held withdrawals that one operator may approve alone in a day. It is higher, because
/// an approved withdrawal is the player's own money.
const APPROVED_ALONE_A_DAY: Money = Money::from_shillings(250_000);
/// The largest amount of one operation.
const AMOUNT_MAX: Money = Money::from_shillings(1_000_000);
/// The largest amount of a funding: a transfer is noted as a whole.
const FUNDING_MAX: Money = Money::from_shillings(100_000_000);
/// Lengths of a reason, in characters.
const REASON: std::ops::RangeInclusive<usize> = 10..=500;
/// Longest receipt of a provider, in characters.
const RECEIPT_MAX: usize = 64;

/// What an operator does. The texts are the values of the column `money_operation.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum OperationKind {
    /// Credits a wallet: from suspense, a second receipt, or promotions.
    Credit,
    /// Gives a payment back.
    Refund,
    /// Ends a withdrawal as failed.
    Release,
    /// Ends a payment as paid.
    Confirm,
    /// Sends a held withdrawal.
    Approve,
    /// Posts money that left M-Pesa a second time for a withdrawal.
    Outflow,
    /// Posts money that PlayOn paid into its M-Pesa account for promotions.
    Fund,
}

/// The state of an operation. The texts are the values of the column `money_operation.state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum OperationState {
    /// A second operator must decide.
    Waiting,
    Done,
    Refused,
}

/// An operator's request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewOperation {
    pub(crate) kind: OperationKind,
    pub(crate) payment: Option<PaymentId>,
    /// The player who gets a credit.
    pub(crate) player: Option<PlayerId>,
    /// Set for credits, partial refunds and outflows of unknown amount.
    pub(crate) amount: Option<Money>,
    /// The provider's receipt of a payment that is confirmed, or the receipt that a release or an
    /// outflow closes.
    pub(crate) receipt: Option<String>,
    pub(crate) reason: String,
}

/// An operation as it is stored.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) id: OperationId,
    pub(crate) asked: NewOperation,
    pub(crate) state: OperationState,
    /// The amount that moves.
    pub(crate) amount: Money,
    pub(crate) requested_by: String,
    pub(crate) requested_at: OffsetDateTime,
    pub(crate) decided_by: Option<String>,
    pub(crate) decided_at: Option<OffsetDateTime>,
    /// Whether an operator must still act in a provider's portal.
    pub(crate) by_hand: bool,
    /// The state of M-Pesa's reversal that the operation ordered.
    pub(crate) reversal: Option<ReversalState>,
}

/// Why an operation cannot be carried out. Operators read it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field} {problem}")]
pub(crate) struct InvalidOperation {
    pub(crate) field: &'static str,
    pub(crate) problem: Cow<'static, str>,
}

/// What the books have of a payment, read under its lock.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) payment: Payment,
    /// Whether the payment's state has not changed for so long that an open payout is a case.
    pub(crate) is_overdue: bool,
    /// The journal that credited the payment, or set it aside.
    pub(crate) journal: Option<JournalId>,
    /// The last journal of money that left a second time for the payment.
    pub(crate) outflow: Option<JournalId>,
    /// The money that came from M-Pesa by that journal.
    pub(crate) received: Option<Received>,
    /// The part of the payment that is left in suspense.
    pub(crate) suspended: Money,
    /// The amount that operators have given back, without the refunds that Paystack or M-Pesa
    /// refused.
    pub(crate) refunded: Money,
    /// A reversal whose outcome is unknown.
    pub(crate) unknown_reversal: Option<UnknownReversal>,
    /// A reversal that M-Pesa carried out after its money had been returned.
    pub(crate) late_reversal: Option<LateReversal>,
    /// A second receipt on which no operator has decided.
    pub(crate) second: Option<SecondReceipt>,
    /// A refund to the card whose outcome is unknown, and its amount.
    pub(crate) unknown_refund: Option<(CardRefundId, Money)>,
    /// A refund to the card whose end Paystack contradicts, and its amount.
    pub(crate) contradicted_refund: Option<(CardRefundId, Money)>,
    /// Whether a card transaction that differs from the payment waits for an operator.
    pub(crate) has_mismatch: bool,
    /// The card owner's dispute, unless PlayOn won it.
    pub(crate) dispute: Option<Dispute>,
}

/// Money that came from M-Pesa.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Received {
    pub(crate) receipt: String,
    pub(crate) amount: Money,
}

/// A reversal whose outcome is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownReversal {
    pub(crate) id: MpesaReversalId,
    /// The receipt that the reversal gives back.
    pub(crate) receipt: String,
    pub(crate) amount: Money,
    /// Whether M-Pesa named another amount.
    pub(crate) is_of_other_amount: bool,
}

/// A reversal that M-Pesa carried out after its money had been returned: both the payer and the
/// player, or suspense, have the money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LateReversal {
    pub(crate) id: MpesaReversalId,
    /// The receipt that was given back.
    pub(crate) receipt: String,
    pub(crate) source: ReversalSource,
    pub(crate) amount: Money,
    /// Whether the reversal is of a second receipt on which no operator has decided.
    pub(crate) is_open: bool,
}

/// A dispute about a card payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dispute {
    /// Paystack has not decided yet.
    Open,
    /// Paystack has given the money back.
    Lost,
}

impl Dispute {
    /// The resolution with which Paystack gives the money back.
    pub(crate) const ACCEPTED: &str = "merchant-accepted";

    /// Reads a dispute from the columns of `card_payment`.
    pub(crate) fn of(state: Option<&str>, resolution: Option<&str>) -> Option<Self> {
        match (state?, resolution) {
            ("OPEN", _) => Some(Self::Open),
            (_, Some(Self::ACCEPTED)) => Some(Self::Lost),
            _ => None,
        }
    }
}

/// A further receipt of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SecondReceipt {
    pub(crate) receipt: String,
    /// The amount; `None` when the provider's message lacked it.
    pub(crate) amount: Option<Money>,
    /// Whether the receipt belongs to another payment: then its money is not this payment's.
    pub(crate) is_of_another: bool,
}

/// The effects of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) amount: Money,
    pub(crate) step: Step,
    /// The second receipt that the operation settles.
    pub(crate) settles: Option<String>,
    /// The player whose day of a package is revoked.
    pub(crate) revokes: Option<PlayerId>,
    /// The player who is notified of returned money.
    pub(crate) notify: Option<PlayerId>,
    /// Whether a second operator must decide, whatever the amount.
    pub(crate) needs_second_operator: bool,
}

impl Plan {
    /// Builds a plan that has no effect but its step.
    pub(crate) const fn new(amount: Money, step: Step) -> Self {
        let (settles, revokes, notify) = (None, None, None);
        Self { amount, step, settles, revokes, notify, needs_second_operator: false }
    }
}

/// The step by which an operation moves money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Posts a journal.
    Post { kind: JournalKind, from: Side, to: Side, reverses: Option<JournalId> },
    /// Takes the money out of the wallet, and has Paystack give it back to the card.
    RefundCard { reverses: Option<JournalId> },
    /// Takes the money out of its source, and has M-Pesa reverse its receipt.
    ReverseMpesa(NewReversal),
    /// Sends a reversal whose outcome is unknown again: M-Pesa reverses a receipt only once.
    ResendReversal(MpesaReversalId),
    /// Ends a reversal whose outcome is unknown: as carried out by M-Pesa's receipt of it, or as
    /// failed.
    EndReversal { id: MpesaReversalId, receipt: Option<String> },
    /// Writes off the loss of a reversal that was carried out after its money had been returned.
    BearLoss { id: MpesaReversalId, reverses: Option<JournalId> },
    /// Ends a refund to a card whose outcome is unknown.
    EndRefund { id: CardRefundId, is_done: bool },
    /// Closes the contradicted end of a refund to a card.
    CloseContradiction(CardRefundId),
    /// Closes the mismatch of a card payment.
    CloseMismatch,
    /// Posts nothing: the money was never in the ledger.
    Note,
    /// Ends the payment by this evidence.
    Settle(Evidence),
    /// Sends a held withdrawal.
    Send,
}

/// A reversal of a whole receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewReversal {
    pub(crate) receipt: String,
    pub(crate) source: ReversalSource,
    pub(crate) reverses: Option<JournalId>,
}

impl Step {
    /// Whether the step only posts a refund, and an operator must give the money back in the
    /// provider's portal. This is so for a part of an M-Pesa receipt, because M-Pesa reverses whole
    /// receipts, and for airtime, which the carrier gives back.
    pub(crate) fn is_by_hand(&self) -> bool {
        const SUSPENSE: Side = Side::House(HouseAccount::Suspense);
        const MPESA: Side = Side::House(HouseAccount::MpesaUtility);
        const CARRIER: Side = Side::House(HouseAccount::CarrierReceivable);
        match self {
            Self::Note => true,
            Self::Post { kind: JournalKind::Refund, from, to, .. } => {
                *from == SUSPENSE || *to == MPESA || *to == CARRIER
            }
            _ => false,
        }
    }

    /// Returns the reversal that the step orders, resends or ends. `operation` is the id of the
    /// step's operation.
    pub(crate) fn reversal(&self, operation: OperationId) -> Option<MpesaReversalId> {
        match self {
            Self::ReverseMpesa(_) => Some(operation.uuid().into()),
            Self::ResendReversal(id) | Self::EndReversal { id, .. } => Some(*id),
            _ => None,
        }
    }
}

impl Operation {
    /// Returns what an operator must know about an operation that was carried out.
    pub(crate) fn remark(&self) -> Option<&'static str> {
        match self.reversal {
            _ if self.state != OperationState::Done => None,
            Some(reversal) => Some(reversal.remark()),
            None if self.by_hand => {
                Some("only out of the books: give the money back in the provider's portal")
            }
            None => None,
        }
    }
}

impl InvalidOperation {
    pub(crate) fn new(field: &'static str, problem: impl Into<Cow<'static, str>>) -> Self {
        Self { field, problem: problem.into() }
    }
}

/// Whether a second operator must decide on an operation: its amount is too large, or its operator
/// would exceed the day's total with it. `alone` is that total so far, of approvals or of all other
/// operations; without it, many small operations would avoid the limit.
pub(crate) fn needs_second_operator(kind: OperationKind, amount: Money, alone: Money) -> bool {
    let limit = if kind == OperationKind::Approve { APPROVED_ALONE_A_DAY } else { ALONE_A_DAY };
    amount > SECOND_OPERATOR_OVER || alone.checked_add(amount).is_none_or(|day| day > limit)
}

/// Checks the length of a reason or resolution.
pub(crate) fn check_reason(field: &'static str, text: &str) -> Result<(), InvalidOperation> {
    if REASON.contains(&text.trim().chars().count()) {
        Ok(())
    } else {
        Err(InvalidOperation::new(field, "has not 10 to 500 characters"))
    }
}

impl NewOperation {
    /// Refuses a request that is invalid for every state of a payment.
    pub(crate) fn validate(&self) -> Result<(), InvalidOperation> {
        use OperationKind::{Approve, Confirm, Credit, Fund, Outflow, Refund, Release};
        check_reason("reason", &self.reason)?;
        let most = if self.kind == Fund { FUNDING_MAX } else { AMOUNT_MAX };
        if self.amount.is_some_and(|amount| amount <= Money::ZERO || amount > most) {
            let problem = format!("is not above zero and at most {most}");
            return Err(InvalidOperation::new("amount", problem));
        }
        match (self.kind, self.payment) {
            (Fund, Some(_)) => {
                return Err(InvalidOperation::new("payment_id", "is not of FUND"));
            }
            (Credit, None) if self.player.is_none() => {
                return Err(InvalidOperation::new("player_id", "is missing"));
            }
            (Credit | Fund, _) | (_, Some(_)) => {}
            (_, None) => return Err(InvalidOperation::new("payment_id", "is missing")),
        }
        if self.payment.is_none() && self.amount.is_none() {
            return Err(InvalidOperation::new("amount", "is missing"));
        }
        match (self.kind, &self.receipt) {
            (Confirm | Fund | Outflow, None) => {
                return Err(InvalidOperation::new("receipt", "is missing"));
            }
            (Confirm | Fund | Outflow | Release, Some(text))
                if !(1..=RECEIPT_MAX).contains(&text.len())
                    || !text.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
            {
                return Err(InvalidOperation::new("receipt", "is not 1 to 64 letters and digits"));
            }
            (Confirm | Fund | Outflow | Release, Some(_)) | (_, None) => {}
            (_, Some(_)) => {
                let problem = "is of CONFIRM, FUND, OUTFLOW and RELEASE alone";
                return Err(InvalidOperation::new("receipt", problem));
            }
        }
        if self.player.is_some() && self.kind != Credit {
            return Err(InvalidOperation::new("player_id", "is of CREDIT alone"));
        }
        match (self.kind, self.amount) {
            (Release | Confirm | Approve, Some(_)) => {
                Err(InvalidOperation::new("amount", "is of CREDIT, FUND, OUTFLOW and REFUND alone"))
            }
            (Credit | Fund | Outflow | Refund, _) | (_, None) => Ok(()),
        }
    }
}
