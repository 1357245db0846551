//! What a service's tests stand on: the service itself on port 0, a database of
//! its own, players with real tokens, a clock that the test moves, neighbours
//! that the test writes, and the spans that were made.
//!
//! Tests need a Postgres in `TEST_DATABASE_URL` (and some a Redis in
//! `TEST_REDIS_URL`); `cargo xtask test` brings both.
#![expect(clippy::expect_used, reason = "a test that cannot go on should say so")]
#![expect(clippy::missing_panics_doc, reason = "all of it panics; it is for tests")]

mod database;
mod neighbour;
mod spans;
mod tokens;

use std::{future::Future, time::Duration};

use mesh::{App, Args, Base, Running, Shutdown};
use time::{OffsetDateTime, macros::datetime};
use types::{Chance, Clock};

pub use database::database;
pub use neighbour::serve;
pub use spans::{Spans, spans};
pub use tokens::Tokens;

/// When every test begins, unless it says otherwise.
pub const BEGINNING: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

/// What a test's services are built with: its own clock, chance and stop.
pub fn base(name: &'static str) -> Base {
    Base {
        name,
        clock: Clock::settable(BEGINNING),
        chance: Chance::system(),
        shutdown: Shutdown::new(),
    }
}

/// The shared arguments, on free ports.
pub fn args() -> Args {
    Args {
        listen: ([127, 0, 0, 1], 0).into(),
        metrics_listen: ([127, 0, 0, 1], 0).into(),
        drain: Duration::from_secs(30),
        otlp_endpoint: None,
    }
}

/// Puts a built service on a free port.
pub async fn start(base: &Base, app: App) -> Running {
    mesh::start(base.name, &args(), app, base.shutdown.clone()).await.expect("the service starts")
}

/// The Redis that tests share; each uses channels of its own ids.
pub fn redis_url() -> mesh::args::SecretUrl {
    env("TEST_REDIS_URL").parse().expect("a Redis URL")
}

/// Tries until `probe` gives something: for what happens by itself, soon. It is
/// the only waiting tests do, and its limit is for broken code, not for luck.
pub async fn eventually<T, F, Fut>(what: &str, mut probe: F) -> T
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Option<T>>,
{
    let limit = tokio::time::Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(found) = probe().await {
            return found;
        }
        assert!(tokio::time::Instant::now() < limit, "it never happened: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn env(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set: run the tests by `cargo xtask test`"))
}
