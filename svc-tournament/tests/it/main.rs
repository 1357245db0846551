//! svc-tournament over gRPC, each test with a database of its own.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed step fails the test")]

mod award_states;
mod boards;
mod content;
mod harness;
mod killed;
mod late_awards;
mod player_data;
mod postgres_proxy;
mod result_proof;
mod rounds;
mod schema;
mod screening;
mod settlement;
mod start_notices;
mod tournaments;
mod upstreams;
mod watch;
