//! The operators' use cases: operations on money, cases and the daily match.
//!
//! ```text
//! request, decide ─► carry_out ─► settle, the ledger
//! cases                            payments that wait for an operator, and their logs
//! payout_pause                     whether payouts are paused
//! daily_match, compare_balance,
//! measure                          jobs
//! ```

mod breaks;
mod carry_out;
mod cases;
pub(crate) mod compare_balance;
mod daily_match;
mod decide;
mod measure;
mod payout_pause;
mod request;
mod returned;

pub(crate) use breaks::{list_breaks, resolve_break};
pub(crate) use cases::{CasePage, inspect_payment, list_open_cases, list_operations};
pub(crate) use compare_balance::compare_balance;
pub(crate) use daily_match::daily_match;
pub(crate) use decide::{Decision, decide_operation};
pub(crate) use measure::measure;
pub(crate) use payout_pause::{get_payout_pause, pause_payouts, resume_payouts};
pub(crate) use request::request_operation;
pub(crate) use returned::{RETURNED_TOPIC, Returned, notify_returned};
