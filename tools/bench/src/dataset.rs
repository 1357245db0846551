//! The large data set: a million wallets with ten million postings that look as if
//! svc-wallet had written them, and their players in svc-auth.

pub(crate) mod copy;
pub(crate) mod ledger;
pub(crate) mod load;
pub(crate) mod movements;
pub(crate) mod players;
