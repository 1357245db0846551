//! svc-{{name}} over gRPC, each test with a database of its own.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod create;
mod expiry;
mod harness;
mod internal;
mod list;
mod read;
mod replicas;
mod schema;
