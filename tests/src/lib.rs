//! What journeys over the running mesh stand on: the front door and its
//! players, the outside world's control, the ledger's proof, the traces that the
//! mesh sends, and the means to break one of its processes.
//!
//! The mesh is not started here: `cargo xtask test` does that, and says in the
//! environment where everything is.
#![expect(clippy::expect_used, reason = "a test that cannot go on should say so")]
#![expect(clippy::missing_panics_doc, reason = "all of it panics; it is for tests")]

mod browser;
mod collector;
mod doors;
mod inbox;
mod live;
mod player;
mod process;
mod reply;
mod running;
mod sandbox;
mod wait;

pub use browser::{Account, Browser, Consent, location, outcome};
pub use collector::{Collector, Link, Span, collector};
pub use doors::Doors;
pub use inbox::{Mail, Sms};
pub use live::{Live, News};
pub use player::Player;
pub use process::{Killed, Process};
pub use reply::{Answer, Reply};
pub use running::Mesh;
pub use sandbox::{Received, Sandbox, StkPush};
pub use wait::{SOON, eventually, within};

/// What `cargo xtask test` says about the mesh it runs.
fn env(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set: journeys are run by `cargo xtask test`"))
}
