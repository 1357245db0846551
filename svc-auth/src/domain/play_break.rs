//! Breaks from play, which players take themselves.

use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);

/// The length of a break. From half a year on it is self-exclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BreakLength {
    Day,
    Week,
    SixWeeks,
    HalfYear,
    Year,
    FiveYears,
}

impl BreakLength {
    pub(crate) const fn duration(self) -> Duration {
        match self {
            Self::Day => DAY,
            Self::Week => Duration::from_hours(7 * 24),
            Self::SixWeeks => Duration::from_hours(42 * 24),
            Self::HalfYear => Duration::from_hours(183 * 24),
            Self::Year => Duration::from_hours(365 * 24),
            Self::FiveYears => Duration::from_hours(1_826 * 24),
        }
    }
}
