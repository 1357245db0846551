//! Removes the changes that no board in memory needs.

use mesh::{instrument, jobs::Round};
use time::Duration;

use super::Cx;
use crate::{error::Error, store};

/// How long changes are kept: longer than a board stays in memory without a reader. An older board
/// is read anew.
const KEPT: Duration = Duration::minutes(15);
/// Changes of one transaction.
const BATCH: i64 = 5_000;

/// Advances the sweep mark, and then removes the changes below it. Boards check the mark, so it
/// does not matter when the rows are removed; rows that a crash leaves are removed after the next
/// advance.
#[instrument(name = "tournament.sweep_changes", skip_all)]
pub(crate) async fn sweep_changes(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    if store::standing::move_sweep(&mut conn, now - KEPT, now).await? {
        while store::standing::sweep(&mut conn, BATCH).await? == BATCH.unsigned_abs() {}
    }
    Ok(Round::Done)
}
