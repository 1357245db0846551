//! Subscriptions: for how long a player holds a package.

use time::{Duration, OffsetDateTime};

use super::Package;

types::id! {
    /// Identifies a subscription.
    pub(crate) SubscriptionId: "subscription"
}

/// The time that one payment buys.
const DAY: Duration = Duration::hours(24);

/// A time for which a player holds a package without a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) starts_at: OffsetDateTime,
    /// The first moment after the term.
    pub(crate) expires_at: OffsetDateTime,
}

/// A package that a player holds for a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Subscription {
    pub(crate) id: SubscriptionId,
    pub(crate) package: Package,
    pub(crate) term: Term,
}

impl Term {
    /// Returns a term of one day from now.
    pub(crate) fn day_from(now: OffsetDateTime) -> Self {
        Self { starts_at: now, expires_at: now + DAY }
    }

    /// Returns the term with one more day, bought at `now`; `None` when the term has ended, so that
    /// the day begins a new one.
    pub(crate) fn extended(self, now: OffsetDateTime) -> Option<Self> {
        let extended = Self { expires_at: self.expires_at + DAY, ..self };
        (!self.has_ended(now)).then_some(extended)
    }

    /// Removes up to one unused day.
    pub(crate) fn shortened(self, now: OffsetDateTime) -> Self {
        let earlier = (self.expires_at - DAY).max(now).max(self.starts_at);
        Self { expires_at: earlier.min(self.expires_at), ..self }
    }

    pub(crate) fn has_ended(self, now: OffsetDateTime) -> bool {
        self.expires_at <= now
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::macros::datetime;

    use super::*;

    const BEGINNING: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn at(minutes: i64) -> OffsetDateTime {
        BEGINNING + Duration::minutes(minutes)
    }

    /// Returns the terms of a player after settlements at these minutes.
    fn settle(minutes: &[i64]) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        for minute in minutes {
            let now = at(*minute);
            match terms.last_mut().and_then(|last| Some((last.extended(now)?, last))) {
                Some((extended, last)) => *last = extended,
                None => terms.push(Term::day_from(now)),
            }
        }
        terms
    }

    fn length(terms: &[Term]) -> Duration {
        terms.iter().map(|term| term.expires_at - term.starts_at).sum()
    }

    #[test]
    fn a_day_that_is_bought_while_one_runs_follows_it() {
        let [term] = settle(&[0, 60])[..] else { panic!("one term") };
        assert_eq!((term.starts_at, term.expires_at), (at(0), at(2 * 24 * 60)));
    }

    #[test]
    fn a_day_that_is_bought_at_the_end_of_the_last_begins_then() {
        let [first, second] = settle(&[0, 24 * 60])[..] else { panic!("two terms") };
        assert_eq!(first.expires_at, second.starts_at);
        assert!(first.has_ended(second.starts_at) && !second.has_ended(second.starts_at));
    }

    #[test]
    fn a_day_that_is_given_back_takes_only_what_is_left_of_it() {
        let one = Term::day_from(at(0));
        assert_eq!(one.shortened(at(60)).expires_at, at(60));
        assert_eq!(one.shortened(at(24 * 60 + 1)), one, "it had ended");
        assert_eq!(one.shortened(at(-1)).expires_at, at(0), "by another clock");
        let two = one.extended(at(60)).unwrap();
        assert_eq!(two.shortened(at(60)).expires_at, at(24 * 60));
        assert_eq!(two.shortened(at(30 * 60)).expires_at, at(30 * 60));
    }

    proptest! {
        #[test]
        fn the_end_depends_on_the_times_of_settlement_alone(
            mut minutes in prop::collection::vec(0_i64..10_000, 1..12),
        ) {
            minutes.sort_unstable();
            let terms = settle(&minutes);
            // The end is the same whichever payment is settled at which of these times.
            let days = |index: usize| DAY * i32::try_from(minutes.len() - index).unwrap();
            let ends = minutes.iter().enumerate().map(|(index, minute)| at(*minute) + days(index));
            prop_assert_eq!(Some(terms.last().unwrap().expires_at), ends.max());
        }

        #[test]
        fn every_payment_is_a_whole_day_and_no_two_overlap(
            mut minutes in prop::collection::vec(0_i64..10_000, 1..12),
        ) {
            minutes.sort_unstable();
            let terms = settle(&minutes);
            prop_assert_eq!(length(&terms), DAY * i32::try_from(minutes.len()).unwrap());
            prop_assert!(terms.windows(2).all(|pair| pair[0].expires_at <= pair[1].starts_at));
            for minute in minutes {
                prop_assert!(terms.iter().any(|term| term.starts_at <= at(minute) && !term.has_ended(at(minute))));
            }
        }

        #[test]
        fn days_are_given_back_in_any_order_with_the_same_end(
            days in 1_i32..8, back in 0_i32..8, now in 0_i64..12_000, later in 0_i64..600,
        ) {
            let back = back.min(days);
            let all = Term { starts_at: at(0), expires_at: at(0) + DAY * days };
            let together = (0..back).fold(all, |term, _| term.shortened(at(now)));
            prop_assert_eq!(
                together.expires_at,
                (all.expires_at - DAY * back).max(at(now)).min(all.expires_at)
            );
            // Buying before or after the refund makes no difference while the term runs.
            let moment = at(now + later);
            let bought = together.extended(moment).map(|term| term.shortened(moment));
            if let Some(term) = bought {
                prop_assert_eq!(term.expires_at, together.expires_at);
            }
        }
    }
}
