//! What every service of the mesh stands on: how it starts and drains, how it
//! is seen, whom it believes, how long it may take, how it says no, and how it
//! does a thing exactly once.
//!
//! A service's `main` is a title page:
//!
//! ```text
//! fn main() -> std::process::ExitCode {
//!     mesh::run("svc-wallet", svc_wallet::build)
//! }
//! ```
//!
//! and its `build` turns arguments into an [`App`]. Tests call the same `build`
//! and [`start`] it on port 0. No business rule lives here.

mod app;
pub mod args;
pub mod auth;
pub mod cache;
pub mod call;
pub mod db;
pub mod fault;
pub mod grpc;
pub mod http;
mod http_server;
pub mod idempotency;
pub mod live;
pub mod outbox;
mod shutdown;
pub mod telemetry;

pub use app::{App, Base, Readiness, Running, run, start};
pub use args::Args;
pub use fault::Fault;
pub use http_server::{Crowd, Subscriber};
pub use shutdown::Shutdown;
