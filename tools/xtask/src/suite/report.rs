//! The steps of a test run, their outcomes and times, as a table at the end.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::command::Beside;
use crate::interrupt;
use crate::terminal::seconds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    /// The step was not run, because an earlier step failed.
    NotRun,
    /// The step cannot be run here, for this reason.
    Skipped(&'static str),
}

/// Runs steps and records their outcome and time.
#[derive(Debug)]
pub(super) struct Report {
    begun: Instant,
    keep_going: bool,
    steps: Vec<(&'static str, Outcome, Duration)>,
    /// What the failed parts that ran beside others said of their failures.
    failures: Vec<String>,
}

/// The marks of a failure in a line of xtask, vitest, nextest and TAP.
const FAILURES: [&str; 4] = ["✗", "FAIL", "×", "not ok"];
/// How many lines after such a line are printed with it.
const DETAIL_LINES: usize = 4;
/// How many lines of a part are printed, and how many of its last where none has a mark.
const MAX_LINES: usize = 120;
const LAST_LINES: usize = 40;

impl Report {
    pub(super) fn new(keep_going: bool) -> Self {
        Self { begun: Instant::now(), keep_going, steps: Vec::new(), failures: Vec::new() }
    }

    /// Runs a step, unless an earlier one failed or a signal came.
    pub(super) fn step(&mut self, name: &'static str, run: impl FnOnce() -> Result<()>) {
        if self.goes_on() {
            self.always(name, run);
        } else {
            self.steps.push((name, Outcome::NotRun, Duration::ZERO));
        }
    }

    /// Runs a step, or records the reason why it cannot be run here.
    pub(super) fn unless(
        &mut self,
        missing: Option<&'static str>,
        name: &'static str,
        run: impl FnOnce() -> Result<()>,
    ) {
        match missing {
            Some(reason) => self.skip(name, reason),
            None => self.step(name, run),
        }
    }

    /// Records a step that cannot be run here.
    pub(super) fn skip(&mut self, name: &'static str, reason: &'static str) {
        self.steps.push((name, Outcome::Skipped(reason), Duration::ZERO));
    }

    /// Whether a step would run now.
    pub(super) fn goes_on(&self) -> bool {
        interrupt::count() == 0 && (self.keep_going || !self.failed())
    }

    /// Records a part that ran beside other steps, whatever their outcome, with its own time.
    pub(super) fn join(&mut self, name: &'static str, beside: Beside) {
        headline(name);
        let ended = beside.wait();
        outln!("{}", ended.output);
        if ended.outcome.is_err() {
            self.failures.push(format!("{name}:\n{}", failures_in(&ended.output)));
        }
        self.record(name, ended.outcome, ended.time);
    }

    /// Runs a step whatever happened before, to stop processes that were started.
    pub(super) fn always(&mut self, name: &'static str, run: impl FnOnce() -> Result<()>) {
        headline(name);
        let begun = Instant::now();
        let outcome = run();
        self.record(name, outcome, begun.elapsed());
    }

    fn record(&mut self, name: &'static str, outcome: Result<()>, time: Duration) {
        let outcome = match outcome {
            Ok(()) => Outcome::Passed,
            Err(fault) => {
                eprintln!("\n✗ {name}: {fault:#}");
                Outcome::Failed
            }
        };
        self.steps.push((name, outcome, time));
    }

    /// Whether a step has failed.
    pub(super) fn failed(&self) -> bool {
        self.steps.iter().any(|(_, outcome, _)| *outcome == Outcome::Failed)
    }

    /// Prints the table; fails when any step failed.
    pub(super) fn finish(self) -> Result<()> {
        outln!("{}", self.table());
        // A log of which only the end is kept names them too.
        for failure in &self.failures {
            outln!("\n{failure}");
        }
        interrupt::check()?;
        if self.failed() {
            bail!("not everything passed");
        }
        Ok(())
    }

    fn table(&self) -> String {
        let mut table = format!("\n── summary {}\n", "─".repeat(63));
        for (name, outcome, time) in &self.steps {
            let line = match outcome {
                Outcome::Passed => format!("  ✓ {name:<44} {:>12}", seconds(*time)),
                Outcome::Failed => format!("  ✗ {name:<44} {:>12}   failed", seconds(*time)),
                Outcome::NotRun => format!("  · {name:<44} {:>12}", "not run"),
                Outcome::Skipped(reason) => {
                    format!("  · {name:<44} {:>12}   {reason}", "not run")
                }
            };
            table.push_str(&line);
            table.push('\n');
        }
        let _ = write!(table, "    {:<44} {:>12}", "all", seconds(self.begun.elapsed()));
        table
    }
}

/// The lines of an output that name a failure, with what follows them.
fn failures_in(output: &str) -> String {
    let mut lines = Vec::new();
    let mut detail = 0;
    for line in output.lines() {
        if FAILURES.iter().any(|mark| line.contains(mark)) {
            detail = DETAIL_LINES + 1;
        }
        if detail > 0 && lines.len() < MAX_LINES {
            lines.push(line);
            detail -= 1;
        }
    }
    if lines.is_empty() {
        let all: Vec<_> = output.lines().collect();
        lines = all[all.len().saturating_sub(LAST_LINES)..].to_vec();
    }
    lines.join("\n")
}

fn headline(name: &str) {
    outln!("\n── {name} {}", "─".repeat(70_usize.saturating_sub(name.len())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_skips_the_next_steps_but_not_the_last() {
        let mut ran = Vec::new();
        let mut report = Report::new(false);
        report.step("first", || Ok(()));
        report.step("second", || bail!("broken"));
        report.step("third", || {
            ran.push("third");
            Ok(())
        });
        report.always("stopping", || {
            ran.push("stopping");
            Ok(())
        });
        let table = report.table();
        assert_eq!(ran, ["stopping"]);
        assert!(
            table.contains("✓ first") && table.contains("✗ second") && table.contains("· third")
        );
        assert!(report.finish().is_err());
    }

    #[test]
    fn a_skipped_step_is_not_shown_as_passed() {
        let mut report = Report::new(false);
        report.skip("first", "its program is missing");
        let table = report.table();
        assert!(table.contains("· first") && table.contains("its program is missing"), "{table}");
        assert!(report.finish().is_ok());
    }

    #[test]
    fn the_lines_that_name_a_failure_are_found_in_an_output() {
        let output = "ok 1\n\u{1b}[41m FAIL \u{1b}[0m src/a.test.ts > it holds\nAssertionError: 1 is not 2\n\n\n\nok 3\nok 4";
        let found = failures_in(output);
        assert!(found.contains("it holds\nAssertionError"), "{found}");
        assert!(!found.contains("ok 1") && !found.contains("ok 4"), "{found}");
        assert_eq!(failures_in("error[E0425]: no such name"), "error[E0425]: no such name");
    }

    #[test]
    fn with_keep_going_later_steps_run_and_the_result_is_a_failure() {
        let mut report = Report::new(true);
        let mut ran = false;
        report.step("first", || bail!("broken"));
        report.step("second", || {
            ran = true;
            Ok(())
        });
        assert!(ran);
        assert!(report.finish().is_err());
    }
}
