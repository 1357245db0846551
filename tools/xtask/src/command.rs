//! Programs that are run to their end: cargo and programs on the PATH.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};

use crate::checkout::{Checkout, Profile};
use crate::interrupt;

/// Runs a command with its own output; fails when the command does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    interrupt::check()?;
    if !status.success() {
        bail!("`{}` failed ({status})", command_line(command));
    }
    Ok(())
}

/// A command that runs while others do. Its output is kept in a log until it has ended.
pub(crate) struct Beside {
    waiting: JoinHandle<(io::Result<ExitStatus>, Duration)>,
    line: String,
    log: PathBuf,
}

impl Beside {
    pub(crate) fn start(command: &mut Command, log: PathBuf) -> Result<Self> {
        let line = command_line(command);
        let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let mut child = command.spawn().with_context(|| format!("cannot run {line}"))?;
        let begun = Instant::now();
        let waiting = thread::spawn(move || (child.wait(), begun.elapsed()));
        Ok(Self { waiting, line, log })
    }

    /// Waits for the end of the command.
    pub(crate) fn wait(self) -> Ended {
        let (status, time) = self.waiting.join().unwrap_or_else(|_| {
            (Err(io::Error::other("the thread that waited for it has panicked")), Duration::ZERO)
        });
        let outcome = match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(anyhow!("`{}` failed ({status})", self.line)),
            Err(fault) => Err(fault.into()),
        };
        Ended { outcome, time, output: fs::read_to_string(&self.log).unwrap_or_default() }
    }
}

/// How a command that ran beside others has ended.
pub(crate) struct Ended {
    pub(crate) outcome: Result<()>,
    /// How long the command took.
    pub(crate) time: Duration,
    pub(crate) output: String,
}

/// This program with other arguments. It is found by its path, because a build may have replaced
/// the file that runs.
pub(crate) fn xtask(checkout: &Checkout, arguments: &[&str]) -> Command {
    let mut command = Command::new(checkout.programs(Profile::Dev).join("xtask"));
    command.args(arguments);
    command
}

/// A command as one would type it, without the environment.
fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Cargo, at the root of the checkout.
pub(crate) fn cargo(checkout: &Checkout) -> Command {
    // The variable $CARGO is not used, because it would fix the inner cargo to the toolchain of
    // this program.
    let mut command = Command::new("cargo");
    command.current_dir(&checkout.root);
    // `cargo run` sets variables that describe this program's package. A build script that reads
    // them (ring's) would run again after each cargo that a person starts, and all crates that
    // depend on it would be compiled again.
    for (name, _) in std::env::vars_os() {
        let shown = name.to_string_lossy();
        if shown.starts_with("CARGO_MANIFEST") || shown.starts_with("CARGO_PKG") {
            command.env_remove(&name);
        }
    }
    command
}

/// A program on the PATH.
pub(crate) fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_leaves_the_environment_out() {
        let mut command = Command::new("/usr/bin/cargo");
        command.args(["test", "--workspace"]).env("SECRET", "x");
        assert_eq!(command_line(&command), "cargo test --workspace");
    }

    #[test]
    fn what_runs_beside_leaves_its_output_in_a_log_and_its_failure_is_named() {
        let log = std::env::temp_dir().join(format!("xtask-beside-{}.log", std::process::id()));
        let mut shell = Command::new("sh");
        let beside = Beside::start(shell.args(["-c", "echo here; exit 3"]), log.clone()).unwrap();
        let ended = beside.wait();
        assert_eq!(ended.output, "here\n");
        let fault = ended.outcome.unwrap_err().to_string();
        assert!(fault.contains("exit 3") && fault.contains("exit status: 3"), "{fault}");
        fs::remove_file(&log).unwrap();
    }

    #[test]
    fn finds_programs_on_the_path() {
        assert!(in_path("sh").is_some());
        assert!(in_path("no-such-program-here").is_none());
    }
}
