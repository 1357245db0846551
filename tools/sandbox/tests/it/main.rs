//! The sandbox over HTTP and SMTP.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test says where it cannot go on")]

mod callbacks;
mod cards;
mod payouts;
mod restart;
mod stk_push;
mod support;
mod token;
