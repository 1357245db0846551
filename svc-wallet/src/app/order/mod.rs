//! Starting payments by any method (top-ups, boosts and subscriptions), and reading them.

pub(super) mod pay;
pub(super) mod read;
pub(super) mod subscribe;
pub(super) mod top_up;
