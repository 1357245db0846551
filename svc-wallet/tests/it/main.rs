//! svc-wallet as its neighbours see it: over gRPC, on a real Postgres and Redis,
//! with the sandbox as the outside world.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should stop"
)]

mod bad_input;
mod boost;
mod bounds;
mod doubt;
mod ended_session;
mod ledger;
mod lost_news;
mod neighbours;
mod secret;
mod token;
mod top_up;
mod trace;
mod watch;
mod world;
