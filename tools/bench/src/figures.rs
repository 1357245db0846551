//! What a measurement found, in whole numbers: microseconds and thousandths.

use std::{collections::BTreeMap, fmt, time::Duration};

use anyhow::Result;
use hdrhistogram::Histogram;
use serde::Serialize;

/// Longest time that is told apart; whatever took longer counts as this.
const CEILING: Duration = Duration::from_mins(1);
/// Kinds of errors that are told apart.
const KINDS: usize = 16;

/// Latencies and errors as they come in.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    latencies: Histogram<u64>,
    errors: BTreeMap<String, u64>,
}

impl Tally {
    /// Nothing yet. Three digits of precision.
    pub(crate) fn new() -> Result<Self> {
        let ceiling = micros(CEILING);
        Ok(Self { latencies: Histogram::new_with_bounds(1, ceiling, 3)?, errors: BTreeMap::new() })
    }

    /// Something that went well, and how long it took.
    pub(crate) fn well(&mut self, took: Duration) {
        self.latencies.saturating_record(micros(took).max(1));
    }

    /// Something that did not.
    pub(crate) fn badly(&mut self, kind: String) {
        let known = self.errors.len() < KINDS || self.errors.contains_key(&kind);
        let kind = if known { kind } else { "others".to_owned() };
        *self.errors.entry(kind).or_default() += 1;
    }

    /// Another's, added to this one.
    pub(crate) fn add(&mut self, other: &Self) -> Result<()> {
        self.latencies.add(&other.latencies)?;
        for (kind, count) in &other.errors {
            *self.errors.entry(kind.clone()).or_default() += count;
        }
        Ok(())
    }

    /// What it comes to, over `window`.
    pub(crate) fn figures(&self, window: Duration) -> Figures {
        let count = self.latencies.len();
        Figures {
            count,
            window: micros(window),
            per_second: count.saturating_mul(1_000_000) / micros(window).max(1),
            p50: self.latencies.value_at_percentile(50.0),
            p99: self.latencies.value_at_percentile(99.0),
            max: self.latencies.max(),
            errors: self.errors.clone(),
            cpu: BTreeMap::new(),
        }
    }
}

/// What a measurement came to. Times are microseconds.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Figures {
    pub(crate) count: u64,
    #[serde(rename = "windowMicros")]
    pub(crate) window: u64,
    pub(crate) per_second: u64,
    #[serde(rename = "p50Micros")]
    pub(crate) p50: u64,
    #[serde(rename = "p99Micros")]
    pub(crate) p99: u64,
    #[serde(rename = "maxMicros")]
    pub(crate) max: u64,
    pub(crate) errors: BTreeMap<String, u64>,
    /// What each cost in time of the processor, by process.
    #[serde(rename = "cpuMicros")]
    pub(crate) cpu: BTreeMap<String, u64>,
}

impl Figures {
    /// How many errors of any kind.
    pub(crate) fn error_count(&self) -> u64 {
        self.errors.values().sum()
    }

    /// This rate in thousandths of another; nothing beside nothing.
    pub(crate) fn share_of(&self, yardstick: &Self) -> Option<Thousandths> {
        let share = self.per_second.saturating_mul(1_000).checked_div(yardstick.per_second)?;
        Some(Thousandths(share))
    }
}

/// A share of one, as whole thousandths; printed as a percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Thousandths(u64);

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{} %", self.0 / 10, self.0 % 10))
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

/// A duration in microseconds.
pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(millis: impl IntoIterator<Item = u64>) -> Tally {
        let mut tally = Tally::new().unwrap();
        millis.into_iter().for_each(|time| tally.well(Duration::from_millis(time)));
        tally
    }

    #[test]
    fn a_rate_is_what_went_well_over_the_window() {
        let mut all = tally(1..=100);
        all.badly("500".to_owned());
        let figures = all.figures(Duration::from_secs(2));
        assert_eq!((figures.count, figures.per_second, figures.error_count()), (100, 50, 1));
        assert!((49_900..=50_100).contains(&figures.p50), "{}", figures.p50);
        assert!((98_900..=99_100).contains(&figures.p99), "{}", figures.p99);
    }

    #[test]
    fn workers_add_up() {
        let mut all = tally([1]);
        let mut other = tally([3, 5]);
        other.badly("429 RATE_LIMITED".to_owned());
        all.add(&other).unwrap();
        let figures = all.figures(Duration::from_secs(1));
        assert_eq!((figures.count, figures.error_count()), (3, 1));
    }

    #[test]
    fn kinds_of_errors_are_bounded_and_none_is_lost() {
        let mut all = tally([]);
        (0..100).for_each(|n| all.badly(n.to_string()));
        let figures = all.figures(Duration::from_secs(1));
        assert_eq!(figures.error_count(), 100);
        assert!(figures.errors.len() <= KINDS + 1);
    }

    #[test]
    fn shares_and_times_are_printed_without_floats() {
        let second = Duration::from_secs(1);
        let share = tally(0..613).figures(second).share_of(&tally(0..1_000).figures(second));
        assert_eq!(share.unwrap().to_string(), "61.3 %");
        assert_eq!(tally([]).figures(second).share_of(&tally([]).figures(second)), None);
        assert_eq!(Millis(12_345).to_string(), "12.34 ms");
    }
}
