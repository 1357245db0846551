//! Times in manifests: RFC 3339, or relative to now.

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

/// A time as an operator writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum When {
    At(OffsetDateTime),
    /// `-2h`, `+3d`: this long after the time at which the thing is created.
    Relative(Duration),
}

impl When {
    /// The time that is applied. A thing that exists keeps its time when the manifest's is
    /// relative, so that applying the manifest again changes nothing.
    pub(crate) fn settle(
        self,
        existing: Option<OffsetDateTime>,
        now: OffsetDateTime,
    ) -> OffsetDateTime {
        match self {
            Self::At(at) => at,
            Self::Relative(offset) => existing.unwrap_or_else(|| {
                // The time is in whole seconds, which people can read in an export.
                now.replace_nanosecond(0).unwrap_or(now).saturating_add(offset)
            }),
        }
    }
}

impl TryFrom<String> for When {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if let Some(amount) = text.strip_prefix('+') {
            return duration(amount).map(Self::Relative).ok_or(EXPECTED);
        }
        if let Some(amount) = text.strip_prefix('-') {
            return duration(amount).map(|ago| Self::Relative(-ago)).ok_or(EXPECTED);
        }
        OffsetDateTime::parse(&text, &Rfc3339).map(Self::At).map_err(|_| EXPECTED)
    }
}

const EXPECTED: &str =
    "a time is RFC 3339 (2026-12-01T18:00:00+03:00) or relative to now (-2h, +3d; s, m, h, d, w)";

fn duration(text: &str) -> Option<Duration> {
    let (amount, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if amount.is_empty() || amount.len() > 6 || !amount.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let amount: i64 = amount.parse().ok()?;
    Some(match unit {
        "s" => Duration::seconds(amount),
        "m" => Duration::minutes(amount),
        "h" => Duration::hours(amount),
        "d" => Duration::days(amount),
        "w" => Duration::weeks(amount),
        _ => return None,
    })
}

impl From<When> for String {
    fn from(when: When) -> Self {
        match when {
            // Formatting fails only for years that PostgreSQL and protobuf do not have either.
            When::At(at) => at.format(&Rfc3339).unwrap_or_default(),
            When::Relative(offset) => format!("{:+}s", offset.whole_seconds()),
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-22 12:00:00.5 UTC);

    fn parse(text: &str) -> Result<When, &'static str> {
        When::try_from(text.to_owned())
    }

    #[test]
    fn a_relative_time_is_settled_when_the_thing_is_created() {
        let settled = |text: &str| parse(text).unwrap().settle(None, NOW);
        assert_eq!(settled("-2h"), datetime!(2026-11-22 10:00 UTC));
        assert_eq!(settled("+3d"), datetime!(2026-11-25 12:00 UTC));
        assert_eq!(settled("+1w"), datetime!(2026-11-29 12:00 UTC));
        assert_eq!(settled("2026-12-01T18:00:00+03:00"), datetime!(2026-12-01 15:00 UTC));
    }

    #[test]
    fn a_thing_that_exists_keeps_its_time_unless_the_manifest_has_another() {
        let existing = datetime!(2026-11-01 08:00 UTC);
        assert_eq!(parse("-2h").unwrap().settle(Some(existing), NOW), existing);
        let at = parse("2026-12-01T18:00:00Z").unwrap();
        assert_eq!(at.settle(Some(existing), NOW), datetime!(2026-12-01 18:00 UTC));
    }

    #[test]
    fn other_texts_are_no_times() {
        for text in ["", "-", "+", "2h", "-2", "+2y", "--2h", "+1.5h", "+9999999d", "2026-12-01"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
