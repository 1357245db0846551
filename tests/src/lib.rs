//! Support for journeys over the running mesh: players who call the gateway, the
//! sandbox's control API, the ledger's proof, a trace collector, and processes of
//! the mesh that a test can kill and restart.
//!
//! The journeys do not start the mesh. `cargo xtask test` starts it, and passes its
//! addresses and folders in environment variables.
#![expect(clippy::expect_used, reason = "a failed step fails the test")]
#![expect(clippy::missing_panics_doc, reason = "test support: every failure panics")]

mod browser;
mod collector;
mod inbox;
mod live;
mod operator;
mod player;
mod process;
mod reply;
mod running_mesh;
mod sandbox;
mod service_clients;
mod wait;
mod waterfall;

pub use browser::{Account, Browser, Consent, location, outcome};
pub use collector::{Collector, Link, Span, collector};
pub use inbox::{Mail, Sms};
pub use live::{LiveStream, StreamItem};
pub use operator::Operator;
pub use player::{PASSWORD, Player};
pub use process::{AnotherProcess, KilledProcess, Process};
pub use reply::{RawReply, Reply};
pub use running_mesh::Mesh;
pub use sandbox::{Received, Sandbox, StkPush};
pub use service_clients::ServiceClients;
pub use wait::{DEFAULT_TIMEOUT, eventually, within};
pub use waterfall::waterfall;

/// Reads a variable that `cargo xtask test` sets.
fn env(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set: run the journeys with `cargo xtask test`"))
}
