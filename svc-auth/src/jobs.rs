//! What goes on without being asked.

use std::time::Duration;

use mesh::Shutdown;
use tracing::warn;

use crate::app::{self, Cx};

/// The pause between two rounds of sweeping.
const SWEEP_INTERVAL: Duration = Duration::from_mins(1);

/// Starts it all; it ends with the process.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    shutdown.spawn("sweep", sweep_until_stop(cx.clone(), shutdown.clone()));
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
