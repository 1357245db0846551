//! Money that moves inside PlayOn, what it bought, and reading and proving the ledger.

pub(super) mod boost;
pub(super) mod move_former_money;
pub(super) mod notify_ending;
pub(super) mod pay_award;
pub(super) mod post;
pub(super) mod promotions;
pub(super) mod prove;
pub(super) mod read;
pub(super) mod statement;
pub(super) mod subscriptions;
pub(super) mod tax;
