//! The sandbox over HTTP and SMTP.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test says where it cannot go on")]

mod accounts;
mod airtime;
mod bank;
mod browser;
mod callbacks;
mod cards;
mod control;
mod facebook;
mod faults;
mod forward;
mod google;
mod handsets;
mod mail;
mod operator;
mod outcomes;
mod payouts;
mod push;
mod restart;
mod server;
mod sms;
mod stk_push;
mod support;
mod token;
