//! What goes on without being asked.

use std::time::Duration;

use mesh::Shutdown;
use tracing::warn;

use crate::app::{self, Cx};

/// The pause between two rounds of sweeping.
const SWEEP_INTERVAL: Duration = Duration::from_mins(1);

/// The pause between two looks at which sessions have ended. A sign-out is to reach
/// every judge of tokens within a second.
const ENDED_INTERVAL: Duration = Duration::from_millis(250);

/// Starts it all; it ends with the process.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    shutdown.spawn("sweep", sweep_until_stop(cx.clone(), shutdown.clone()));
    shutdown.spawn("ended sessions", watch_ended_sessions(cx.clone(), shutdown.clone()));
}

/// Reads what has ended, again and again. A query that finds nothing costs less than
/// a word that somebody must send, somebody must hear, and either may miss.
async fn watch_ended_sessions(cx: Cx, shutdown: Shutdown) {
    let mut read_to = None;
    while !shutdown.is_stopping() {
        match app::read_ended_sessions(&cx, read_to).await {
            Ok(at) => read_to = Some(at),
            Err(error) => warn!(%error, "which sessions have ended was not read"),
        }
        tokio::select! {
            () = tokio::time::sleep(ENDED_INTERVAL) => {}
            () = shutdown.stopping() => {}
        }
    }
}

/// Sweeps until nothing is left, then pauses.
async fn sweep_until_stop(cx: Cx, shutdown: Shutdown) {
    while !shutdown.is_stopping() {
        match app::sweep(&cx).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => warn!(%error, "could not sweep; later, then"),
        }
        tokio::select! {
            () = tokio::time::sleep(SWEEP_INTERVAL) => {}
            () = shutdown.stopping() => {}
        }
    }
}
