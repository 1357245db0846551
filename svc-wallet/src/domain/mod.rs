//! The types and rules of money, without a clock, a database or a network.

mod airtime;
mod award;
mod balance;
mod callback;
mod card;
mod card_refund;
mod case;
mod content;
mod ended;
mod evidence;
mod failure;
mod fees;
mod kind;
mod ledger;
mod limits;
mod method;
mod mpesa_reversal;
mod operation;
mod operation_plan;
mod payment;
mod payout;
mod payout_pause;
mod promotion;
mod prompt_limit;
mod provider_text;
mod query_schedule;
mod recon;
mod review;
#[cfg(test)]
mod simulation;
mod spending;
mod state;
mod statement;
pub(crate) mod stored_detail;
mod subscription;
mod tax;
mod transfer_batch;

pub(crate) use airtime::{CONSENT_VERSION, ChargeResult, UNRESOLVED_AFTER, is_safaricom};
pub(crate) use award::{Award, AwardId, InvalidAward, PaidAward};
pub(crate) use balance::{ANSWERED_IN, Balances, TRIES};
pub(crate) use callback::CallbackKind;
pub(crate) use card::{CardFinding, CardReference, CardStatus, CardTransaction, next_verify};
pub(crate) use card_refund::{CardRefund, CardRefundId, CardRefundState};
pub(crate) use case::{CaseKind, OpenCase};
pub(crate) use content::{ContentKind, MethodManifest, Package, PackageId, PackageManifest};
pub(crate) use ended::Ended;
pub(crate) use evidence::{Evidence, MpesaResult, ProviderRefusal};
pub(crate) use failure::Failure;
pub(crate) use fees::{Charge, FeeTable, InvalidFees};
pub(crate) use kind::PaymentKind;
pub(crate) use ledger::{
    Counterparty, Entry, Held, HistoryLine, HoldEnd, HouseAccount, JournalId, JournalKind, Posted,
    Side, TransactionId,
};
pub(crate) use limits::{Limits, OutOfLimits};
pub(crate) use method::{Availability, ListedMethod, Method, MethodId};
pub(crate) use mpesa_reversal::{
    MpesaReversal, MpesaReversalId, ReversalCase, ReversalDecision, ReversalEvent, ReversalResult,
    ReversalSource, ReversalState,
};
pub(crate) use operation::{
    Dispute, Facts, InvalidOperation, LateReversal, NewOperation, NewReversal, Operation,
    OperationId, OperationKind, OperationState, Plan, Received, SecondReceipt, Step,
    UnknownReversal, check_reason, needs_second_operator,
};
pub(crate) use payment::{Decision, Payment, PaymentId};
pub(crate) use payout::{PayoutCase, PayoutDecision, PayoutResult};
pub(crate) use payout_pause::{BegunPause, PayoutPause, Resume};
pub(crate) use promotion::{
    InvalidReservation, OpenReservation, Promotions, PromotionsSpent, Reservation, ReservationId,
};
pub(crate) use prompt_limit::{Prompt, PromptRateLimit};
pub(crate) use query_schedule::{next_payout_query, next_query, retry_at};
pub(crate) use recon::{
    Break, BreakId, BreakKind, Day, Difference, ProviderLine, StatementOf, compare,
};
pub(crate) use review::{DAY, Review, ReviewFacts, ReviewReason, ReviewRules, WEEK};
pub(crate) use spending::{
    AboveSpendingLimit, ByPeriod, LEAST_LIMIT, LimitChange, MOST_LIMIT, Period, SpendingKind,
    SpendingLimit, Spent, check_spending_limits,
};
pub(crate) use state::{State, StateName};
pub(crate) use statement::{Days, InvalidDays, Statement, StatementLine};
pub(crate) use subscription::{Subscription, SubscriptionId, Term};
pub(crate) use tax::{Tax, TaxRate, TaxSum, TaxTable};
pub(crate) use transfer_batch::TransferBatch;
