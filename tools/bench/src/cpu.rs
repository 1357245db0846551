//! What a request costs in time of the processor, process by process: on a
//! machine that others use as well, this is what stays the same.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    str::FromStr,
};

/// Linux counts processors' time for its users in hundredths of a second,
/// whatever it counts by inside (`proc(5)`, `USER_HZ`).
const MICROS_PER_TICK: u64 = 10_000;
/// How the load generator itself is called.
const SELF: &str = "bench";

/// A process to watch, with its children: `NAME=PID`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    name: String,
    pid: u32,
}

impl Process {
    /// One that is known.
    pub(crate) fn new(name: &str, pid: u32) -> Self {
        Self { name: name.to_owned(), pid }
    }
}

impl FromStr for Process {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, pid) = text.split_once('=').ok_or("a process looks like gateway=4711")?;
        let pid = pid.parse().map_err(|_| "a process looks like gateway=4711")?;
        Ok(Self::new(name, pid))
    }
}

/// Those that are watched.
#[derive(Debug, Clone)]
pub(crate) struct Watched(Vec<Process>);

/// What each has spent so far, in microseconds.
#[derive(Debug, Clone)]
pub(crate) struct Spent(BTreeMap<String, u64>);

impl Watched {
    /// These, and this process.
    pub(crate) fn new(processes: &[Process]) -> Self {
        let mut all = processes.to_vec();
        all.push(Process::new(SELF, std::process::id()));
        Self(all)
    }

    /// Reads `/proc`. A process that is not there has spent nothing.
    pub(crate) fn spent(&self) -> Spent {
        let all = all_processes();
        let spent =
            self.0.iter().map(|process| (process.name.clone(), with_children(&all, process.pid)));
        Spent(spent.collect())
    }
}

impl Spent {
    /// What each of `count` requests cost since `before`; without those that
    /// had no part in it.
    pub(crate) fn per_request(&self, before: &Self, count: u64) -> BTreeMap<String, u64> {
        let each = self.0.iter().filter_map(|(name, after)| {
            let before = before.0.get(name).copied().unwrap_or_default();
            let micros = after.saturating_sub(before).checked_div(count)?;
            (micros > 0).then(|| (name.clone(), micros))
        });
        each.collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stat {
    parent: u32,
    ticks: u64,
}

fn all_processes() -> HashMap<u32, Stat> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let stats = entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        Some((pid, parse(&fs::read_to_string(entry.path().join("stat")).ok()?)?))
    });
    stats.collect()
}

/// `pid (name) state ppid … utime stime cutime cstime …`; a name may hold spaces and brackets.
fn parse(stat: &str) -> Option<Stat> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut words = rest.split_ascii_whitespace();
    let parent = words.nth(1)?.parse().ok()?;
    // Its own in user and system mode, then those of its children that have ended.
    let times: Vec<u64> = words.skip(9).take(4).filter_map(|word| word.parse().ok()).collect();
    (times.len() == 4).then(|| Stat { parent, ticks: times.iter().sum() })
}

/// PostgreSQL works in children, one a connection.
fn with_children(all: &HashMap<u32, Stat>, pid: u32) -> u64 {
    let family = all.iter().filter(|(other, stat)| **other == pid || stat.parent == pid);
    family.map(|(_, stat)| stat.ticks).sum::<u64>() * MICROS_PER_TICK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_is_read_past_any_name() {
        let line = "71 (a) b (c) S 7 71 71 0 -1 4194560 900 0 2 0 30 12 5 1 20 0 3 0 99 1 2";
        assert_eq!(parse(line), Some(Stat { parent: 7, ticks: 48 }));
        assert_eq!(parse("71 (short) S 7"), None);
    }

    #[test]
    fn children_count_as_their_parent() {
        let stat = |parent, ticks| Stat { parent, ticks };
        let all =
            HashMap::from([(1, stat(0, 1)), (2, stat(1, 10)), (3, stat(1, 5)), (4, stat(9, 7))]);
        assert_eq!(with_children(&all, 1), 16 * MICROS_PER_TICK);
    }

    #[test]
    fn a_request_costs_its_share() {
        let spent = |gateway, redis| {
            Spent(BTreeMap::from([("gateway".to_owned(), gateway), ("redis".to_owned(), redis)]))
        };
        let each = spent(900_000, 50_000).per_request(&spent(100_000, 50_000), 4_000);
        assert_eq!(each, BTreeMap::from([("gateway".to_owned(), 200)]));
        assert!(spent(1, 1).per_request(&spent(0, 0), 0).is_empty());
    }

    #[test]
    fn this_process_is_among_the_watched() {
        let spent = Watched::new(&[]).spent();
        assert_eq!(spent.0.keys().collect::<Vec<_>>(), [SELF]);
    }
}
