//! Processor time per request, by process. On a machine that others use too, this
//! varies far less than the rate does.

use std::collections::BTreeMap;

use crate::process::{Process, ProcessTable};

/// Linux counts processor time for user space in hundredths of a second, whatever
/// resolution it has itself (`proc(5)`, `USER_HZ`).
const MICROS_PER_TICK: u64 = 10_000;

/// Reads the processor time of a fixed list of processes.
#[derive(Debug, Clone)]
pub(crate) struct CpuMeter(Vec<Process>);

/// Processor time used so far by each process, in microseconds.
#[derive(Debug, Clone)]
pub(crate) struct CpuTimes(BTreeMap<String, u64>);

impl CpuMeter {
    /// Measures `processes` and the load generator itself.
    pub(crate) fn new(processes: &[Process]) -> Self {
        Self(Process::with_self(processes))
    }

    /// Reads the counters of all processes. A process that does not exist counts as 0.
    pub(crate) fn read(&self) -> CpuTimes {
        let table = ProcessTable::read();
        let times = self.0.iter().map(|process| {
            let ticks: u64 = table.family(process.pid).map(|(_, stat)| stat.ticks).sum();
            (process.name.clone(), ticks * MICROS_PER_TICK)
        });
        CpuTimes(times.collect())
    }
}

impl CpuTimes {
    /// Microseconds for each of `count` requests since `before`; processes that used less than 1 µs
    /// are left out.
    pub(crate) fn per_request(&self, before: &Self, count: u64) -> BTreeMap<String, u64> {
        let each = self.0.iter().filter_map(|(name, after)| {
            let before = before.0.get(name).copied().unwrap_or_default();
            let micros = after.saturating_sub(before).checked_div(count)?;
            (micros > 0).then(|| (name.clone(), micros))
        });
        each.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_since_the_start_is_divided_by_the_requests() {
        let times = |gateway, redis| {
            CpuTimes(BTreeMap::from([("gateway".to_owned(), gateway), ("redis".to_owned(), redis)]))
        };
        let each = times(900_000, 50_000).per_request(&times(100_000, 50_000), 4_000);
        assert_eq!(each, BTreeMap::from([("gateway".to_owned(), 200)]));
        assert!(times(1, 1).per_request(&times(0, 0), 0).is_empty());
    }

    #[test]
    fn the_load_generator_is_always_measured() {
        let times = CpuMeter::new(&[]).read();
        assert_eq!(times.0.keys().collect::<Vec<_>>(), ["bench"]);
    }
}
