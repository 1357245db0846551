//! The operators' use cases: operations on money, cases and the daily match.
//!
//! ```text
//! request, decide ─► carry_out ─► settle, the ledger
//! cases                            payments that wait for an operator, and their logs
//! daily_match, measure             jobs
//! ```

mod breaks;
mod carry_out;
mod cases;
mod daily_match;
mod decide;
mod measure;
mod request;
mod returned;

pub(crate) use breaks::{list_breaks, resolve_break};
pub(crate) use cases::{CasePage, inspect_payment, list_open_cases, list_operations};
pub(crate) use daily_match::daily_match;
pub(crate) use decide::{Decision, decide_operation};
pub(crate) use measure::measure;
pub(crate) use request::request_operation;
pub(crate) use returned::{RETURNED_TOPIC, Returned, notify_returned};
