//! The results of an overload, and the bars that they have to pass.

use std::time::Duration;

use super::{
    drive::{Sample, Samples, p99},
    mix::{Class, Costs},
};

/// The offered rate as a multiple of the highest one.
pub(crate) const TIMES: u64 = 5;
/// The least work under overload, as a share of the work at the highest rate, in thousandths.
const LEAST_GOODPUT: u64 = 800;
/// Longest time after the overload until everything is normal again.
const RECOVERY: Duration = Duration::from_secs(10);
/// How much less a class may be accepted than a class that is shed earlier, in thousandths: both
/// are counted over a whole minute.
const TOLERANCE: u64 = 20;
/// Latency after the overload is normal up to twice the latency before it, plus this.
const LATENCY_ALLOWANCE: Duration = Duration::from_millis(50);

/// The samples of all phases.
#[derive(Debug)]
pub(crate) struct Overload {
    pub(crate) costs: Costs,
    /// The highest rate of the mix.
    pub(crate) rate: u64,
    pub(crate) peak: Samples,
    pub(crate) peak_time: Duration,
    pub(crate) before: Samples,
    pub(crate) during: Samples,
    pub(crate) lasts: Duration,
    pub(crate) after: Samples,
}

impl Overload {
    /// The work of a second under overload, in thousandths of the work at the highest rate.
    pub(crate) fn goodput(&self) -> u64 {
        let during = self.work(&self.during, self.lasts);
        (during * 1_000).checked_div(self.work(&self.peak, self.peak_time)).unwrap_or_default()
    }

    /// The work of accepted requests in a second.
    fn work(&self, samples: &Samples, time: Duration) -> u64 {
        let accepted = samples.all.iter().filter(|sample| sample.error.is_none());
        let work: u64 = accepted.map(|sample| self.costs.of(sample.operation)).sum();
        work.checked_div(time.as_secs()).unwrap_or_default()
    }

    /// The share of accepted requests of a class under overload, in thousandths.
    pub(crate) fn accepted_share(&self, class: Class) -> u64 {
        let (sent, accepted) = self.during.classes().get(&class).copied().unwrap_or_default();
        (accepted * 1_000).checked_div(sent).unwrap_or_default()
    }

    /// The time after the overload until no request is refused and latency is normal, in
    /// whole seconds; `None` when that did not happen.
    pub(crate) fn recovery(&self) -> Option<Duration> {
        let normal = self.before.p99() * 2 + LATENCY_ALLOWANCE;
        let last = self.after.all.iter().map(|sample| sample.sent.as_secs()).max()?;
        let in_second = |second: u64| {
            self.after.all.iter().filter(move |sample| sample.sent.as_secs() == second)
        };
        let is_normal = |second: &u64| {
            let refused = |sample: &Sample| sample.error.is_some();
            !in_second(*second).any(refused) && p99(in_second(*second)) <= normal
        };
        let bad = (0..=last).rev().find(|second| !is_normal(second));
        match bad {
            None => Some(Duration::ZERO),
            Some(second) if second == last => None,
            Some(second) => Some(Duration::from_secs(second + 1)),
        }
    }

    /// The bars that were missed.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let goodput = self.goodput();
        if goodput < LEAST_GOODPUT {
            problems
                .push(format!("goodput is {goodput} ‰ of the highest, {LEAST_GOODPUT} at least"));
        }
        for pair in Class::SHED.windows(2) {
            let [earlier, later] = pair else { continue };
            let (first, second) = (self.accepted_share(*earlier), self.accepted_share(*later));
            if second + TOLERANCE < first {
                let (earlier, later) = (earlier.name(), later.name());
                problems.push(format!(
                    "{later} is shed before {earlier}: {second} and {first} ‰ accepted"
                ));
            }
        }
        match self.recovery() {
            Some(time) if time <= RECOVERY => {}
            Some(time) => problems.push(format!("recovery took {} s", time.as_secs())),
            None => problems.push("it did not recover".to_owned()),
        }
        problems
    }
}
