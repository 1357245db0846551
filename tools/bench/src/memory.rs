//! Resident memory of the measured processes.

use std::{fmt, fs};

use crate::process::{Process, ProcessTable};

/// Resident memory of one process with its children, in KiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Memory {
    process: String,
    resident: u64,
    /// The highest value since the process started; not known for several processes
    /// together, whose peaks need not have been at the same time.
    peak: Option<u64>,
}

/// The fields of `/proc/PID/status` that are used here, in KiB.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Status {
    anonymous: u64,
    file: u64,
    shared: u64,
    peak: u64,
}

impl Memory {
    /// Reads the memory of `processes` and of the load generator. Processes that do not
    /// exist are left out.
    pub(crate) fn read(processes: &[Process]) -> Vec<Self> {
        let table = ProcessTable::read();
        let all = Process::with_self(processes).into_iter().filter_map(|process| {
            let status = |pid| fs::read_to_string(format!("/proc/{pid}/status")).ok();
            let family = table.family(process.pid).filter_map(|(pid, _)| status(pid));
            let family: Vec<Status> = family.map(|text| parse(&text)).collect();
            (!family.is_empty()).then(|| Self::of_family(process.name, &family))
        });
        all.collect()
    }

    /// Adds up the memory of a family. Pages of files and shared memory are the same pages in every
    /// member of a family, so the largest share counts once; anonymous memory is each member's own.
    fn of_family(process: String, family: &[Status]) -> Self {
        let own: u64 = family.iter().map(|status| status.anonymous).sum();
        let largest = |part: fn(&Status) -> u64| family.iter().map(part).max().unwrap_or_default();
        let resident = own + largest(|status| status.file) + largest(|status| status.shared);
        let peak = match family {
            [single] => Some(single.peak),
            _ => None,
        };
        Self { process, resident, peak }
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.process, mebibytes(self.resident))?;
        match self.peak {
            Some(peak) => write!(f, "/{}", mebibytes(peak)),
            None => Ok(()),
        }
    }
}

/// Converts KiB to whole MiB, rounded up.
const fn mebibytes(kibibytes: u64) -> u64 {
    kibibytes.div_ceil(1_024)
}

fn parse(status: &str) -> Status {
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.split_ascii_whitespace().next());
        number.and_then(|number| number.parse().ok()).unwrap_or_default()
    };
    Status {
        anonymous: field("RssAnon:"),
        file: field("RssFile:"),
        shared: field("RssShmem:"),
        peak: field("VmHWM:"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_file_is_parsed_by_its_labels() {
        let text = "Name:\tgateway\nVmHWM:\t   40960 kB\nVmRSS:\t   30720 kB\n\
                    RssAnon:\t   20480 kB\nRssFile:\t   10241 kB\nRssShmem:\t     240 kB\n";
        let status = Status { anonymous: 20_480, file: 10_241, shared: 240, peak: 40_960 };
        assert_eq!(parse(text), status);
        let memory = Memory::of_family("gateway".to_owned(), &[status]);
        assert_eq!(memory.to_string(), "gateway 31/40");
    }

    #[test]
    fn shared_pages_of_a_family_count_once() {
        let member = Status { anonymous: 1_024, file: 512, shared: 2_560, peak: 9_999 };
        let memory = Memory::of_family("postgres".to_owned(), &[member; 3]);
        assert_eq!(memory.to_string(), "postgres 6");
    }

    #[test]
    fn this_process_has_resident_memory() {
        let all = Memory::read(&[]);
        assert!(all.iter().all(|memory| memory.resident > 0 && memory.peak.is_some()), "{all:?}");
        assert_eq!(all.len(), 1);
    }
}
