//! Calls between processes of the mesh, over real connections.

#![expect(clippy::disallowed_methods, reason = "the test's runtime ends its tasks")]
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod callers;
mod certificates;
mod harness;
mod operators;
mod replicas;
mod resilience;
