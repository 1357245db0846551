//! Deletes rows past their retention.

use mesh::{instrument, jobs::Round};

use crate::{
    app::Cx,
    domain::{COUNTS_RETENTION, HELD_INPUTS_RETENTION, RETENTION, RUNS_RETENTION},
    error::Error,
    store,
};

/// Most rows that one statement deletes, so that locks are short and replicas share the work.
const BATCH: u32 = 1_000;

/// Deletes one batch of each: sessions that expired long ago, rows of tournaments that ended long
/// ago, and the inputs of held runs that were decided on long ago.
#[instrument(name = "games.sweep", skip_all)]
pub(crate) async fn sweep(cx: &Cx) -> Result<Round, Error> {
    let (now, limit) = (cx.clock.now(), i64::from(BATCH));
    let mut conn = cx.db.acquire().await?;
    let deleted = [
        store::session::sweep(&mut conn, now - RETENTION, limit).await?,
        store::tournament_runs::sweep(&mut conn, now - COUNTS_RETENTION, limit).await?,
        store::tournament_inputs::sweep(&mut conn, now - COUNTS_RETENTION, limit).await?,
        store::tournament_run::sweep(&mut conn, now - RUNS_RETENTION, limit).await?,
        store::held_run::sweep_inputs(&mut conn, now - HELD_INPUTS_RETENTION, limit).await?,
    ];
    let most = deleted.into_iter().max().unwrap_or(0);
    Ok(Round::of_batch(most, u64::from(BATCH)))
}
