//! Reports, blocks, and operators' rules for rooms.

use std::time::Duration;

use time::OffsetDateTime;
use types::{InvalidContent, PlayerId};

use super::{ChatType, MessageId, RoomId};

types::id! {
    /// Identifies a report.
    pub(crate) ReportId: "report"
}

/// Players that one player may block.
pub(crate) const BLOCKED_MAX: usize = 200;
/// Longest note of a report and longest reason of an operator, in characters.
pub(crate) const NOTE_MAX: usize = 500;
/// Longest pause of slow mode, in seconds.
pub(crate) const SLOW_MODE_MAX: u32 = 3_600;
/// Longest mute, in seconds: a year.
pub(crate) const MUTE_MAX: u32 = 31_536_000;

/// Why a player reports a message. The texts are the values of the column `reason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ReportReason {
    Abuse,
    Hate,
    Sexual,
    Scam,
    Spam,
    Other,
}

/// A report that is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewReport {
    pub(crate) message: MessageId,
    pub(crate) reason: ReportReason,
    pub(crate) note: String,
}

/// A report, with the message as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) id: ReportId,
    pub(crate) reporter: PlayerId,
    pub(crate) reason: ReportReason,
    pub(crate) note: String,
    pub(crate) created_at: OffsetDateTime,
    pub(crate) message: MessageId,
    pub(crate) room: RoomId,
    pub(crate) sender: PlayerId,
    pub(crate) chat_type: ChatType,
    pub(crate) text: String,
    pub(crate) sent_at: OffsetDateTime,
    /// The operator who resolved the report, and the reason.
    pub(crate) resolved: Option<(String, String)>,
}

/// The rules that keep a player from sending in a room at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SendingRules {
    pub(crate) closed: bool,
    pub(crate) muted_until: Option<OffsetDateTime>,
    /// The pause of slow mode; zero without it.
    pub(crate) slow_mode: Duration,
    /// When slow mode gave the player the last turn.
    pub(crate) turn_taken_at: Option<OffsetDateTime>,
}

impl SendingRules {
    /// The remaining time of the player's mute.
    pub(crate) fn muted_for(&self, now: OffsetDateTime) -> Option<Duration> {
        remaining(self.muted_until?, now)
    }

    /// How long the player must wait because of slow mode.
    pub(crate) fn wait(&self, now: OffsetDateTime) -> Option<Duration> {
        remaining(self.turn_taken_at? + self.slow_mode, now)
    }
}

fn remaining(until: OffsetDateTime, now: OffsetDateTime) -> Option<Duration> {
    Duration::try_from(until - now).ok().filter(|wait| !wait.is_zero())
}

/// An operator's reason: 1 to 500 characters.
pub(crate) fn parse_reason(text: &str) -> Result<String, InvalidContent> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > NOTE_MAX {
        return Err(InvalidContent::new("reason", "should have 1 to 500 characters"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_of_slow_mode_is_over_after_its_pause() {
        let taken = OffsetDateTime::UNIX_EPOCH;
        let rules = SendingRules {
            slow_mode: Duration::from_secs(30),
            turn_taken_at: Some(taken),
            ..SendingRules::default()
        };
        let after = |seconds| rules.wait(taken + Duration::from_secs(seconds));
        assert_eq!(after(10), Some(Duration::from_secs(20)));
        assert_eq!(after(30), None);
        assert_eq!(SendingRules::default().wait(taken), None);
    }

    #[test]
    fn a_mute_ends_at_its_time() {
        let until = OffsetDateTime::UNIX_EPOCH;
        let rules = SendingRules { muted_until: Some(until), ..SendingRules::default() };
        let a_minute = Duration::from_mins(1);
        assert_eq!(rules.muted_for(until - a_minute), Some(a_minute));
        assert_eq!(rules.muted_for(until), None);
    }

    #[test]
    fn an_operator_gives_a_reason() {
        assert_eq!(parse_reason(" insults "), Ok("insults".to_owned()));
        assert!(parse_reason(" ").is_err());
        assert!(parse_reason(&"x".repeat(501)).is_err());
    }
}
