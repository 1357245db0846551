//! Deletes rows past their retention.

use mesh::{instrument, jobs::Round};

use crate::{app::Cx, domain::RETENTION, error::Error, store};

/// Rows that one statement deletes at most: short locks, and replicas share the work.
const BATCH: u32 = 1_000;

/// Deletes a batch of sessions that expired long ago.
#[instrument(name = "games.sweep", skip_all)]
pub(crate) async fn sweep(cx: &Cx) -> Result<Round, Error> {
    let before = cx.clock.now() - RETENTION;
    let mut conn = cx.db.acquire().await?;
    let deleted = store::session::sweep(&mut conn, before, i64::from(BATCH)).await?;
    Ok(Round::of_batch(deleted, u64::from(BATCH)))
}
