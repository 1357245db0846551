//! The limit on guesses at the codes of all phones together.
//!
//! Five guesses at a code of six digits are hopeless for one phone. Someone who has codes sent to
//! thousands of phones, by thousands of addresses, needs only one of them. So strangers' wrong
//! guesses are counted over all phones, and from a number on that the players of a quiet day do not
//! reach, strangers' codes are a thousand times as hard to guess. No one is refused for it.

use super::{CodeLength, SentCode, Standing};

/// Wrong guesses of strangers at all codes in 24 hours, without those that were followed by the
/// right one: a player who mistypes a code usually finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrongGuesses(pub(crate) i64);

impl WrongGuesses {
    /// Wrong guesses from which on strangers' codes have nine digits.
    const ALERT: i64 = 15;

    /// How long a code is that is sent now.
    pub(crate) fn length_for(self, standing: Standing) -> CodeLength {
        match standing {
            // Strangers cannot request codes with this standing.
            Standing::Known => CodeLength::Six,
            Standing::Unknown if self.0 < Self::ALERT => CodeLength::Six,
            Standing::Unknown => CodeLength::Nine,
        }
    }

    /// Whether a code that was sent before is too short to be guessed at now.
    pub(crate) fn void(self, sent: &SentCode) -> bool {
        sent.length != CodeLength::Nine && self.length_for(sent.standing) == CodeLength::Nine
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use time::{OffsetDateTime, macros::datetime};
    use types::Msisdn;

    use super::*;
    use crate::domain::{CodeRateLimit, SmsBudget, SmsSpent};

    const MORNING: OffsetDateTime = datetime!(2026-11-20 00:00 UTC);
    const QUARTER: Duration = Duration::from_mins(15);

    fn sent(length: CodeLength, standing: Standing, now: OffsetDateTime) -> SentCode {
        SentCode {
            phone: Msisdn::parse("0712345678").unwrap(),
            mac: [0; 32],
            length,
            standing,
            tries: 0,
            expires_at: now + Duration::from_mins(5),
            ended: false,
        }
    }

    #[test]
    fn strangers_codes_are_long_from_the_alert_on_and_owners_never() {
        for (wrong, expected) in [(14, CodeLength::Six), (15, CodeLength::Nine)] {
            assert_eq!(WrongGuesses(wrong).length_for(Standing::Unknown), expected, "{wrong}");
            assert_eq!(WrongGuesses(wrong).length_for(Standing::Known), CodeLength::Six);
        }
    }

    #[test]
    fn short_codes_that_strangers_asked_for_before_the_alert_are_void() {
        let alert = WrongGuesses(15);
        assert!(alert.void(&sent(CodeLength::Six, Standing::Unknown, MORNING)));
        assert!(!alert.void(&sent(CodeLength::Nine, Standing::Unknown, MORNING)));
        assert!(!alert.void(&sent(CodeLength::Six, Standing::Known, MORNING)));
        assert!(!WrongGuesses(14).void(&sent(CodeLength::Six, Standing::Unknown, MORNING)));
    }

    /// What a day of guessing at all phones finds, by the rules that svc-auth applies. The attacker
    /// has as many addresses and captchas as they like.
    #[test]
    fn guessing_at_ten_thousand_phones_finds_less_than_one_code_in_ten_thousand_days() {
        let budget = SmsBudget { hour: 1_000, day: 10_000 };
        let mut phones = vec![Vec::new(); 10_000];
        let (mut codes, mut in_hour, mut wrong) = (0_i64, 0_i64, 0_i64);
        // Counted in parts of a billion: a guess at six digits, and one at nine.
        let mut found = 0_u64;
        for quarter in 0..96 {
            let now = MORNING + QUARTER * quarter;
            in_hour = if quarter % 4 == 0 { 0 } else { in_hour };
            for times in &mut phones {
                let Ok(counted) = CodeRateLimit::record(times, now) else { continue };
                let spent =
                    SmsSpent { hour: in_hour + 1, day: codes + 1, strange_hour: 0, strange_day: 0 };
                // All of these phones have accounts, which is what the attacker wants.
                if !budget.covers(spent, true) {
                    break;
                }
                *times = counted;
                (codes, in_hour) = (codes + 1, in_hour + 1);
                let length = WrongGuesses(wrong).length_for(Standing::Unknown);
                let mut code = sent(length, Standing::Unknown, now);
                while code.takes_guesses(now) && !WrongGuesses(wrong).void(&code) {
                    code.tries += 1;
                    wrong += 1;
                    found += if length == CodeLength::Six { 1_000 } else { 1 };
                }
            }
        }
        assert_eq!(codes, budget.day, "the attacker uses the whole budget");
        assert!(found <= 100_000, "{found} of a billion: at most 1e-4 a day");
    }
}
