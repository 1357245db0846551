//! Outbox deliveries and background work.

use std::time::Duration;

use mesh::{
    Shutdown, jobs,
    outbox::{Event, Relay},
};

use crate::app::{self, Cx, SCORE_TOPIC, ScoreRow};

/// Pause between two sweeps.
const SWEEP_PAUSE: Duration = Duration::from_hours(1);

/// Pause between two checks for accounts that svc-auth erased.
const ERASURE_PAUSE: Duration = Duration::from_mins(5);

/// Starts the relay and the jobs, until the stop. `cx` uses the pool for jobs.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    let own = cx.clone();
    Relay::new(cx.db.clone(), cx.outbox.clone())
        .on(SCORE_TOPIC, move |event| deliver_score(own.clone(), event))
        .start(shutdown);
    let own = cx.clone();
    jobs::start("sweep", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep(&cx).await }
    });
    let own = cx.clone();
    jobs::start("erase_players", ERASURE_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::erase_players(&cx).await }
    });
}

async fn deliver_score(cx: Cx, event: Event) -> anyhow::Result<()> {
    let row: ScoreRow = event.payload()?;
    Ok(app::deliver_score(&cx, &row).await?)
}
