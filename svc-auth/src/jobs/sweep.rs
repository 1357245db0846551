//! Forgets rows that have nothing left to say. Nobody waits for it and nothing
//! depends on it but the size of the tables: every reader asks the clock itself.

use std::{sync::Arc, time::Duration};

use mesh::Shutdown;
use tracing::{instrument, warn};

use crate::{app::Context, store};

/// The pause between two rounds.
const INTERVAL: Duration = Duration::from_mins(1);
/// Rows of a table in one statement: short locks, and replicas share the work.
const BATCH: i64 = 1_000;

/// Sweeps until the stop.
pub(super) async fn run(cx: Arc<Context>, shutdown: Shutdown) {
    while !shutdown.is_stopping() {
        if let Err(error) = sweep(&cx).await {
            warn!(error = format!("{error:#}"), "could not sweep; later, then");
        }
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = shutdown.stopping() => {}
        }
    }
}

#[instrument(name = "auth.sweep", skip_all)]
async fn sweep(cx: &Context) -> sqlx::Result<()> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    store::captcha::sweep(&mut conn, now, BATCH).await?;
    store::guard::sweep(&mut conn, now, BATCH).await?;
    store::session::sweep(&mut conn, now, BATCH).await?;
    Ok(())
}
