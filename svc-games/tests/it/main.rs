//! svc-games over gRPC, each test with a database of its own.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod board;
mod content;
mod erasure;
mod forgery;
mod games;
mod harness;
mod held_runs;
mod live_runs;
mod play;
mod player_data;
mod schema;
mod screening;
mod signed;
mod sweep;
mod tournament_delivery;
mod tournament_sessions;
mod watch;
