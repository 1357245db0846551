//! Removes the changes that no board in memory needs.

use mesh::{instrument, jobs::Round};
use time::Duration;

use super::Cx;
use crate::{error::Error, store};

/// Longer than a board stays in memory without a reader; one that is older is read anew.
const KEPT: Duration = Duration::minutes(15);
/// Changes of one transaction.
const BATCH: i64 = 5_000;

/// Moves the mark, and then removes what is below it. Boards look at the mark, so it does not
/// matter when the rows go; those that a crash leaves go with the next mark.
#[instrument(name = "tournament.sweep_changes", skip_all)]
pub(crate) async fn sweep_changes(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    if store::standing::move_sweep(&mut conn, now - KEPT, now).await? {
        while store::standing::sweep(&mut conn, BATCH).await? == BATCH.unsigned_abs() {}
    }
    Ok(Round::Done)
}
