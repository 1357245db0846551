//! Journeys over the running mesh, through its front door. They run in parallel,
//! in no order, each with players and phones of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod bad_input;
mod late_news;
mod live;
mod newcomer;
mod operations;
mod outcomes;
mod repeats;
mod security;
mod session;
mod trace;
