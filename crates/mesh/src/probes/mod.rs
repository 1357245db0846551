//! What an orchestrator and Prometheus ask a process, on a port of their own: `/healthz`
//! while it runs, `/readyz` while it can do its work, `/metrics`, and both probes as gRPC
//! health.

mod health;
mod readiness;
mod server;
#[cfg(test)]
mod tests;

pub use self::readiness::{Probes, Readiness};
