//! Background work.

use std::time::Duration;

use mesh::{Shutdown, jobs};

use crate::app::{self, Cx};

/// Pause between two sweeps.
const SWEEP_PAUSE: Duration = Duration::from_hours(1);

/// Pause between two comparisons of counts with memberships.
const CHECK_PAUSE: Duration = Duration::from_hours(1);

/// Starts the jobs, until the stop. `cx` uses the pool for jobs.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    let own = cx.clone();
    jobs::start("sweep", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep(&cx).await }
    });
    let own = cx.clone();
    jobs::start("sweep_messages", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep_messages(&cx).await }
    });
    let own = cx.clone();
    jobs::start("check_counts", CHECK_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::check_counts(&cx).await }
    });
}
