//! What goes on without being asked.

use std::time::Duration;

use mesh::Shutdown;
use tracing::{instrument, warn};

use crate::{app::Cx, store};

/// The pause between two rounds of sweeping.
const SWEEP_INTERVAL: Duration = Duration::from_mins(1);
/// Rows of a table in one statement: short locks, and replicas share the work.
const SWEEP_BATCH: i64 = 1_000;

/// Starts it all; it ends with the process.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    shutdown.spawn("sweep", sweep_until_stop(cx.clone(), shutdown.clone()));
}

/// Forgets rows that have nothing left to say. Nothing depends on it but the
/// size of the tables: every reader asks the clock itself.
async fn sweep_until_stop(cx: Cx, shutdown: Shutdown) {
    while !shutdown.is_stopping() {
        if let Err(error) = sweep(&cx).await {
            warn!(%error, "could not sweep; later, then");
        }
        tokio::select! {
            () = tokio::time::sleep(SWEEP_INTERVAL) => {}
            () = shutdown.stopping() => {}
        }
    }
}

#[instrument(name = "auth.sweep", skip_all)]
async fn sweep(cx: &Cx) -> sqlx::Result<()> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    store::captcha::sweep(&mut conn, now, SWEEP_BATCH).await?;
    store::guard::sweep(&mut conn, now, SWEEP_BATCH).await?;
    store::session::sweep(&mut conn, now, SWEEP_BATCH).await?;
    Ok(())
}
