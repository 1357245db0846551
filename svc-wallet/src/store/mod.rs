//! SQL, a table family a file. Functions take a connection and leave the
//! transaction to whoever began it.

pub mod inbox;
pub mod ledger;
pub mod method;
pub mod payment;
pub mod stk;
pub mod wallet;

/// A text that a CHECK constraint should have kept out.
fn unknown(what: &str, text: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("unknown {what}: {text}").into())
}
