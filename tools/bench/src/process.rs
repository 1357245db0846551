//! The processes under measurement, and how `/proc` lists them.

use std::{collections::HashMap, fs, str::FromStr};

/// The name of the load generator in the figures.
pub(crate) const GENERATOR: &str = "bench";

/// A process with its children: `NAME=PID`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) name: String,
    pub(crate) pid: u32,
}

impl Process {
    /// A process by its name in the figures and its id.
    pub(crate) fn new(name: &str, pid: u32) -> Self {
        Self { name: name.to_owned(), pid }
    }

    /// These processes and the load generator itself.
    pub(crate) fn with_self(processes: &[Self]) -> Vec<Self> {
        let mut all = processes.to_vec();
        all.push(Self::new(GENERATOR, std::process::id()));
        all
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

/// The fields of `/proc/PID/stat` that are used here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stat {
    parent: u32,
    /// Processor time of the process and of its ended children, in clock ticks.
    pub(crate) ticks: u64,
}

/// All processes of the machine.
#[derive(Debug)]
pub(crate) struct ProcessTable(HashMap<u32, Stat>);

impl ProcessTable {
    /// Reads `/proc`. Processes that end meanwhile are left out.
    pub(crate) fn read() -> Self {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let stats = entries.filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            Some((pid, parse(&fs::read_to_string(entry.path().join("stat")).ok()?)?))
        });
        Self(stats.collect())
    }

    /// A process and its children: PostgreSQL has one for each connection.
    pub(crate) fn family(&self, pid: u32) -> impl Iterator<Item = (u32, Stat)> {
        let all = self.0.iter().map(|(other, stat)| (*other, *stat));
        all.filter(move |(other, stat)| *other == pid || stat.parent == pid)
    }
}

/// `pid (name) state ppid … utime stime cutime cstime …`; a name may hold spaces and brackets.
fn parse(stat: &str) -> Option<Stat> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    // The process's own time in user and system mode, then the time of its ended children.
    let times: Vec<u64> = fields.skip(9).take(4).filter_map(|field| field.parse().ok()).collect();
    (times.len() == 4).then(|| Stat { parent, ticks: times.iter().sum() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_parsed_past_any_name() {
        let line = "71 (a) b (c) S 7 71 71 0 -1 4194560 900 0 2 0 30 12 5 1 20 0 3 0 99 1 2";
        assert_eq!(parse(line), Some(Stat { parent: 7, ticks: 48 }));
        assert_eq!(parse("71 (short) S 7"), None);
    }

    #[test]
    fn a_family_is_a_process_and_its_children() {
        let stat = |parent| Stat { parent, ticks: 1 };
        let table =
            ProcessTable(HashMap::from([(1, stat(0)), (2, stat(1)), (3, stat(1)), (4, stat(9))]));
        let mut pids: Vec<u32> = table.family(1).map(|(pid, _)| pid).collect();
        pids.sort_unstable();
        assert_eq!(pids, [1, 2, 3]);
    }

    #[test]
    fn the_load_generator_is_measured_too() {
        let all = Process::with_self(&[Process::new("gateway", 1)]);
        assert_eq!(
            all.iter().map(|process| process.name.as_str()).collect::<Vec<_>>(),
            ["gateway", GENERATOR]
        );
    }

    #[test]
    fn a_process_is_a_name_and_a_number() {
        assert_eq!("redis=12".parse(), Ok(Process::new("redis", 12)));
        assert!("redis".parse::<Process>().is_err());
        assert!("redis=x".parse::<Process>().is_err());
    }
}
