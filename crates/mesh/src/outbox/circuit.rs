//! Whether the upstream of a topic is out. While it is, rows wait: they are probed one at
//! a time instead of each taking a permit until its time limit.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use metrics::{Gauge, gauge};
use tokio::{sync::Notify, time::Instant};
use tracing::{info, warn};
use uuid::Uuid;

use crate::fault;

/// Deliveries in a row that find the upstream out before the circuit opens.
const THRESHOLD: u32 = 5;
/// Rows that are remembered because their last try found the upstream out.
const REMEMBERED: usize = 4096;

/// The pauses between two probes: the first, and the longest that it doubles to.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProbePauses {
    pub(super) first: Duration,
    pub(super) longest: Duration,
}

/// The circuit of one topic. Each replica has its own.
pub(super) struct Circuit {
    topic: &'static str,
    pauses: ProbePauses,
    state: Mutex<State>,
    closed: Notify,
    waiting: Gauge,
}

#[derive(Default)]
struct State {
    /// Deliveries in a row that found the upstream out.
    streak: u32,
    /// Deliveries that the upstream answered.
    answers: u64,
    /// The value of `answers` when a row last found the upstream out.
    tried: HashMap<Uuid, u64>,
    open: Option<Open>,
}

struct Open {
    since: Instant,
    pause: Duration,
    probe_at: Instant,
}

impl Circuit {
    pub(super) fn new(topic: &'static str, pauses: ProbePauses) -> Self {
        let waiting = gauge!("outbox_waiting", "topic" => topic);
        waiting.set(0.0);
        Self { topic, pauses, state: Mutex::default(), closed: Notify::new(), waiting }
    }

    /// When the next probe is due; `None` while the circuit is closed.
    pub(super) fn probe_at(&self) -> Option<Instant> {
        self.lock().open.as_ref().map(|open| open.probe_at)
    }

    /// Waits until the circuit is closed. May return early; check again.
    pub(super) async fn closed(&self) {
        self.closed.notified().await;
    }

    /// Records that a probe begins. The next one is due after the pause, also if this one never
    /// ends.
    pub(super) fn begin_probe(&self) {
        if let Some(open) = &mut self.lock().open {
            open.probe_at = Instant::now() + open.pause;
        }
    }

    /// Records that a delivery was answered, if only by a refusal: the upstream is not out.
    pub(super) fn answered(&self, row: Uuid) {
        let mut state = self.lock();
        state.streak = 0;
        state.answers += 1;
        state.tried.remove(&row);
        let Some(open) = state.open.take() else { return };
        drop(state);
        info!(topic = self.topic, out_for = ?open.since.elapsed(), "the upstream is back");
        self.close();
    }

    /// Closes the circuit when no row waits any more, because other replicas delivered them.
    pub(super) fn nothing_waits(&self) {
        self.lock().open = None;
        self.close();
    }

    fn close(&self) {
        self.waiting.set(0.0);
        self.closed.notify_one();
    }

    /// Records that a delivery found the upstream out. True when that counts as a try of this row,
    /// because other deliveries were answered since its last one: then it is the row that fails.
    pub(super) fn unavailable(&self, row: Uuid, is_probe: bool, cause: &anyhow::Error) -> bool {
        let now = Instant::now();
        let mut state = self.lock();
        state.streak += 1;
        let answers = state.answers;
        if state.tried.len() >= REMEMBERED {
            state.tried.clear();
        }
        let counts = state.tried.insert(row, answers).is_some_and(|before| before < answers);
        let first = self.pauses.first;
        if let Some(open) = &mut state.open {
            if is_probe {
                open.pause = (open.pause * 2).min(self.pauses.longest);
                open.probe_at = now + open.pause;
            }
        } else if state.streak >= THRESHOLD {
            state.open = Some(Open { since: now, pause: first, probe_at: now + first });
            drop(state);
            self.waiting.set(1.0);
            let error = fault::causes(cause);
            warn!(topic = self.topic, error, "the upstream is out; deliveries wait for it");
        }
        counts
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSES: ProbePauses =
        ProbePauses { first: Duration::from_secs(1), longest: Duration::from_secs(30) };

    fn id(n: u128) -> Uuid {
        Uuid::from_u128(n)
    }

    fn fail(circuit: &Circuit, row: u128, is_probe: bool) -> bool {
        circuit.unavailable(id(row), is_probe, &anyhow::anyhow!("as this test expects"))
    }

    #[tokio::test(start_paused = true)]
    async fn probes_are_further_apart_after_each_failure() {
        let circuit = Circuit::new("test", PAUSES);
        for row in 0..4 {
            assert!(!fail(&circuit, row, false));
            assert_eq!(circuit.probe_at(), None);
        }
        fail(&circuit, 4, false);
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            let at = circuit.probe_at().unwrap();
            assert_eq!((at - Instant::now()).as_secs(), seconds);
            tokio::time::sleep_until(at).await;
            circuit.begin_probe();
            // A delivery that was in flight before changes nothing.
            fail(&circuit, 5, false);
            assert!(!fail(&circuit, 6, true), "an outage counts for no row");
        }
        circuit.answered(id(7));
        assert_eq!(circuit.probe_at(), None);
        tokio::time::timeout(Duration::from_secs(1), circuit.closed()).await.unwrap();
    }

    #[test]
    fn a_row_that_fails_while_others_are_answered_counts_its_tries() {
        let circuit = Circuit::new("test", PAUSES);
        assert!(!fail(&circuit, 1, false), "it may be an outage");
        assert!(!fail(&circuit, 1, false), "no other was answered since");
        for _ in 0..100 {
            circuit.answered(id(2));
            assert!(fail(&circuit, 1, false));
        }
        assert_eq!(circuit.probe_at(), None, "it stops no other");
    }

    #[test]
    fn the_memory_of_rows_is_bounded() {
        let circuit = Circuit::new("test", PAUSES);
        for row in 0..3 * REMEMBERED as u128 {
            fail(&circuit, row, true);
        }
        assert!(circuit.lock().tried.len() <= REMEMBERED);
    }
}
