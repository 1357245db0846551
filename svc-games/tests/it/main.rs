//! svc-games over gRPC, each test with a database of its own.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod content;
mod forgery;
mod games;
mod harness;
mod play;
mod schema;
