//! The limits that players set on their own spending.

use std::time::Duration;

use thiserror::Error;
use time::{OffsetDateTime, Time};
use types::{Money, NAIROBI};

use super::{Method, Payment, PaymentKind};

/// Delays a higher limit, and the end of one, so that a loss does not lead to it.
const COOLING_OFF: Duration = Duration::from_hours(24);
/// The smallest limit.
pub(crate) const LEAST_LIMIT: Money = Money::from_shillings(10);
/// The largest limit.
pub(crate) const MOST_LIMIT: Money = Money::from_shillings(1_000_000);

/// What a player spends money on. The texts are the values of the column `spending_limit.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum SpendingKind {
    /// Top-ups of the own wallet, and boosts that are paid from outside.
    MoneyIn,
    /// Packages, by any method.
    Packages,
}

/// A period of Nairobi's calendar. The texts are the values of the column `spending_limit.period`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Period {
    Day,
    /// From Monday on.
    Week,
    Month,
}

/// One amount for each period that a time is in.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ByPeriod<T> {
    pub(crate) day: T,
    pub(crate) week: T,
    pub(crate) month: T,
}

/// What a player has spent in the periods that a time is in.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) money_in: ByPeriod<Money>,
    pub(crate) packages: ByPeriod<Money>,
}

/// A player's limit on one kind of spending in one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SpendingLimit {
    pub(crate) kind: SpendingKind,
    pub(crate) period: Period,
    /// The limit in force, if there is one.
    pub(crate) limit: Option<Money>,
    pub(crate) change: Option<LimitChange>,
}

/// A change of a limit that is to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LimitChange {
    /// The limit from then on; `None` when it ends.
    pub(crate) limit: Option<Money>,
    pub(crate) begins_at: OffsetDateTime,
}

/// A payment above a limit that its payer has set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("more than the player's own limit of {limit} a {period:?}")]
pub(crate) struct AboveSpendingLimit {
    pub(crate) period: Period,
    pub(crate) limit: Money,
    /// How much of the limit is left.
    pub(crate) left: Money,
}

impl SpendingKind {
    /// Returns what a payment is counted as; `None` for one that costs its payer nothing new.
    pub(crate) fn of(payment: &Payment) -> Option<Self> {
        match payment.kind {
            PaymentKind::TopUp => Some(Self::MoneyIn),
            PaymentKind::Boost => (payment.method != Method::Wallet).then_some(Self::MoneyIn),
            PaymentKind::Subscription => Some(Self::Packages),
            PaymentKind::Withdrawal => None,
        }
    }
}

impl Period {
    /// The periods, the shortest first.
    pub(crate) const ALL: [Self; 3] = [Self::Day, Self::Week, Self::Month];

    /// Returns the beginning of the period that a time is in.
    pub(crate) fn begin(self, now: OffsetDateTime) -> OffsetDateTime {
        let today = now.to_offset(NAIROBI).replace_time(Time::MIDNIGHT);
        let days = match self {
            Self::Day => 0,
            Self::Week => today.weekday().number_days_from_monday(),
            Self::Month => today.day() - 1,
        };
        today - time::Duration::days(days.into())
    }
}

impl<T: Copy> ByPeriod<T> {
    pub(crate) const fn of(&self, period: Period) -> T {
        match period {
            Period::Day => self.day,
            Period::Week => self.week,
            Period::Month => self.month,
        }
    }
}

impl Spent {
    pub(crate) const fn of(&self, kind: SpendingKind) -> &ByPeriod<Money> {
        match kind {
            SpendingKind::MoneyIn => &self.money_in,
            SpendingKind::Packages => &self.packages,
        }
    }
}

impl SpendingLimit {
    /// The state before a player has set a limit.
    pub(crate) const fn none(kind: SpendingKind, period: Period) -> Self {
        Self { kind, period, limit: None, change: None }
    }

    /// Returns the limit as it is at a time: a change whose time has come is in force.
    pub(crate) fn at(self, now: OffsetDateTime) -> Self {
        match self.change {
            Some(change) if change.begins_at <= now => {
                Self { limit: change.limit, change: None, ..self }
            }
            _ => self,
        }
    }

    /// Returns the limit as a player sets it: a lower one holds at once, a higher one or none
    /// begins 24 hours later. A change that is repeated keeps its time.
    pub(crate) fn set(self, wanted: Option<Money>, now: OffsetDateTime) -> Self {
        let current = self.at(now);
        let is_higher = current.limit.is_some_and(|limit| wanted.is_none_or(|new| new > limit));
        if !is_higher {
            return Self { limit: wanted, change: None, ..current };
        }
        let begins_at = match current.change {
            Some(change) if change.limit == wanted => change.begins_at,
            _ => now + COOLING_OFF,
        };
        Self { change: Some(LimitChange { limit: wanted, begins_at }), ..current }
    }

