//! Test support for services: the service itself on port 0, a database of its own,
//! players with real tokens, a clock that the test sets, stub upstreams, and the spans
//! that were recorded.
//!
//! Tests need a Postgres in `TEST_DATABASE_URL` (and some a Redis in
//! `TEST_REDIS_URL`); `cargo xtask test` brings both.
#![expect(clippy::expect_used, reason = "a failed step fails the test")]
#![expect(clippy::missing_panics_doc, reason = "all of it panics; it is for tests")]

mod certificates;
mod database;
mod hostile;
mod notifications;
mod player_data;
mod spans;
mod tokens;
mod upstream;

use std::{future::Future, num::NonZeroUsize, path::PathBuf, time::Duration};

use mesh::{App, Args, Base, Running, Shutdown};
use time::{OffsetDateTime, macros::datetime};
use types::{Clock, Rng};

pub use certificates::{Authority, certificates};
pub use database::{Database, database, database_args, empty_database};
pub use hostile::{HostileFile, hostile_files};
pub use notifications::Notifications;
pub use player_data::{Sections, player_data};
pub use spans::{Spans, spans};
pub use tokens::Tokens;
pub use upstream::{in_swahili, operator, serve, upstream};

/// The time at which every test's clock starts.
pub const BEGINNING: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

/// The base of a test's services: a clock, randomness and a stop of their own.
pub fn base(name: &'static str) -> Base {
    Base {
        name,
        clock: Clock::settable(BEGINNING),
        rng: Rng::system(),
        shutdown: Shutdown::new(),
        certificates: certificates(name),
    }
}

/// The shared arguments, on free ports.
pub fn args() -> Args {
    Args {
        listen: ([127, 0, 0, 1], 0).into(),
        metrics_listen: ([127, 0, 0, 1], 0).into(),
        drain: Duration::from_secs(30),
        // A test's certificates are in its base.
        tls_dir: PathBuf::new(),
        worker_threads: NonZeroUsize::MIN,
        max_calls: 128,
        reflection: false,
        lame_duck: Duration::ZERO,
        otlp_endpoint: None,
        trace_ratio: 1.0,
    }
}

/// Serves a built service on a free port.
pub async fn start(base: &Base, app: App) -> Running {
    mesh::start(base, &args(), app).await.expect("the service starts")
}

/// The Redis that tests share; channels and keys have ids in them.
pub fn redis_url() -> mesh::args::SecretUrl {
    env("TEST_REDIS_URL").parse().expect("a Redis URL")
}

/// Polls until `probe` returns something: for what happens in the background. It is the
/// only waiting in tests, and its limit is only reached by broken code.
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
        assert!(tokio::time::Instant::now() < limit, "timed out waiting: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn env(name: &str) -> String {
    std::env::var(name)
        .unwrap_or_else(|_| panic!("{name} is not set: run the tests by `cargo xtask test`"))
}
