//! Which withdrawals an operator looks at before they are sent.
//!
//! The rules compare sums, not single amounts: an attacker who empties a stolen account, or cashes
//! a stolen card, would split what is too large for a rule.

use std::time::Duration;

use time::OffsetDateTime;
use types::{Money, Text, time_and_date};

/// For how long money from cards and from friends is fresh, and the longer of the two spans over
/// which withdrawals are summed.
pub(crate) const WEEK: Duration = Duration::from_hours(7 * 24);
/// The shorter of the two spans over which withdrawals are summed.
pub(crate) const DAY: Duration = Duration::from_hours(24);

/// The rules of the operators.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReviewRules {
    /// Withdrawals of players who joined less than this ago are held.
    pub(crate) younger_than: Duration,
    /// The most that may leave of money that came from cards and from friends in a week.
    pub(crate) fresh_over: Money,
    /// The most that a player may withdraw in the week of the first withdrawals.
    pub(crate) first_over: Money,
    /// The most that may leave in a day.
    pub(crate) day_over: Money,
    /// The most that may leave in a week.
    pub(crate) week_over: Money,
    /// The most that players who share a phone may withdraw to it in a week.
    pub(crate) shared_phone_over: Money,
    /// The time in which operators decide.
    pub(crate) decided_within: Duration,
}

/// The facts by which a withdrawal is reviewed: the money that left the wallet before, and where the
/// money in it came from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReviewFacts {
    /// The amounts of earlier withdrawals of the last [`DAY`], open ones included. Those that an
    /// operator approved are left out.
    pub(crate) day: Money,
    /// The amounts of earlier withdrawals of the last [`WEEK`], with the same exception.
    pub(crate) week: Money,
    /// Whether a withdrawal that is older than [`WEEK`] succeeded.
    pub(crate) has_withdrawn: bool,
    /// The balance that no open withdrawal holds.
    pub(crate) available: Money,
    /// The money in the wallet that came from cards and from friends in the last [`WEEK`]: packages
    /// and boosts spend fresh money first, and withdrawals spend it last.
    pub(crate) fresh: Money,
    /// The fresh money that earlier withdrawals of the last [`WEEK`] took, with the same exception.
    pub(crate) fresh_sent: Money,
    /// The amounts of withdrawals of the last [`WEEK`] to the same phone, those of all players
    /// together, with the same exception; `None` unless another player's is among them.
    pub(crate) shared_phone: Option<Money>,
    /// Whether the owner of a card disputes a payment into the wallet, or has won a dispute whose
    /// money is still in it.
    pub(crate) is_disputed: bool,
}

/// Why an operator looks at a withdrawal. The texts are the values of the column
/// `b2c_payout.review_reason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ReviewReason {
    /// The owner of a card disputes a payment into the wallet, or has won.
    Disputed,
    /// The player joined a short time ago.
    NewAccount,
    /// Too much leaves of what came from cards and from friends in a week.
    FreshMoney,
    /// The player's withdrawals of the first week are too large together.
    FirstWithdrawals,
    /// Too much leaves in a day.
    Day,
    /// Too much leaves in a week.
    Week,
    /// Players who share the phone withdraw too much to it in a week.
    SharedPhone,
    /// A rule that this release does not know held the withdrawal: a newer release did, before a
    /// rollback. It is never stored.
    #[strum(disabled)]
    OfAnotherRelease,
}

/// An operator's review of a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Review {
    pub(crate) reason: ReviewReason,
    /// The figure of the rule; `None` for a rule without one.
    pub(crate) over: Option<Money>,
    /// The time by which operators decide.
    pub(crate) by: OffsetDateTime,
}

impl ReviewRules {
    /// Returns the first rule by which an operator looks at a withdrawal that takes `amount` and
    /// `fee` out of the wallet. `age` is how long ago the player joined.
    pub(crate) fn review(
        self,
        (amount, fee): (Money, Money),
        facts: &ReviewFacts,
        age: Duration,
        now: OffsetDateTime,
    ) -> Option<Review> {
        let [day, week] = [facts.day, facts.week].map(|earlier| earlier.checked_add(amount));
        let first = if facts.has_withdrawn { Some(Money::ZERO) } else { week };
        let fresh = match facts.fresh_part((amount, fee)) {
            // A withdrawal of other money does not wait for what earlier ones took.
            Money::ZERO => Some(Money::ZERO),
            part => facts.fresh_sent.checked_add(part),
        };
        let shared = facts.shared_phone.map_or(Some(Money::ZERO), |sum| sum.checked_add(amount));
        let sums = [
            (ReviewReason::FreshMoney, fresh, self.fresh_over),
            (ReviewReason::FirstWithdrawals, first, self.first_over),
            (ReviewReason::Day, day, self.day_over),
            (ReviewReason::Week, week, self.week_over),
            (ReviewReason::SharedPhone, shared, self.shared_phone_over),
        ];
        let (reason, over) = if facts.is_disputed {
            (ReviewReason::Disputed, None)
        } else if age < self.younger_than {
            (ReviewReason::NewAccount, None)
        } else {
            // A sum that overflows is above every figure.
            let is_over = |sum: Option<Money>, over| sum.is_none_or(|sum| sum > over);
            let (reason, _, over) = sums.into_iter().find(|(_, sum, over)| is_over(*sum, *over))?;
            (reason, Some(over))
        };
        Some(Review { reason, over, by: now + self.decided_within })
    }
}

