//! svc-chat over gRPC, each test with a database of its own.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a failed step fails the test")]

mod cancellation;
mod content;
mod harness;
mod lame_duck;
mod members;
mod messages;
mod notifications;
mod notify;
mod presence;
mod room_stream;
mod rooms;
mod schema;
mod sending;
mod talk;
mod watch;
