//! What becomes of a refresh token that is presented.
//!
//! A session's tokens form a line: each is traded once, for the next. Whoever
//! presents one that was traded before is either its owner, whose reply was
//! lost on the way, or a thief; and once there are two holders nobody can say
//! which is which, so the whole line ends.

use std::time::Duration;

use time::OffsetDateTime;

/// SHA-256 of a refresh token: all that is kept of it.
pub(crate) type TokenHash = [u8; 32];

/// Trades that a session may have made beyond its [`pace`](Terms::pace).
const SPARE_TRADES: u32 = 100;

/// A session's line of tokens, as it stands.
#[derive(Debug, Clone)]
pub(crate) struct Lineage {
    /// The token that is good now.
    pub(crate) current: TokenHash,
    /// The one that was traded for it.
    pub(crate) previous: Option<TokenHash>,
    /// When that was; for a new session, when it began.
    pub(crate) rotated_at: OffsetDateTime,
    /// Trades so far. Each leaves a row, by which a used token is recognised.
    pub(crate) trades: u32,
    /// When the session began.
    pub(crate) created_at: OffsetDateTime,
    /// When the session ends, however busy.
    pub(crate) expires_at: OffsetDateTime,
    /// It was ended already.
    pub(crate) ended: bool,
}

/// How long things hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    /// How long the token used last gives its successor again.
    pub(crate) grace: Duration,
    /// How long a session may lie unused.
    pub(crate) idle: Duration,
    /// How often a session is traded in the long run; several times what a device needs
    /// that is always on.
    pub(crate) pace: Duration,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The good token: its successor takes its place.
    Rotate,
    /// The good token, far more often than anybody needs: not before this time has passed.
    Wait(Duration),
    /// The last one again, in time, and the successor is unused: the same
    /// successor again.
    Repeat,
    /// One that was used up: the line ends.
    Reuse,
    /// The line had ended, or nobody came for too long.
    Over,
}

impl Lineage {
    /// Judges a token of this line, and the successor that it would be given.
    pub(crate) fn judge(
        &self,
        presented: &TokenHash,
        successor: &TokenHash,
        now: OffsetDateTime,
        terms: Terms,
    ) -> Verdict {
        if self.ended || now >= self.expires_at || now >= self.rotated_at + terms.idle {
            return Verdict::Over;
        }
        if *presented == self.current {
            let next =
                self.created_at + terms.pace * (self.trades + 1).saturating_sub(SPARE_TRADES);
            return match Duration::try_from(next - now) {
                Ok(wait) if wait > Duration::ZERO => Verdict::Wait(wait),
                _ => Verdict::Rotate,
            };
        }
        // The successor is unused exactly as long as it is the good one.
        let last_used = self.previous.as_ref() == Some(presented) && *successor == self.current;
        if last_used && now < self.rotated_at + terms.grace {
            Verdict::Repeat
        } else {
            Verdict::Reuse
        }
    }

    /// Whether this is the line's first token, given a moment ago and not used: who comes
    /// again with what opened the session is given it again.
    pub(crate) fn is_just_begun(
        &self,
        first: &TokenHash,
        now: OffsetDateTime,
        terms: Terms,
    ) -> bool {
        !self.ended
            && self.trades == 0
            && *first == self.current
            && now < self.created_at + terms.grace
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);
    const TERMS: Terms = Terms {
        grace: Duration::from_secs(30),
        idle: Duration::from_hours(30 * 24),
        pace: Duration::from_mins(5),
    };
    const OLDER: TokenHash = [1; 32];
    const LAST: TokenHash = [2; 32];
    const GOOD: TokenHash = [3; 32];
    const NEXT: TokenHash = [4; 32];

    fn line() -> Lineage {
        Lineage {
            current: GOOD,
            previous: Some(LAST),
            rotated_at: NOW,
            trades: 1,
            created_at: NOW,
            expires_at: NOW + Duration::from_hours(90 * 24),
            ended: false,
        }
    }

    fn after(seconds: u64) -> OffsetDateTime {
        NOW + Duration::from_secs(seconds)
    }

    #[test]
    fn the_good_token_is_traded() {
        assert_eq!(line().judge(&GOOD, &NEXT, after(900), TERMS), Verdict::Rotate);
    }

    #[test]
    fn the_last_token_gives_the_same_successor_for_a_while() {
        for (seconds, verdict) in
            [(0, Verdict::Repeat), (29, Verdict::Repeat), (30, Verdict::Reuse)]
        {
            assert_eq!(line().judge(&LAST, &GOOD, after(seconds), TERMS), verdict, "{seconds} s");
        }
    }

    #[test]
    fn an_older_token_ends_the_line_at_once() {
        assert_eq!(line().judge(&OLDER, &LAST, NOW, TERMS), Verdict::Reuse);
    }

    #[test]
    fn a_successor_that_cannot_be_given_again_is_reuse() {
        assert_eq!(line().judge(&LAST, &NEXT, NOW, TERMS), Verdict::Reuse);
    }

    #[test]
    fn a_line_goes_on_at_its_pace_and_a_hundred_times_at_once() {
        let line = |trades| Lineage { trades, ..line() };
        for (trades, seconds, verdict) in [
            (99, 0, Verdict::Rotate),
            (100, 0, Verdict::Wait(Duration::from_mins(5))),
            (100, 299, Verdict::Wait(Duration::from_secs(1))),
            (100, 300, Verdict::Rotate),
            (101, 300, Verdict::Wait(Duration::from_mins(5))),
        ] {
            let judged = line(trades).judge(&GOOD, &NEXT, after(seconds), TERMS);
            assert_eq!(judged, verdict, "{trades} in {seconds} s");
        }
        // A device that is always on is never held up.
        let year = Duration::from_hours(90 * 24);
        let trades = u32::try_from(year.as_secs() / 600).unwrap();
        let old = Lineage { expires_at: NOW + 2 * year, rotated_at: NOW + year, ..line(trades) };
        assert_eq!(old.judge(&GOOD, &NEXT, NOW + year, TERMS), Verdict::Rotate);
    }

    #[test]
    fn the_first_token_is_given_again_for_a_while_unless_it_was_used() {
        let begun = Lineage { previous: None, trades: 0, ..line() };
        assert!(begun.is_just_begun(&GOOD, after(29), TERMS));
        assert!(!begun.is_just_begun(&GOOD, after(30), TERMS));
        assert!(!begun.is_just_begun(&LAST, NOW, TERMS));
        assert!(!line().is_just_begun(&GOOD, NOW, TERMS));
        assert!(!Lineage { ended: true, ..begun }.is_just_begun(&GOOD, NOW, TERMS));
    }

    #[test]
    fn a_line_ends_by_word_by_age_and_by_idleness() {
        let ended = Lineage { ended: true, ..line() };
        assert_eq!(ended.judge(&GOOD, &NEXT, NOW, TERMS), Verdict::Over);
        let old = Lineage { expires_at: after(60), ..line() };
        assert_eq!(old.judge(&GOOD, &NEXT, after(60), TERMS), Verdict::Over);
        let idle = after(30 * 24 * 3600);
        assert_eq!(line().judge(&GOOD, &NEXT, idle, TERMS), Verdict::Over);
    }
}
