//! The runtime of every service: start and drain, telemetry, authentication, deadlines,
//! errors, database, idempotent writes, outbox, jobs and publish/subscribe.
//!
//! A service's `main` is one call:
//!
//! ```text
//! fn main() -> std::process::ExitCode {
//!     mesh::run("svc-wallet", svc_wallet::build)
//! }
//! ```
//!
//! and its `build` turns arguments into an [`App`]. Tests call the same `build`
//! and [`start`] it on port 0. No business rule lives here.

// The attributes of crates/mesh-macros name this crate from outside.
extern crate self as mesh;

pub mod aged;
mod app;
pub mod args;
pub mod auth;
mod backoff;
pub mod batch;
pub mod cache;
pub mod call;
pub mod content;
pub mod db;
pub mod edges;
mod error;
pub mod fault;
pub mod grpc;
mod grpc_server;
pub mod http;
pub mod http_server;
pub mod idempotency;
pub mod jobs;
pub mod language;
mod migrated;
pub mod outbox;
pub mod permits;
mod probes;
pub mod pubsub;
mod shutdown;
pub mod telemetry;
pub mod texts;
pub mod tls;

pub use aged::Aged;
pub use app::{App, Base, Running, listen, run, start};
pub use args::Args;
pub use error::{Error, Refusal};
pub use fault::Fault;
pub use language::{Language, language_of};
pub use mesh_macros::instrument;
pub use probes::{Probes, Readiness};
pub use shutdown::Shutdown;
