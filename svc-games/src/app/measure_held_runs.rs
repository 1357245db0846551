//! Measures how many held runs operators have left too long.

use mesh::{instrument, jobs::Round};
use metrics::gauge;

use crate::{app::Cx, domain::DECIDED_WITHIN, error::Error, store};

/// Sets `held_runs_overdue`. Each replica has the same figure, so an alarm takes the highest.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
#[instrument(name = "games.measure_held_runs", skip_all)]
pub(crate) async fn measure_held_runs(cx: &Cx) -> Result<Round, Error> {
    let submitted_before = cx.clock.now() - DECIDED_WITHIN;
    let mut conn = cx.db.acquire().await?;
    let overdue = store::held_run::count_overdue(&mut conn, submitted_before).await?;
    gauge!("held_runs_overdue").set(overdue as f64);
    Ok(Round::Done)
}
