//! The rate limit of M-Pesa prompts per phone.

use std::time::Duration;

use time::OffsetDateTime;
use types::SlidingWindow;

use super::State;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// Limits the prompts that a phone gets and does not pay. A player can type any number, so the
/// limit applies to the phone, whichever player asks: it stops players who would make a stranger's
/// phone ring all day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PromptRateLimit {
    hour: SlidingWindow,
    day: SlidingWindow,
}

/// A prompt that was sent to a phone, or is about to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prompt {
    pub(crate) at: OffsetDateTime,
    /// The state of its payment.
    pub(crate) state: State,
}

impl Prompt {
    /// Whether the phone may have shown this prompt without paying.
    const fn is_unpaid(self) -> bool {
        match self.state {
            State::Created
            | State::Held
            | State::Submitting
            | State::Submitted
            | State::Expired
            | State::Conflicted => true,
            State::Succeeded => false,
            State::Failed(failure) => failure.may_have_prompted(),
        }
    }
}

impl PromptRateLimit {
    /// Allows so many unpaid prompts in any hour, and in any day.
    pub(crate) const fn new(per_hour: u16, per_day: u16) -> Self {
        Self {
            hour: SlidingWindow::new(per_hour as usize, HOUR),
            day: SlidingWindow::new(per_day as usize, DAY),
        }
    }

    /// Returns the time before which prompts do not count.
    pub(crate) fn since(now: OffsetDateTime) -> OffsetDateTime {
        now - DAY
    }

    /// Returns how many of the newest prompts of each outcome are needed to decide.
    pub(crate) fn needed(self) -> usize {
        self.hour.limit.max(self.day.limit)
    }

    /// Returns how long the phone's next prompt has to wait, or `None` when it may be sent now.
    /// `prompts` are all prompts since [`Self::since`], in any order.
    pub(crate) fn wait(self, prompts: &[Prompt], now: OffsetDateTime) -> Option<Duration> {
        let unpaid_prompts = prompts.iter().filter(|prompt| prompt.is_unpaid());
        let mut times: Vec<OffsetDateTime> = unpaid_prompts.map(|prompt| prompt.at).collect();
        times.sort_unstable();
        self.hour.wait(&times, now).max(self.day.wait(&times, now))
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;
    use crate::domain::Failure;

    const NOW: OffsetDateTime = datetime!(2026-11-20 12:00 UTC);
    const LIMIT: PromptRateLimit = PromptRateLimit::new(3, 4);

    fn prompt(minutes_ago: i64, state: State) -> Prompt {
        Prompt { at: NOW - time::Duration::minutes(minutes_ago), state }
    }

    /// Returns the wait in minutes after unpaid prompts of these ages in minutes.
    fn wait(minutes_ago: &[i64]) -> Option<u64> {
        let unpaid = State::Failed(Failure::Cancelled);
        let prompts: Vec<_> = minutes_ago.iter().map(|ago| prompt(*ago, unpaid)).collect();
        LIMIT.wait(&prompts, NOW).map(|left| left.as_secs() / 60)
    }

    #[test]
    fn waits_until_the_oldest_prompt_leaves_the_hour() {
        assert_eq!(wait(&[]), None);
        assert_eq!(wait(&[1, 2]), None);
        assert_eq!(wait(&[1, 2, 50]), Some(10));
        assert_eq!(wait(&[1, 2, 60]), None);
    }

    #[test]
    fn waits_until_the_oldest_prompt_leaves_the_day() {
        assert_eq!(wait(&[100, 200, 300]), None);
        assert_eq!(wait(&[100, 200, 300, 400]), Some(24 * 60 - 400));
        assert_eq!(wait(&[1, 2, 3, 400]), Some(24 * 60 - 400));
    }

    #[test]
    fn counts_open_expired_and_conflicted_prompts_but_no_paid_ones() {
        let waits = |state| LIMIT.wait(&[prompt(1, state); 3], NOW).is_some();
        for state in [State::Created, State::Submitting, State::Submitted] {
            assert!(waits(state), "{state:?}");
        }
        assert!(waits(State::Expired));
        assert!(waits(State::Conflicted));
        assert!(!waits(State::Succeeded));
    }

    #[test]
    fn counts_only_failures_after_which_the_phone_may_have_rung() {
        let waits = |failure| LIMIT.wait(&[prompt(1, State::Failed(failure)); 3], NOW).is_some();
        for failure in [
            Failure::Cancelled,
            Failure::WrongPin,
            Failure::LowFunds,
            Failure::NoAnswer,
            Failure::OverMpesaLimit,
        ] {
            assert!(waits(failure), "{failure:?}");
        }
        for failure in [
            Failure::NotMpesa,
            Failure::PhoneBusy,
            Failure::TooSoon,
            Failure::Unreachable,
            Failure::ProviderError,
        ] {
            assert!(!waits(failure), "{failure:?}");
        }
    }
}
