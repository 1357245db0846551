//! Comparing a provider's statement of a day with our records.

use std::collections::HashMap;

use time::{Date, Duration, OffsetDateTime, Time};
use types::{Money, NAIROBI};

types::id! {
    /// Identifies a break.
    pub(crate) BreakId: "break"
}

/// Hour of the next day from which a day is compared: providers need a while to list it.
const FROM: Duration = Duration::hours(3);
/// A payment this close to midnight may be on either day at the provider.
const EDGE: Duration = Duration::hours(1);
/// Oldest missed days that are still compared, if the provider still lists them.
const MISSED: Duration = Duration::days(30);

/// A provider with a statement. The texts are the values of the column
/// `recon_break.provider`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum StatementOf {
    Mpesa,
    Paystack,
}

impl StatementOf {
    /// The name of the daily job.
    pub(crate) const fn job(self) -> &'static str {
        match self {
            Self::Mpesa => "match_mpesa",
            Self::Paystack => "match_paystack",
        }
    }

    /// Returns the next day to compare, up to `last`, for a provider whose last compared day is
    /// `done`. Days that the provider no longer lists are left out.
    pub(crate) fn next_day(self, done: Date, last: Day) -> Day {
        let oldest = match self {
            // Pull Transactions lists 48 hours, of which `last` takes up to 51.
            Self::Mpesa => last.0,
            Self::Paystack => last.0.saturating_sub(MISSED),
        };
        Day(done.next_day().unwrap_or(done).clamp(oldest, last.0))
    }

    /// Returns the name that operators read.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Mpesa => "M-Pesa",
            Self::Paystack => "Paystack",
        }
    }
}

/// The kind of a difference. The texts are the values of the column `recon_break.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum BreakKind {
    /// The provider has the payment, and we do not.
    MissingOurs,
    /// We have the payment, and the provider does not.
    MissingTheirs,
    AmountDiffers,
    /// A provider's result about a payment that the database does not have.
    Lost,
    /// The provider's balance and the ledger moved apart; both amounts are movements.
    Balance,
}

/// A payment on a provider's statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProviderLine {
    /// The receipt.
    pub(crate) reference: String,
    pub(crate) amount: Money,
    pub(crate) at: OffsetDateTime,
    /// The account reference that the payer saw.
    pub(crate) account: Option<String>,
    /// The payer's phone, as digits.
    pub(crate) phone: Option<String>,
}

/// A difference between a provider's statement and our records.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Difference {
    pub(crate) reference: String,
    pub(crate) kind: BreakKind,
    pub(crate) ours: Option<Money>,
    pub(crate) theirs: Option<Money>,
}

/// A break as it is stored.
#[derive(Debug, Clone)]
pub(crate) struct Break {
    pub(crate) id: BreakId,
    pub(crate) of: StatementOf,
    pub(crate) difference: Difference,
    pub(crate) found_at: OffsetDateTime,
    pub(crate) resolution: Option<String>,
}

/// A day in Nairobi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Day(pub(crate) Date);

impl Day {
    /// Returns the day of a time.
    pub(crate) fn of(at: OffsetDateTime) -> Self {
        Self(at.to_offset(NAIROBI).date())
    }

    /// The last day that can be compared at `now`.
    pub(crate) fn last(now: OffsetDateTime) -> Self {
        let Self(date) = Self::of(now - FROM);
        Self(date.previous_day().unwrap_or(date))
    }

    /// Returns the beginning of the day, and that of the next.
    pub(crate) fn span(self) -> (OffsetDateTime, OffsetDateTime) {
        let begin = self.0.with_time(Time::MIDNIGHT).assume_offset(NAIROBI);
        (begin, begin + Duration::DAY)
    }

    /// Returns the day ± [`EDGE`], because the provider may book a payment on an adjacent day.
    pub(crate) fn wide_span(self) -> (OffsetDateTime, OffsetDateTime) {
        let (begin, end) = self.span();
        (begin - EDGE, end + EDGE)
    }
}

