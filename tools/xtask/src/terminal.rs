//! Output for a person: one line a step, with the seconds it has taken.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use anyhow::Result;

/// How often a long step prints a line where there is no terminal (CI).
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Prints a line. A reader that closes the pipe early (`| head`) must not leave a
/// mesh half started, so a failed write is ignored.
macro_rules! outln {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

/// A running step. It prints its progress and how it ended.
pub(crate) struct Step {
    label: String,
    begun: Instant,
    shown: Instant,
    live: bool,
}

impl Step {
    /// A step on one line that counts its seconds.
    pub(crate) fn begin(label: impl Into<String>) -> Self {
        let now = Instant::now();
        let live = std::io::stdout().is_terminal();
        let step = Self { label: label.into(), begun: now, shown: now, live };
        step.draw();
        step
    }

    /// A step whose own output (cargo's, npm's) is the progress.
    pub(crate) fn announce(label: impl Into<String>) -> Self {
        let label = label.into();
        outln!("  … {label}");
        let now = Instant::now();
        Self { label, begun: now, shown: now, live: false }
    }

    /// Redraws the seconds; to be called while waiting.
    pub(crate) fn tick(&mut self) {
        if self.live {
            self.draw();
        } else if self.shown.elapsed() >= HEARTBEAT {
            outln!("  … {} ({})", self.label, seconds(self.begun.elapsed()));
            self.shown = Instant::now();
        }
    }

    /// How long the step has taken so far.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Ends the step with its outcome, which is returned; an error is not printed here.
    pub(crate) fn end<T>(self, outcome: Result<T>) -> Result<T> {
        let mark = if outcome.is_ok() { "✓" } else { "✗" };
        self.finish(mark, &seconds(self.begun.elapsed()));
        outcome
    }

    /// Ends a step that had nothing to do, with the reason.
    pub(crate) fn skip(self, reason: &str) {
        self.finish("✓", reason);
    }

    fn finish(&self, mark: &str, note: &str) {
        let wipe = if self.live { "\r\x1b[2K" } else { "" };
        outln!("{wipe}  {mark} {:<44} {note:>8}", self.label);
    }

    fn draw(&self) {
        if self.live {
            let time = seconds(self.begun.elapsed());
            let mut out = std::io::stdout();
            let _ = write!(out, "\r\x1b[2K  … {:<44} {time:>8}", self.label);
            let _ = out.flush();
        }
    }
}

/// Formats a time as `7.3 s`, or `4 min 05 s` from a minute on.
pub(crate) fn seconds(time: Duration) -> String {
    let whole = time.as_secs();
    if whole < 60 {
        format!("{whole}.{} s", time.subsec_millis() / 100)
    } else {
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_short_and_long_times() {
        assert_eq!(seconds(Duration::from_millis(730)), "0.7 s");
        assert_eq!(seconds(Duration::from_millis(59_990)), "59.9 s");
        assert_eq!(seconds(Duration::from_secs(245)), "4 min 05 s");
    }
}
