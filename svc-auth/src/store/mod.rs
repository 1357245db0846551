//! Statements, a table family a file. Transactions are the use cases'.

pub(crate) mod captcha;
pub(crate) mod codes;
pub(crate) mod guard;
pub(crate) mod identity;
pub(crate) mod player;
pub(crate) mod session;
