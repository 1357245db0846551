//! The sandbox over real HTTP, as services and people meet it.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test says where it cannot go on")]

mod accounts;
mod bank;
mod browser;
mod callbacks;
mod control;
mod facebook;
mod faults;
mod google;
mod handsets;
mod mail;
mod outcomes;
mod restart;
mod server;
mod sms;
mod stk_push;
mod support;
mod token;
