//! The nouns and rules of money: no clock, no store, no wire.

mod evidence;
mod ledger;
mod limits;
mod method;
mod patience;
mod payment;
mod schedule;

pub use evidence::{Evidence, MpesaResult, Refusal};
pub use ledger::{Entry, HouseAccount, JournalKind, Line, Side};
pub use limits::{Limits, OutOfLimits};
pub use method::{Listed, Method, MethodId, Offer};
pub use patience::Patience;
pub use payment::{Failure, Kind, Payment, PaymentId, State, Verdict};
pub use schedule::{asked_again, next_question};
