//! What the person sees: one line a step, with the seconds it has taken.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Where there is no terminal (CI), a sign of life this often.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// A line for the person. Whoever pipes us into `head` closes the pipe early;
/// that is no reason to leave a mesh half started, so it is ignored.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($text)*);
    }};
}

/// A running step. It shows itself while it lasts and says how it ended.
pub(crate) struct Step {
    label: String,
    begun: Instant,
    shown: Instant,
    live: bool,
}

impl Step {
    /// A step shown on one line that counts its seconds.
    pub(crate) fn begin(label: impl Into<String>) -> Self {
        let now = Instant::now();
        let step = Self {
            label: label.into(),
            begun: now,
            shown: now,
            live: std::io::stdout().is_terminal(),
        };
        step.draw();
        step
    }

    /// A step whose own output (cargo's, npm's) is the progress.
    pub(crate) fn announce(label: impl Into<String>) -> Self {
        let label = label.into();
        say!("  … {label}");
        let now = Instant::now();
        Self { label, begun: now, shown: now, live: false }
    }

    /// Called while waiting; redraws the seconds.
    pub(crate) fn tick(&mut self) {
        if self.live {
            self.draw();
        } else if self.shown.elapsed() >= HEARTBEAT {
            say!("  … {} ({})", self.label, seconds(self.begun.elapsed()));
            self.shown = Instant::now();
        }
    }

    /// How long it has taken so far.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The step succeeded.
    pub(crate) fn done(self) {
        let note = seconds(self.begun.elapsed());
        self.finish("✓", &note);
    }

    /// There was nothing to do, and why.
    pub(crate) fn fresh(self, why: &str) {
        self.finish("✓", why);
    }

    /// The step failed; the error itself is told by whoever ends the program.
    pub(crate) fn failed(self) {
        let note = seconds(self.begun.elapsed());
        self.finish("✗", &note);
    }

    fn finish(&self, mark: &str, note: &str) {
        let wipe = if self.live { "\r\x1b[2K" } else { "" };
        say!("{wipe}  {mark} {:<44} {note:>8}", self.label);
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

/// `7.3 s`, or `4 min 05 s` for what took longer than a minute.
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
    fn time_reads_well_at_both_ends() {
        assert_eq!(seconds(Duration::from_millis(730)), "0.7 s");
        assert_eq!(seconds(Duration::from_millis(59_990)), "59.9 s");
        assert_eq!(seconds(Duration::from_secs(245)), "4 min 05 s");
    }
}
