//! Journeys over the running mesh, through the gateway. They run in parallel and in
//! any order, each with its own players and phones.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod access_matrix;
mod account_deletion;
mod account_linking;
mod bad_input;
mod data_copy;
mod fair_play;
mod first_top_up;
mod hostile_text;
mod late_callbacks;
mod live;
mod operations;
mod outcomes;
mod passwords;
mod payouts;
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
mod two_languages;
