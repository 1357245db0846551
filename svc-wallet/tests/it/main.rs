//! svc-wallet over gRPC, on a real Postgres and Redis, with the sandbox as Daraja.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed step fails the test")]

mod awards;
mod bad_input;
mod boost;
mod callback_secret;
mod content;
mod doubtful_callbacks;
mod ledger;
mod limits;
mod missing_callbacks;
mod notifications;
mod replicas;
mod revoked_session;
mod token;
mod top_up;
mod trace;
mod upstreams;
mod watch;
mod world;