impl ReviewFacts {
    /// Returns the part that is fresh money of a withdrawal that takes `amount` and `fee` out of the
    /// wallet: what its other money does not cover.
    pub(crate) fn fresh_part(&self, (amount, fee): (Money, Money)) -> Money {
        let taken = amount.checked_add(fee).unwrap_or(Money::from_cents(i64::MAX));
        let other = self.available.checked_sub(self.fresh).unwrap_or_default().max(Money::ZERO);
        taken.checked_sub(other).unwrap_or_default().max(Money::ZERO)
    }
}

impl ReviewReason {
    /// Parses the reason that is stored with a withdrawal.
    pub(crate) fn of_stored(text: &str) -> Self {
        text.parse().unwrap_or(Self::OfAnotherRelease)
    }

    /// Returns what an operator reads about a withdrawal that is held.
    pub(crate) const fn remark(self) -> &'static str {
        match self {
            Self::Disputed => "a card payment into the wallet is disputed",
            Self::NewAccount => "the player joined a short time ago",
            Self::FreshMoney => "it takes money of the last week from cards or friends",
            Self::FirstWithdrawals => "the first withdrawals are large",
            Self::Day => "much leaves in a day",
            Self::Week => "much leaves in a week",
            Self::SharedPhone => "other players withdraw to the phone, too",
            Self::OfAnotherRelease => "by a rule of another release",
        }
    }

    const fn text_key(self) -> &'static str {
        match self {
            Self::Disputed => "WITHDRAWAL_HELD_DISPUTED",
            Self::NewAccount => "WITHDRAWAL_HELD_NEW_ACCOUNT",
            Self::FreshMoney => "WITHDRAWAL_HELD_FRESH_MONEY",
            Self::FirstWithdrawals => "WITHDRAWAL_HELD_FIRST",
            Self::Day => "WITHDRAWAL_HELD_DAY",
            Self::Week => "WITHDRAWAL_HELD_WEEK",
            Self::SharedPhone => "WITHDRAWAL_HELD_SHARED_PHONE",
            Self::OfAnotherRelease => "WITHDRAWAL_HELD_RULE",
        }
    }
}

