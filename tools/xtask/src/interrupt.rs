//! Ctrl-C, SIGTERM and SIGHUP, and waiting that they interrupt.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

/// The number of signals received.
static SIGNALS: Mutex<u32> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

/// Counts the signals from now on, instead of letting them end this program. A child in the
/// terminal's foreground (cargo, npm) receives them as well.
pub(crate) fn catch() -> Result<()> {
    ctrlc::set_handler(|| {
        *SIGNALS.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        CHANGED.notify_all();
    })
    .context("cannot catch signals")
}

/// The number of signals received so far; the second one skips waiting.
pub(crate) fn count() -> u32 {
    *SIGNALS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fails after a signal, so that `?` ends a long job.
pub(crate) fn check() -> Result<()> {
    if count() > 0 {
        bail!("interrupted");
    }
    Ok(())
}

/// Waits, at most until the next signal.
pub(crate) fn pause(time: Duration) {
    let signals = SIGNALS.lock().unwrap_or_else(PoisonError::into_inner);
    let before = *signals;
    // The outcome is not needed: the caller checks its own condition again.
    drop(CHANGED.wait_timeout_while(signals, time, |now| *now == before));
}
