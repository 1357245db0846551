//! Ctrl-C, SIGTERM and SIGHUP, and the only way this program waits.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

/// How often the person asked us to stop.
static ASKED: Mutex<u32> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

/// From here on the signals are counted instead of ending the process. What
/// runs in the terminal's foreground beside us (cargo, npm) gets them as well.
pub(crate) fn catch() -> Result<()> {
    ctrlc::set_handler(|| {
        *ASKED.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        CHANGED.notify_all();
    })
    .context("cannot catch signals")
}

/// How many signals have come so far: the second one means "now".
pub(crate) fn count() -> u32 {
    *ASKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fails once the person asked us to stop, so that `?` ends a long job.
pub(crate) fn check() -> Result<()> {
    if count() > 0 {
        bail!("interrupted");
    }
    Ok(())
}

/// Waits, but no longer than until the next signal.
pub(crate) fn pause(time: Duration) {
    let asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    let before = *asked;
    // The outcome is not needed: whoever paused looks at the world again.
    drop(CHANGED.wait_timeout_while(asked, time, |now| *now == before));
}