impl Review {
    /// Returns what the player reads while the withdrawal is held: the rule, and by when operators
    /// decide, in Nairobi's time.
    pub(crate) fn text(&self) -> Text {
        let (time, date) = time_and_date(self.by);
        let text = Text::new(self.reason.text_key()).with("time", time).with("date", date);
        match self.over {
            Some(over) => text.with("over", over),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-28 09:30 UTC);
    const RULES: ReviewRules = ReviewRules {
        younger_than: Duration::from_hours(1),
        fresh_over: Money::from_shillings(1_000),
        first_over: Money::from_shillings(20_000),
        day_over: Money::from_shillings(100_000),
        week_over: Money::from_shillings(250_000),
        shared_phone_over: Money::from_shillings(3_000),
        decided_within: Duration::from_hours(4),
    };
    /// A player of long ago, with KES 500,000 that came by M-Pesa.
    const USUAL: ReviewFacts = ReviewFacts {
        day: Money::ZERO,
        week: Money::ZERO,
        has_withdrawn: true,
        available: Money::from_shillings(500_000),
        fresh: Money::ZERO,
        fresh_sent: Money::ZERO,
        shared_phone: None,
        is_disputed: false,
    };

    fn reason(shillings: i32, facts: ReviewFacts) -> Option<ReviewReason> {
        let amounts = (Money::from_shillings(shillings), Money::ZERO);
        RULES.review(amounts, &facts, RULES.younger_than, NOW).map(|review| review.reason)
    }

    #[test]
    fn the_first_withdrawals_are_summed() {
        let new = ReviewFacts { has_withdrawn: false, ..USUAL };
        assert_eq!(reason(20_000, new), None);
        assert_eq!(reason(20_001, new), Some(ReviewReason::FirstWithdrawals));
        let second = ReviewFacts { week: Money::from_shillings(10), ..new };
        assert_eq!(reason(19_990, second), None);
        assert_eq!(reason(19_991, second), Some(ReviewReason::FirstWithdrawals));
        assert_eq!(reason(20_001, USUAL), None);
    }

    #[test]
    fn withdrawals_of_a_day_and_of_a_week_are_summed() {
        let day = Money::from_shillings(60_000);
        let facts = ReviewFacts { day, week: day, ..USUAL };
        assert_eq!(reason(40_000, facts), None);
        assert_eq!(reason(40_001, facts), Some(ReviewReason::Day));
        let week = Money::from_shillings(200_000);
        let facts = ReviewFacts { day: Money::ZERO, week, ..USUAL };
        assert_eq!(reason(50_000, facts), None);
        assert_eq!(reason(50_001, facts), Some(ReviewReason::Week));
    }

    #[test]
    fn withdrawals_to_a_phone_are_summed_once_players_share_it() {
        let shared_phone = Some(Money::from_shillings(2_000));
        let facts = ReviewFacts { shared_phone, ..USUAL };
        assert_eq!(reason(1_000, facts), None);
        assert_eq!(reason(1_001, facts), Some(ReviewReason::SharedPhone));
        assert_eq!(reason(50_000, USUAL), None);
    }

    #[test]
    fn fresh_money_may_leave_up_to_a_sum_however_often() {
        let all_fresh = Money::from_shillings(10_000);
        let facts = ReviewFacts { available: all_fresh, fresh: all_fresh, ..USUAL };
        assert_eq!(reason(1_000, facts), None);
        assert_eq!(reason(1_001, facts), Some(ReviewReason::FreshMoney));
        // KES 600 were withdrawn before, of the same fresh money.
        let (left, fresh_sent) = (Money::from_shillings(9_400), Money::from_shillings(600));
        let second = ReviewFacts { available: left, fresh: left, fresh_sent, ..facts };
        assert_eq!(reason(400, second), None);
        assert_eq!(reason(401, second), Some(ReviewReason::FreshMoney));
        // KES 5,000 of the wallet are older.
        let mixed = ReviewFacts { available: Money::from_shillings(15_000), ..facts };
        assert_eq!(reason(6_000, mixed), None);
        assert_eq!(reason(6_001, mixed), Some(ReviewReason::FreshMoney));
        // Older money leaves, whatever has left of the fresh.
        let mixed = ReviewFacts { fresh_sent: all_fresh, ..mixed };
        assert_eq!(reason(5_000, mixed), None);
        assert_eq!(reason(5_001, mixed), Some(ReviewReason::FreshMoney));
    }

    #[test]
    fn a_withdrawal_takes_fresh_money_once_the_other_is_gone() {
        let [available, fresh] = [9_000, 6_000].map(Money::from_shillings);
        let facts = ReviewFacts { available, fresh, ..USUAL };
        let part = |shillings, cents| {
            facts.fresh_part((Money::from_shillings(shillings), Money::from_cents(cents)))
        };
        assert_eq!(part(3_000, 0), Money::ZERO);
        assert_eq!(part(3_000, 1), Money::from_cents(1));
        assert_eq!(part(8_000, 0), Money::from_shillings(5_000));
    }

    #[test]
    fn the_fee_takes_fresh_money_too() {
        let fresh = Money::from_shillings(10_000);
        let facts = ReviewFacts { available: fresh, fresh, ..USUAL };
        let amounts = (Money::from_shillings(1_000), Money::from_cents(1));
        let review = RULES.review(amounts, &facts, RULES.younger_than, NOW);
        assert_eq!(review.map(|review| review.reason), Some(ReviewReason::FreshMoney));
    }

    #[test]
    fn a_new_players_withdrawal_is_held_and_so_is_one_beside_a_dispute() {
        let small = (Money::from_shillings(10), Money::ZERO);
        let young = RULES.younger_than.saturating_sub(Duration::from_secs(1));
        let review = RULES.review(small, &USUAL, young, NOW).unwrap();
        assert_eq!((review.reason, review.over), (ReviewReason::NewAccount, None));
        let disputed = ReviewFacts { is_disputed: true, ..USUAL };
        assert_eq!(reason(10, disputed), Some(ReviewReason::Disputed));
    }

    #[test]
    fn the_player_reads_the_rule_and_when_operators_decide_in_nairobis_time() {
        let new = ReviewFacts { has_withdrawn: false, ..USUAL };
        let amounts = (Money::from_shillings(30_000), Money::ZERO);
        let review = RULES.review(amounts, &new, RULES.younger_than, NOW).unwrap();
        let text = Text::new("WITHDRAWAL_HELD_FIRST")
            .with("time", "16:30")
            .with("date", "28/11")
            .with("over", Money::from_shillings(20_000));
        assert_eq!(review.text(), text);
    }

    #[test]
    fn a_reason_of_another_release_is_read() {
        assert_eq!(ReviewReason::of_stored("FRESH_MONEY"), ReviewReason::FreshMoney);
        for unknown in ["NEXT_RULE", "OF_ANOTHER_RELEASE", ""] {
            assert_eq!(ReviewReason::of_stored(unknown), ReviewReason::OfAnotherRelease);
        }
    }
}
