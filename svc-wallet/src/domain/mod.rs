//! The nouns and rules of money: no clock, no store, no wire.

mod award;
mod content;
mod evidence;
mod failure;
mod kind;
mod ledger;
mod limits;
mod method;
mod payment;
mod prompt_limit;
mod query_schedule;

pub(crate) use award::{Award, AwardId, InvalidAward, PaidAward};
pub(crate) use content::{ContentKind, MethodManifest, Package, PackageManifest};
pub(crate) use evidence::{Evidence, MpesaResult, ProviderRefusal};
pub(crate) use failure::Failure;
pub(crate) use kind::Kind;
pub(crate) use ledger::{Entry, HistoryLine, HouseAccount, JournalKind, Side};
pub(crate) use limits::{Limits, OutOfLimits};
pub(crate) use method::{Availability, ListedMethod, Method, MethodId};
pub(crate) use payment::{Decision, Payment, PaymentId, State, StateName};
pub(crate) use prompt_limit::{Prompt, PromptRateLimit};
pub(crate) use query_schedule::{next_query, retry_at};
