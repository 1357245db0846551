//! svc-chat over gRPC, each test with a database of its own.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod harness;
mod rooms;
mod schema;
