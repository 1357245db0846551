//! Background work.

use std::time::Duration;

use mesh::{Shutdown, jobs};

use crate::app::{self, Cx};

/// Pause between two sweeps.
const SWEEP_PAUSE: Duration = Duration::from_hours(1);

/// Starts the jobs, until the stop.
pub(crate) fn start(cx: &Cx, shutdown: &Shutdown) {
    let own = cx.clone();
    jobs::start("sweep", SWEEP_PAUSE, shutdown, move || {
        let cx = own.clone();
        async move { app::sweep(&cx).await }
    });
}
