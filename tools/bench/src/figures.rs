//! Results of a measurement in whole numbers: microseconds and thousandths.

use std::{collections::BTreeMap, fmt, time::Duration};

use anyhow::Result;
use hdrhistogram::Histogram;

/// The highest latency that is recorded; longer ones count as this.
const MAX_LATENCY: Duration = Duration::from_mins(2);
/// Different kinds of errors that are counted by name; all others are counted together.
const MAX_ERROR_KINDS: usize = 16;

/// Collects latencies and errors while a scenario runs.
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    latencies: Histogram<u64>,
    errors: BTreeMap<String, u64>,
}

impl Recorder {
    /// An empty recorder with three significant digits.
    pub(crate) fn new() -> Result<Self> {
        let latencies = Histogram::new_with_bounds(1, micros(MAX_LATENCY), 3)?;
        Ok(Self { latencies, errors: BTreeMap::new() })
    }

    /// Records the latency of a successful request.
    pub(crate) fn success(&mut self, latency: Duration) {
        self.latencies.saturating_record(micros(latency).max(1));
    }

    /// Counts an error by its kind.
    pub(crate) fn error(&mut self, kind: String) {
        let counted = self.errors.len() < MAX_ERROR_KINDS || self.errors.contains_key(&kind);
        let kind = if counted { kind } else { "others".to_owned() };
        *self.errors.entry(kind).or_default() += 1;
    }

    /// Adds what another recorder collected.
    pub(crate) fn merge(&mut self, other: &Self) -> Result<()> {
        self.latencies.add(&other.latencies)?;
        for (kind, count) in &other.errors {
            *self.errors.entry(kind.clone()).or_default() += count;
        }
        Ok(())
    }

    /// The figures for a measurement that took `window`.
    pub(crate) fn figures(&self, window: Duration) -> Figures {
        let count = self.latencies.len();
        Figures {
            count,
            per_second: count.saturating_mul(1_000_000) / micros(window).max(1),
            p50: self.latencies.value_at_percentile(50.0),
            p99: self.latencies.value_at_percentile(99.0),
            max: self.latencies.max(),
            errors: self.errors.clone(),
            cpu: BTreeMap::new(),
        }
    }
}

/// The figures of one scenario. Times are in microseconds.
#[derive(Debug, Clone)]
pub(crate) struct Figures {
    /// Successful requests.
    pub(crate) count: u64,
    pub(crate) per_second: u64,
    pub(crate) p50: u64,
    pub(crate) p99: u64,
    pub(crate) max: u64,
    /// How often each kind of error occurred.
    pub(crate) errors: BTreeMap<String, u64>,
    /// Processor time of a request, by process.
    pub(crate) cpu: BTreeMap<String, u64>,
}

impl Figures {
    /// The number of errors of all kinds.
    pub(crate) fn error_count(&self) -> u64 {
        self.errors.values().sum()
    }

    /// Processor time of a request in all processes together.
    pub(crate) fn cpu_whole(&self) -> u64 {
        self.cpu.values().sum()
    }

    /// Processor time of a request in all processes but one.
    pub(crate) fn cpu_without(&self, process: &str) -> u64 {
        self.cpu.iter().filter(|(name, _)| *name != process).map(|(_, micros)| micros).sum()
    }

    /// Processor time of a request in some processes together.
    pub(crate) fn cpu_of(&self, processes: &[&str]) -> u64 {
        processes.iter().filter_map(|name| self.cpu.get(*name)).sum()
    }

    /// This rate as a share of another; `None` when the other is 0.
    pub(crate) fn share_of(&self, yardstick: &Self) -> Option<Thousandths> {
        let share = self.per_second.saturating_mul(1_000).checked_div(yardstick.per_second)?;
        Some(Thousandths(share))
    }
}

/// A share of one in thousandths, printed as a percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thousandths(u64);

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{} %", self.0 / 10, self.0 % 10))
    }
}

/// The ratio of two values, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ratio(u64);

impl Ratio {
    /// The ratio of `one` to `other`; 0 when `other` is 0.
    pub(crate) fn of(one: u64, other: u64) -> Self {
        Self((one * 100).checked_div(other).unwrap_or_default())
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:02}", self.0 / 100, self.0 % 100))
    }
}

/// Microseconds, printed as milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Millis(pub(crate) u64);

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:02} ms", self.0 / 1_000, self.0 % 1_000 / 10))
    }
}

/// A duration in whole microseconds.
pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorder(millis: impl IntoIterator<Item = u64>) -> Recorder {
        let mut recorder = Recorder::new().unwrap();
        millis.into_iter().for_each(|time| recorder.success(Duration::from_millis(time)));
        recorder
    }

    #[test]
    fn a_rate_is_the_successes_over_the_window() {
        let mut all = recorder(1..=100);
        all.error("500".to_owned());
        let figures = all.figures(Duration::from_secs(2));
        assert_eq!((figures.count, figures.per_second, figures.error_count()), (100, 50, 1));
        assert!((49_900..=50_100).contains(&figures.p50), "{}", figures.p50);
        assert!((98_900..=99_100).contains(&figures.p99), "{}", figures.p99);
    }

    #[test]
    fn merged_recorders_add_up() {
        let mut all = recorder([1]);
        let mut other = recorder([3, 5]);
        other.error("429 RATE_LIMITED".to_owned());
        all.merge(&other).unwrap();
        let figures = all.figures(Duration::from_secs(1));
        assert_eq!((figures.count, figures.error_count()), (3, 1));
    }

    #[test]
    fn kinds_of_errors_are_limited_and_every_error_is_counted() {
        let mut all = recorder([]);
        (0..100).for_each(|n| all.error(n.to_string()));
        let figures = all.figures(Duration::from_secs(1));
        assert_eq!(figures.error_count(), 100);
        assert!(figures.errors.len() <= MAX_ERROR_KINDS + 1);
    }

    #[test]
    fn shares_and_times_are_printed_with_fixed_decimals() {
        let second = Duration::from_secs(1);
        let share = recorder(0..613).figures(second).share_of(&recorder(0..1_000).figures(second));
        assert_eq!(share.unwrap().to_string(), "61.3 %");
        let none = recorder([]).figures(second);
        assert_eq!(none.share_of(&none), None);
        assert_eq!(Millis(12_345).to_string(), "12.34 ms");
    }
}
