//! Measures how many awards wait too long for operators or the screening.

use mesh::{instrument, jobs::Round};
use metrics::gauge;
use time::Duration;

use crate::{app::Cx, error::Error, store};

/// How long after an award was due it counts as overdue.
const REVIEWED_WITHIN: Duration = Duration::DAY;

/// Sets `awards_overdue`. Each replica has the same figure, so an alarm takes the highest.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
#[instrument(name = "tournament.measure_awards", skip_all)]
pub(crate) async fn measure_awards(cx: &Cx) -> Result<Round, Error> {
    let due_before = cx.clock.now() - REVIEWED_WITHIN;
    let mut conn = cx.db.acquire().await?;
    let overdue = store::given_award::count_overdue(&mut conn, due_before).await?;
    gauge!("awards_overdue").set(overdue as f64);
    Ok(Round::Done)
}
