//! Probes for the orchestrator and metrics for Prometheus, on a port of their own: `/healthz` while
//! the process runs, `/readyz` while it can do its work, `/metrics`, and both probes as gRPC
//! health.

mod health;
mod readiness;
mod server;
#[cfg(test)]
mod tests;

pub use self::readiness::{Probes, Readiness};
