//! Processes that outlive this program: started in the background, found again
//! by a record on disk, ended with a limit.
//!
//! A pid alone proves nothing, the kernel hands them out again; a record holds
//! the start time as well and both must match before anything is signalled.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::interrupt;

/// Lines of its log that are shown when a process died.
const LAST_LINES: usize = 25;

/// What is remembered of a process that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The process.
    pub(crate) pid: i32,
    /// Its start in clock ticks since boot, as /proc tells it.
    pub(crate) started: u64,
    /// The port it serves.
    pub(crate) port: u16,
    /// Digest of the program and its environment: another one means that the
    /// running process is not the one that would be started now.
    pub(crate) fingerprint: u64,
}

impl Record {
    /// The record of a process as it is now. One that has ended already gets
    /// the start time 0, which no living process has.
    pub(crate) fn of(pid: u32, port: u16, fingerprint: u64) -> Result<Self> {
        let pid = i32::try_from(pid).context("a pid is out of range")?;
        Ok(Self { pid, started: start_time(pid).unwrap_or(0), port, fingerprint })
    }

    /// Reads a record; one that is missing or damaged is none.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(path).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).map(str::trim)
        };
        Some(Self {
            pid: field("pid")?.parse().ok()?,
            started: field("started")?.parse().ok()?,
            port: field("port")?.parse().ok()?,
            fingerprint: field("fingerprint")?.parse().ok()?,
        })
    }

    /// Writes it, whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let Self { pid, started, port, fingerprint } = self;
        let text =
            format!("pid={pid}\nstarted={started}\nport={port}\nfingerprint={fingerprint}\n");
        let draft = path.with_extension("draft");
        fs::write(&draft, text)
            .and_then(|()| fs::rename(&draft, path))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// Whether that very process still runs.
    pub(crate) fn alive(&self) -> bool {
        start_time(self.pid) == Some(self.started)
    }

    /// Sends the signal, if the process is still the recorded one.
    pub(crate) fn signal(&self, signal: Signal) {
        if self.alive() {
            // It may end between the look and the signal; then all is well.
            let _ = kill(Pid::from_raw(self.pid), signal);
        }
    }

    /// Waits until it has ended, SIGKILL after the limit or at a second Ctrl-C.
    pub(crate) fn await_end(&self, limit: Duration) -> Result<()> {
        let begun = Instant::now();
        let patience = interrupt::count().max(1);
        while self.alive() && begun.elapsed() < limit && interrupt::count() <= patience {
            interrupt::pause(Duration::from_millis(25));
        }
        self.signal(Signal::SIGKILL);
        let killed = Instant::now();
        while self.alive() {
            if killed.elapsed() > Duration::from_secs(5) {
                bail!("process {} does not end, not even by SIGKILL", self.pid);
            }
            interrupt::pause(Duration::from_millis(25));
        }
        Ok(())
    }
}

/// When a process started, in ticks since boot; nothing when it does not run.
/// A zombie has ended: it only waits for its parent to look.
pub(crate) fn start_time(pid: i32) -> Option<u64> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// proc(5): the second field is the program's name in brackets and may itself
/// hold brackets and blanks; state is field 3, the start time field 22.
fn parse_stat(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

/// A process's command line, short enough for a message.
pub(crate) fn command_line(pid: i32) -> Option<String> {
    let raw = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let line = raw.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect::<Vec<_>>();
    let line = line.join(" ").trim().chars().take(80).collect::<String>();
    (!line.is_empty()).then_some(line)
}

/// Digest of a program as it stands on disk and of what it is started with.
pub(crate) fn fingerprint<'a>(
    program: &Path,
    with: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<u64> {
    let about = fs::metadata(program)
        .with_context(|| format!("{} is not there: build it first", program.display()))?;
    let mut digest = DefaultHasher::new();
    (program, about.len(), about.modified()?).hash(&mut digest);
    for pair in with {
        pair.hash(&mut digest);
    }
    Ok(digest.finish())
}

/// The end of a log, indented, to be shown with an error.
pub(crate) fn last_lines(log: &Path) -> String {
    let bytes = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().collect::<Vec<_>>();
    let from = lines.len().saturating_sub(LAST_LINES);
    lines[from..].iter().flat_map(|line| ["\n    | ", line]).collect()
}

/// Opens a log for a new process and keeps the previous one beside it.
pub(crate) fn open_log(path: &Path) -> Result<fs::File> {
    if path.exists() {
        let previous: PathBuf = path.with_extension("log.1");
        fs::rename(path, &previous).with_context(|| format!("cannot move {}", path.display()))?;
    }
    fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_be_named_so_as_to_confuse_the_parser() {
        let stat = "17 (a) R 1 (b)) S 1 17 17 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4242 9 9";
        assert_eq!(parse_stat(stat), Some(4242));
    }

    #[test]
    fn a_zombie_does_not_run() {
        let stat = "17 (postgres) Z 1 17 17 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4242 9 9";
        assert_eq!(parse_stat(stat), None);
    }

    #[test]
    fn records_come_back_as_written_and_damaged_ones_are_none() {
        let record = Record { pid: 7, started: 99, port: 8080, fingerprint: u64::MAX };
        let path = std::env::temp_dir().join(format!("xtask-record-{}", std::process::id()));
        record.write(&path).unwrap();
        assert_eq!(Record::read(&path), Some(record));
        fs::write(&path, "pid=7\nstarted=").unwrap();
        assert_eq!(Record::read(&path), None);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_pid_that_was_given_to_another_process_is_not_ours() {
        let own = Record::of(std::process::id(), 1, 0).unwrap();
        assert!(own.alive());
        assert!(!Record { started: own.started + 1, ..own }.alive());
    }

    #[test]
    fn a_process_is_ended_within_the_limit_although_it_ignores_sigterm() {
        let script = "trap '' TERM; echo ready; while :; do sleep 1; done";
        let mut child = std::process::Command::new("sh")
            .args(["-c", script])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = [0_u8; 5];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
        let record = Record::of(child.id(), 1, 0).unwrap();
        record.signal(Signal::SIGTERM);
        record.await_end(Duration::from_millis(100)).unwrap();
        assert!(!record.alive());
        assert!(!child.wait().unwrap().success());
    }
}
