//! Calls between processes of the mesh, over real connections.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod callers;
mod certificates;
mod harness;
mod replicas;
mod resilience;
