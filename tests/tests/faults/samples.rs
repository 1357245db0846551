//! The calls of a row, and their statistics.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use crate::capability::{Capability, Outcome, Sample};

/// The time after which a reply is late, because players notice it.
pub(crate) const LATE: Duration = Duration::from_secs(1);

/// The calls of a row; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Samples(Arc<Mutex<Vec<Sample>>>);

/// The results of a capability in a span of time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fare {
    pub(crate) calls: usize,
    pub(crate) ok: usize,
    /// The median time of the successful calls.
    pub(crate) median: Duration,
    /// The outcomes other than OK, with their counts.
    pub(crate) refusals: BTreeMap<Outcome, usize>,
}

impl Fare {
    pub(crate) fn works(&self) -> bool {
        self.ok == self.calls
    }

    pub(crate) fn is_late(&self) -> bool {
        self.median > LATE
    }
}

impl Samples {
    pub(crate) fn add(&self, capability: Capability, sent: Instant, outcome: Outcome) {
        let sample = Sample { capability, sent, took: sent.elapsed(), outcome };
        self.0.lock().unwrap().push(sample);
    }

    /// The failures of calls that were sent and answered before this time, with their counts.
    pub(crate) fn failed_before(&self, end: Instant) -> BTreeMap<(Capability, Outcome), usize> {
        let mut failed = BTreeMap::new();
        for sample in self.0.lock().unwrap().iter() {
            if sample.sent + sample.took < end && !sample.outcome.is_ok() {
                *failed.entry((sample.capability, sample.outcome.clone())).or_default() += 1;
            }
        }
        failed
    }

    /// The results of each capability, by the calls that were sent in this span of time.
    pub(crate) fn fares(&self, from: Instant, to: Instant) -> BTreeMap<Capability, Fare> {
        let mut fares: BTreeMap<Capability, Fare> = BTreeMap::new();
        let mut times: BTreeMap<Capability, Vec<Duration>> = BTreeMap::new();
        for sample in self.0.lock().unwrap().iter().filter(|s| from <= s.sent && s.sent < to) {
            let fare = fares.entry(sample.capability).or_default();
            fare.calls += 1;
            if sample.outcome.is_ok() {
                fare.ok += 1;
                times.entry(sample.capability).or_default().push(sample.took);
            } else {
                *fare.refusals.entry(sample.outcome.clone()).or_default() += 1;
            }
        }
        for (capability, mut times) in times {
            times.sort_unstable();
            fares.entry(capability).or_default().median = times[times.len() / 2];
        }
        fares
    }

    /// The send time of the last call from `from` on that failed or was late; `None` without such a
    /// call.
    pub(crate) fn last_bad(&self, from: Instant) -> Option<(Instant, Capability)> {
        let samples = self.0.lock().unwrap();
        let bad = samples.iter().filter(|sample| {
            sample.sent >= from && (!sample.outcome.is_ok() || sample.took > LATE)
        });
        bad.map(|sample| (sample.sent, sample.capability)).max()
    }

    /// The send time of a capability's first call that was sent after `from` and succeeded.
    pub(crate) fn first_ok(&self, capability: Capability, from: Instant) -> Option<Instant> {
        let samples = self.0.lock().unwrap();
        let ok = samples.iter().filter(|sample| {
            sample.capability == capability && sample.sent > from && sample.outcome.is_ok()
        });
        ok.map(|sample| sample.sent).min()
    }

    /// The defects of all replies, with their counts.
    pub(crate) fn defects(&self) -> BTreeMap<String, usize> {
        let mut defects = BTreeMap::new();
        for sample in self.0.lock().unwrap().iter() {
            if let Some(defect) = sample.outcome.defect() {
                let what = format!("{}: {defect}", sample.capability.name());
                *defects.entry(what).or_default() += 1;
            }
        }
        defects
    }
}
