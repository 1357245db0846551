//! PID files: how processes that outlive this program are found again.
//!
//! The kernel reuses pids, so a pid file holds the start time as well, and both
//! must match before anything is signalled.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::files;
use crate::interrupt;

/// The pause between two checks whether a process has ended.
const POLL: Duration = Duration::from_millis(25);
/// How long the kernel may take after SIGKILL.
const KILL_LIMIT: Duration = Duration::from_secs(5);

/// The identity of a process that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PidFile {
    pub(crate) pid: i32,
    /// When the process started, in clock ticks since boot, from /proc.
    pub(crate) started: u64,
    /// The main port it serves.
    pub(crate) port: u16,
    /// Digest of the program and its environment. When it differs, the running
    /// process is not the one that would be started now.
    pub(crate) fingerprint: u64,
}

impl PidFile {
    /// The pid file of a process that was started. A process that has ended already gets the start
    /// time 0, which no running process has.
    pub(crate) fn of(pid: u32, port: u16, fingerprint: u64) -> Result<Self> {
        let pid = i32::try_from(pid).context("a pid is out of range")?;
        Ok(Self { pid, started: start_time(pid).unwrap_or(0), port, fingerprint })
    }

    /// Reads a file; `None` when it is missing or damaged.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
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

    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let Self { pid, started, port, fingerprint } = self;
        let text =
            format!("pid={pid}\nstarted={started}\nport={port}\nfingerprint={fingerprint}\n");
        files::replace(path, 0o644, &text)
    }

    /// Whether that very process still runs.
    pub(crate) fn alive(&self) -> bool {
        start_time(self.pid) == Some(self.started)
    }

    /// Sends the signal, if the process is still that one.
    pub(crate) fn signal(&self, signal: Signal) {
        if self.alive() {
            // The process may end before the signal comes; then there is nothing to do.
            let _ = kill(Pid::from_raw(self.pid), signal);
        }
    }

    /// Waits until the process has ended; sends SIGKILL after the limit or at a second Ctrl-C.
    pub(crate) fn await_end(&self, limit: Duration) -> Result<()> {
        let begun = Instant::now();
        let most_signals = interrupt::count().max(1);
        while self.alive() && begun.elapsed() < limit && interrupt::count() <= most_signals {
            interrupt::pause(POLL);
        }
        self.signal(Signal::SIGKILL);
        let killed = Instant::now();
        while self.alive() {
            if killed.elapsed() > KILL_LIMIT {
                bail!("process {} does not end, not even by SIGKILL", self.pid);
            }
            interrupt::pause(POLL);
        }
        Ok(())
    }
}

/// When a process started, in ticks since boot; `None` when it does not run. A zombie has ended.
fn start_time(pid: i32) -> Option<u64> {
    parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Parses a line of proc(5): the second field is the program's name in brackets and may itself hold
/// brackets and blanks; state is field 3, the start time field 22.
fn parse_stat(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace();
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

/// A process's command line, cut to 80 characters for messages.
pub(crate) fn command_line(pid: i32) -> Option<String> {
    let raw = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let line = raw.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect::<Vec<_>>();
    let line = line.join(" ").trim().chars().take(80).collect::<String>();
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_program_name_with_brackets_and_blanks() {
        let stat = "17 (a) R 1 (b)) S 1 17 17 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4242 9 9";
        assert_eq!(parse_stat(stat), Some(4242));
    }

    #[test]
    fn a_zombie_does_not_run() {
        let stat = "17 (postgres) Z 1 17 17 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4242 9 9";
        assert_eq!(parse_stat(stat), None);
    }

    #[test]
    fn reads_what_it_wrote_and_ignores_a_damaged_file() {
        let process = PidFile { pid: 7, started: 99, port: 8080, fingerprint: u64::MAX };
        let path = std::env::temp_dir().join(format!("xtask-pidfile-{}", std::process::id()));
        process.write(&path).unwrap();
        assert_eq!(PidFile::read(&path), Some(process));
        fs::write(&path, "pid=7\nstarted=").unwrap();
        assert_eq!(PidFile::read(&path), None);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_reused_pid_is_another_process() {
        let own = PidFile::of(std::process::id(), 1, 0).unwrap();
        assert!(own.alive());
        assert!(!PidFile { started: own.started + 1, ..own }.alive());
    }

    #[test]
    fn kills_a_process_that_ignores_sigterm_after_the_limit() {
        let script = "trap '' TERM; echo ready; while :; do sleep 1; done";
        let mut child = std::process::Command::new("sh")
            .args(["-c", script])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = [0_u8; 5];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
        let process = PidFile::of(child.id(), 1, 0).unwrap();
        process.signal(Signal::SIGTERM);
        process.await_end(Duration::from_millis(100)).unwrap();
        assert!(!process.alive());
        assert!(!child.wait().unwrap().success());
    }
}