    /// Checks an amount together with what was spent in the period.
    fn check(
        self,
        amount: Money,
        spent: Money,
        now: OffsetDateTime,
    ) -> Result<(), AboveSpendingLimit> {
        let Some(limit) = self.at(now).limit else { return Ok(()) };
        match spent.checked_add(amount) {
            Some(total) if total <= limit => Ok(()),
            _ => {
                let left = limit.checked_sub(spent).unwrap_or_default().max(Money::ZERO);
                Err(AboveSpendingLimit { period: self.period, limit, left })
            }
        }
    }
}

/// Checks an amount against the limits of its payer on this kind of spending. Of several limits
/// that it exceeds, the one of the longest period is named, because it holds the longest.
pub(crate) fn check_spending_limits(
    limits: &[SpendingLimit],
    kind: SpendingKind,
    amount: Money,
    spent: &Spent,
    now: OffsetDateTime,
) -> Result<(), AboveSpendingLimit> {
    for period in Period::ALL.into_iter().rev() {
        let own = limits.iter().find(|limit| limit.kind == kind && limit.period == period);
        if let Some(limit) = own {
            limit.check(amount, spent.of(kind).of(period), now)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-26 12:00 +3);

    fn kes(shillings: i32) -> Money {
        Money::from_shillings(shillings)
    }

    fn day() -> SpendingLimit {
        SpendingLimit::none(SpendingKind::MoneyIn, Period::Day)
    }

    #[test]
    fn periods_begin_at_midnight_in_nairobi() {
        let late = datetime!(2026-11-29 22:30 UTC);
        assert_eq!(Period::Day.begin(late), datetime!(2026-11-30 00:00 +3));
        assert_eq!(Period::Week.begin(late), datetime!(2026-11-30 00:00 +3), "a Monday");
        assert_eq!(Period::Month.begin(late), datetime!(2026-11-01 00:00 +3));
        let sunday = datetime!(2026-11-29 12:00 UTC);
        assert_eq!(Period::Week.begin(sunday), datetime!(2026-11-23 00:00 +3));
    }

    #[test]
    fn a_lower_limit_holds_at_once() {
        let set = day().set(Some(kes(500)), NOW);
        assert_eq!((set.limit, set.change), (Some(kes(500)), None));
        let lower = set.set(Some(kes(200)), NOW);
        assert_eq!((lower.limit, lower.change), (Some(kes(200)), None));
    }

    #[test]
    fn a_higher_limit_and_none_begin_a_day_later() {
        let set = day().set(Some(kes(500)), NOW);
        for wanted in [Some(kes(501)), None] {
            let raised = set.set(wanted, NOW);
            let before = raised.at(NOW + COOLING_OFF - Duration::from_secs(1));
            assert_eq!(before.limit, Some(kes(500)));
            let after = raised.at(NOW + COOLING_OFF);
            assert_eq!((after.limit, after.change), (wanted, None));
        }
    }

    #[test]
    fn a_repeated_raise_keeps_its_time_and_another_one_does_not() {
        let raised = day().set(Some(kes(500)), NOW).set(Some(kes(800)), NOW);
        let later = NOW + Duration::from_hours(5);
        assert_eq!(raised.set(Some(kes(800)), later), raised);
        let another = raised.set(Some(kes(900)), later).change.unwrap();
        assert_eq!(another.begins_at, later + COOLING_OFF);
    }

    #[test]
    fn setting_the_limit_in_force_again_takes_a_raise_back() {
        let set = day().set(Some(kes(500)), NOW);
        assert_eq!(set.set(None, NOW).set(Some(kes(500)), NOW), set);
    }

    #[test]
    fn an_amount_is_checked_against_each_period_and_the_longest_is_named() {
        let month = SpendingLimit::none(SpendingKind::MoneyIn, Period::Month);
        let limits = [day().set(Some(kes(500)), NOW), month.set(Some(kes(1_000)), NOW)];
        let by_period = ByPeriod { day: kes(300), week: kes(300), month: kes(900) };
        let spent = Spent { money_in: by_period, ..Spent::default() };
        let check = |kind, amount| check_spending_limits(&limits, kind, amount, &spent, NOW);
        assert!(check(SpendingKind::MoneyIn, kes(100)).is_ok());
        assert!(check(SpendingKind::Packages, kes(5_000)).is_ok());
        let above = |period, limit, left| Err(AboveSpendingLimit { period, limit, left });
        let month = above(Period::Month, kes(1_000), kes(100));
        assert_eq!(check(SpendingKind::MoneyIn, kes(250)), month);
        let day = [limits[0]];
        let refused = check_spending_limits(&day, SpendingKind::MoneyIn, kes(201), &spent, NOW);
        assert_eq!(refused, above(Period::Day, kes(500), kes(200)));
    }
}