/// Returns the differences of a day. `theirs` has the lines of the wide span, `known` our amounts
/// under their references, `ours` our payments of the day.
pub(crate) fn compare(
    day: Day,
    theirs: &[ProviderLine],
    known: &HashMap<String, Money>,
    ours: &[(String, Money)],
) -> Vec<Difference> {
    let (begin, end) = day.span();
    let of_day = theirs.iter().filter(|line| line.at >= begin && line.at < end);
    let mut found: Vec<Difference> = of_day
        .filter_map(|line| {
            let ours = known.get(&line.reference).copied();
            let kind = match ours {
                None => BreakKind::MissingOurs,
                Some(amount) if amount != line.amount => BreakKind::AmountDiffers,
                Some(_) => return None,
            };
            let reference = line.reference.clone();
            Some(Difference { reference, kind, ours, theirs: Some(line.amount) })
        })
        .collect();
    let listed: HashMap<&str, Money> =
        theirs.iter().map(|line| (line.reference.as_str(), line.amount)).collect();
    found.extend(
        ours.iter().filter(|(reference, _)| !listed.contains_key(reference.as_str())).map(
            |(reference, amount)| Difference {
                reference: reference.clone(),
                kind: BreakKind::MissingTheirs,
                ours: Some(*amount),
                theirs: None,
            },
        ),
    );
    found
}

impl Difference {
    /// Whether the amounts that are known now end the difference.
    pub(crate) fn is_matched(&self, theirs: Option<Money>, ours: Option<Money>) -> bool {
        let theirs = theirs.or(self.theirs);
        ours.is_some() && ours == theirs
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    const DAY: Day = Day(date!(2026 - 11 - 20));
    const NOON: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn line(reference: &str, shillings: i32, at: OffsetDateTime) -> ProviderLine {
        ProviderLine {
            reference: reference.to_owned(),
            amount: Money::from_shillings(shillings),
            at,
            account: None,
            phone: None,
        }
    }

    #[test]
    fn a_day_begins_at_midnight_in_nairobi_and_is_compared_from_three_on() {
        assert_eq!(Day::last(datetime!(2026-11-20 23:59 UTC)), Day(date!(2026 - 11 - 19)));
        assert_eq!(Day::last(datetime!(2026-11-21 00:00 UTC)), DAY);
        let span = (datetime!(2026-11-19 21:00 UTC), datetime!(2026-11-20 21:00 UTC));
        assert_eq!(DAY.span(), span);
    }

    #[test]
    fn missed_days_are_made_up_for_where_the_provider_still_lists_them() {
        let next = |of: StatementOf, done| of.next_day(done, DAY).0;
        for of in [StatementOf::Mpesa, StatementOf::Paystack] {
            assert_eq!(next(of, date!(2026 - 11 - 19)), DAY.0);
        }
        assert_eq!(next(StatementOf::Mpesa, date!(2026 - 11 - 16)), DAY.0);
        assert_eq!(next(StatementOf::Paystack, date!(2026 - 11 - 16)), date!(2026 - 11 - 17));
        assert_eq!(next(StatementOf::Paystack, date!(2025 - 11 - 16)), date!(2026 - 10 - 21));
    }

    #[test]
    fn each_difference_is_found_and_what_matches_is_none() {
        let known: HashMap<_, _> = [("A", 100), ("B", 50), ("E", 5)]
            .map(|(name, amount)| (name.to_owned(), Money::from_shillings(amount)))
            .into();
        let ours: Vec<_> = known.iter().map(|(name, amount)| (name.clone(), *amount)).collect();
        let theirs = [line("A", 100, NOON), line("B", 60, NOON), line("C", 70, NOON)];
        let mut found = compare(DAY, &theirs, &known, &ours);
        found.sort_by(|a, b| a.reference.cmp(&b.reference));
        let kinds: Vec<_> =
            found.iter().map(|found| (found.reference.as_str(), found.kind)).collect();
        assert_eq!(
            kinds,
            [
                ("B", BreakKind::AmountDiffers),
                ("C", BreakKind::MissingOurs),
                ("E", BreakKind::MissingTheirs)
            ]
        );
    }

    #[test]
    fn a_payment_around_midnight_may_be_on_either_day() {
        let late = datetime!(2026-11-20 21:30 UTC);
        let theirs = [line("A", 100, late), line("B", 1, late)];
        let ours = [("A".to_owned(), Money::from_shillings(100))];
        // A provider's payment of the next day is compared with the next day.
        assert_eq!(compare(DAY, &theirs, &HashMap::new(), &ours), []);
    }
}
