//! svc-chat over gRPC, each test with a database of its own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so")]

mod harness;
mod rooms;
mod schema;
