//! Outbox deliveries and background work.

use std::time::Duration;

use mesh::{Shutdown, jobs::Jobs, outbox::Relay};

use crate::app::{self, Cx, SCORE_TOPIC, ScoreRow};

/// Pause between two sweeps.
const SWEEP_PAUSE: Duration = Duration::from_hours(1);

/// Pause between two checks for accounts that svc-auth erased.
const ERASURE_PAUSE: Duration = Duration::from_mins(5);

/// Pause between two counts of held runs.
const MEASURE_PAUSE: Duration = Duration::from_mins(1);

/// Starts the relay and the jobs, until the stop. `cx` uses the pool for jobs.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    Relay::new(cx.db.clone(), cx.outbox.clone(), cx.clone())
        .on(SCORE_TOPIC, |cx, row: ScoreRow| async move { app::deliver_score(&cx, &row).await })
        .start(shutdown);
    Jobs::new(cx.clone(), shutdown)
        .every(SWEEP_PAUSE, "sweep", |cx| async move { app::sweep(&cx).await })
        .every(ERASURE_PAUSE, "erase_players", |cx| async move { app::erase_players(&cx).await })
        .every(MEASURE_PAUSE, "measure_held_runs", |cx| async move {
            app::measure_held_runs(&cx).await
        });
}
