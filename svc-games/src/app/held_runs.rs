//! Reads the runs that operators decide on.

use mesh::instrument;

use crate::{
    app::Cx,
    domain::{HeldRun, PlaySessionId, Run},
    error::{Error, Refused},
    store,
};

/// Returns runs without a decision, the oldest session first, beginning after the session `after`.
#[instrument(name = "games.list_held_runs", skip_all)]
pub(crate) async fn list_held_runs(
    cx: &Cx,
    after: Option<PlaySessionId>,
    limit: u32,
) -> Result<Vec<HeldRun>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::held_run::undecided(&mut conn, after, i64::from(limit)).await?)
}

/// Returns a held run, and the run that the game's page plays; `None` for the latter if the game
/// was removed.
#[instrument(name = "games.get_held_run", skip_all, fields(session.id = %session))]
pub(crate) async fn get_held_run(
    cx: &Cx,
    session: PlaySessionId,
) -> Result<(HeldRun, Option<Run>), Error> {
    let mut conn = cx.db.acquire().await?;
    let held = store::held_run::find(&mut conn, session).await?.ok_or(Refused::RunNotFound)?;
    let watch = store::held_run::watch(&mut conn, session).await?;
    Ok((held, watch))
}
