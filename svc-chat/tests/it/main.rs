//! svc-chat over gRPC, each test with a database of its own.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a failed step fails the test")]

mod cancellation;
mod content;
mod harness;
mod lame_duck;
mod notifications;
mod notify;
mod rooms;
mod schema;
mod watch;
