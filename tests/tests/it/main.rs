//! Journeys over the running mesh, through its front door. They run in parallel,
//! in no order, each with players and phones of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod account_deletion;
mod bad_input;
mod joining;
mod late_news;
mod live;
mod newcomer;
mod operations;
mod outcomes;
mod passwords;
mod phone_sign_in;
mod pictures;
mod profile;
mod public_users;
mod reference_lists;
mod referral;
mod repeats;
mod security;
mod session;
mod sign_out;
mod social;
mod trace;
