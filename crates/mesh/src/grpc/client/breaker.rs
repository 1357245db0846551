//! Stops calling an upstream that fails most calls.
//!
//! Closed, it counts calls in a window. When half of them failed it opens: calls are
//! refused at once, which spares their callers the wait and the upstream the load. After a
//! pause one call probes the upstream; its success closes the breaker, its failure opens
//! it for twice as long.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use metrics::{counter, gauge};
use tokio::time::Instant;
use tracing::{info, warn};

/// Calls are counted for this long.
const WINDOW: Duration = Duration::from_secs(5);
/// Failed calls within a window before which the breaker does not open.
const FAILURES: u32 = 10;
/// The first pause; it doubles up to [`PAUSE_MAX`].
const PAUSE: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(8);

/// The breaker of one upstream.
pub(super) struct Breaker {
    upstream: &'static str,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Closed {
        since: Instant,
        calls: u32,
        failures: u32,
    },
    Open {
        until: Instant,
        pause: Duration,
    },
    /// A probe is in flight.
    HalfOpen {
        pause: Duration,
    },
}

/// Permission for one call, which reports how the call ended. A permit that is dropped without a
/// report, because the caller has gone, counts neither as a success nor as a failure.
pub(super) struct Permit<'a> {
    breaker: &'a Breaker,
    probe: bool,
    reported: bool,
}

impl Breaker {
    pub(super) fn new(upstream: &'static str) -> Self {
        gauge!("breaker_open", "upstream" => upstream).set(0.0);
        Self { upstream, state: Mutex::new(closed()) }
    }

    /// Returns permission for a call; `None` while the breaker is open.
    pub(super) fn permit(&self) -> Option<Permit<'_>> {
        let mut state = self.lock();
        let probe = match *state {
            State::Closed { .. } => false,
            State::Open { until, pause } if Instant::now() >= until => {
                *state = State::HalfOpen { pause };
                true
            }
            State::Open { .. } | State::HalfOpen { .. } => {
                counter!("breaker_refused_total", "upstream" => self.upstream).increment(1);
                return None;
            }
        };
        Some(Permit { breaker: self, probe, reported: false })
    }

    fn count(&self, failed: bool) {
        let mut state = self.lock();
        let State::Closed { since, calls, failures } = &mut *state else { return };
        if since.elapsed() >= WINDOW {
            (*since, *calls, *failures) = (Instant::now(), 0, 0);
        }
        *calls += 1;
        *failures += u32::from(failed);
        if failed && *failures >= FAILURES && *failures * 2 >= *calls {
            self.open(&mut state, PAUSE);
        }
    }

    fn open(&self, state: &mut State, pause: Duration) {
        if matches!(state, State::Closed { .. }) {
            warn!(upstream = self.upstream, "the breaker opened: most calls fail");
            gauge!("breaker_open", "upstream" => self.upstream).set(1.0);
        }
        *state = State::Open { until: Instant::now() + pause, pause };
    }

    fn end_probe(&self, failed: bool) {
        let mut state = self.lock();
        let State::HalfOpen { pause } = *state else { return };
        if failed {
            self.open(&mut state, (pause * 2).min(PAUSE_MAX));
        } else {
            info!(upstream = self.upstream, "the breaker closed");
            gauge!("breaker_open", "upstream" => self.upstream).set(0.0);
            *state = closed();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed() -> State {
    State::Closed { since: Instant::now(), calls: 0, failures: 0 }
}

impl Permit<'_> {
    /// Reports how the call ended.
    pub(super) fn report(mut self, failed: bool) {
        self.reported = true;
        if self.probe { self.breaker.end_probe(failed) } else { self.breaker.count(failed) }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        // The probe has no result, so the next call probes.
        if self.probe && !self.reported {
            let mut state = self.breaker.lock();
            if let State::HalfOpen { pause } = *state {
                *state = State::Open { until: Instant::now(), pause };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(breaker: &Breaker, failed: bool) -> bool {
        breaker.permit().map(|permit| permit.report(failed)).is_some()
    }

    fn opened() -> Breaker {
        let breaker = Breaker::new("svc-test");
        for _ in 0..FAILURES {
            assert!(call(&breaker, true));
        }
        breaker
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_when_half_of_the_calls_failed() {
        let breaker = Breaker::new("svc-test");
        for _ in 0..FAILURES - 1 {
            assert!(call(&breaker, false) && call(&breaker, true));
        }
        assert!(call(&breaker, false) && call(&breaker, true), "the call that opens it");
        assert!(!call(&breaker, false));
    }

    #[tokio::test(start_paused = true)]
    async fn few_failures_among_many_calls_do_not_open_it() {
        let breaker = Breaker::new("svc-test");
        for _ in 0..100 {
            assert!(call(&breaker, false) && call(&breaker, false) && call(&breaker, true));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_call_probes_after_the_pause() {
        let breaker = opened();
        tokio::time::advance(PAUSE).await;
        let probe = breaker.permit().unwrap();
        assert!(breaker.permit().is_none(), "a second call does not probe");
        probe.report(false);
        assert!(call(&breaker, false) && call(&breaker, false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_fails_doubles_the_pause() {
        let breaker = opened();
        tokio::time::advance(PAUSE).await;
        assert!(call(&breaker, true));
        tokio::time::advance(PAUSE).await;
        assert!(!call(&breaker, true));
        tokio::time::advance(PAUSE).await;
        assert!(call(&breaker, false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_whose_caller_goes_is_followed_by_another() {
        let breaker = opened();
        tokio::time::advance(PAUSE).await;
        drop(breaker.permit().unwrap());
        assert!(call(&breaker, false));
    }

    #[tokio::test(start_paused = true)]
    async fn old_failures_are_forgotten() {
        let breaker = Breaker::new("svc-test");
        for _ in 0..FAILURES - 1 {
            assert!(call(&breaker, true));
        }
        tokio::time::advance(WINDOW).await;
        for _ in 0..FAILURES - 1 {
            assert!(call(&breaker, true));
        }
        assert!(call(&breaker, true) && !call(&breaker, false));
    }
}
