//! The limit on codes that are sent to all phones together, because each costs money.

/// Messages that may be sent. It bounds the loss from SMS pumping: asking for codes to
/// numbers whose network pays the attacker a share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SmsBudget {
    /// Messages in one hour of the clock.
    pub(crate) hour: i64,
    /// Messages in 24 hours of the clock, the current one included.
    pub(crate) day: i64,
}

/// Messages that were sent, the current one included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SmsSpent {
    pub(crate) hour: i64,
    pub(crate) day: i64,
    /// Messages of the hour to phones without an account.
    pub(crate) strange_hour: i64,
    /// Messages of the day to phones without an account.
    pub(crate) strange_day: i64,
}

impl SmsBudget {
    /// Whether the budget allowed the message counted last. Half of the hour's and of the day's is
    /// kept for phones that have an account, so that numbers without one keep no player out.
    pub(crate) fn covers(self, spent: SmsSpent, has_account: bool) -> bool {
        let is_total_covered = spent.hour <= self.hour && spent.day <= self.day;
        let is_share_covered = spent.strange_hour <= self.hour - self.hour / 2
            && spent.strange_day <= self.day - self.day / 2;
        is_total_covered && (has_account || is_share_covered)
    }

    /// The factor on a captcha's work, by what this hour has spent: an attacker who would
    /// spend all of the budget pays more and more, and a player a second or two.
    pub(crate) fn captcha_factor(self, spent_this_hour: i64) -> u32 {
        match spent_this_hour.saturating_mul(4) {
            quarters if quarters >= self.hour.saturating_mul(3) => 8,
            quarters if quarters >= self.hour => 2,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captchas_take_more_work_the_more_was_spent() {
        let budget = SmsBudget { hour: 1_000, day: 10_000 };
        for (spent, factor) in [(0, 1), (249, 1), (250, 2), (749, 2), (750, 8), (1_000, 8)] {
            assert_eq!(budget.captcha_factor(spent), factor, "{spent}");
        }
    }

    #[test]
    fn a_budget_covers_its_last_message_and_not_one_more() {
        let budget = SmsBudget { hour: 3, day: 5 };
        for (hour, day, covered) in [(3, 5, true), (4, 4, false), (1, 6, false)] {
            let spent = SmsSpent { hour, day, strange_hour: 0, strange_day: 0 };
            assert_eq!(budget.covers(spent, true), covered, "{hour} {day}");
        }
    }

    #[test]
    fn half_of_an_hour_and_of_a_day_is_kept_for_phones_with_an_account() {
        let budget = SmsBudget { hour: 9, day: 10 };
        for (strange_hour, strange_day, covered) in [(5, 5, true), (6, 6, false), (1, 6, false)] {
            let spent = SmsSpent { hour: 6, day: 6, strange_hour, strange_day };
            assert_eq!(budget.covers(spent, false), covered, "{strange_hour} {strange_day}");
            assert!(budget.covers(spent, true));
        }
    }
}
