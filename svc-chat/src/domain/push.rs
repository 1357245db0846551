//! Web Push: the subscription of a browser, and a player's push settings.

use std::{borrow::Cow, collections::BTreeMap};

use thiserror::Error;
use time::OffsetDateTime;
use types::{Language, NAIROBI, PlayerId, SessionId};

use super::{NotificationKind, PushEndpoint};

types::id! {
    /// Identifies a push subscription.
    pub(crate) PushSubscriptionId: "push_subscription"
}

/// Minutes of a day.
const DAY: u16 = 24 * 60;

/// A browser's keys (RFC 8291): its public key and its secret.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct BrowserKeys {
    p256dh: [u8; 65],
    auth: [u8; 16],
}

/// The bytes are no keys of a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a browser has an uncompressed point on P-256 and a secret of 16 bytes")]
pub(crate) struct InvalidKeys;

/// A subscription that a player registers.
pub(crate) struct NewSubscription {
    pub(crate) player: PlayerId,
    pub(crate) session: SessionId,
    pub(crate) endpoint: PushEndpoint,
    pub(crate) keys: BrowserKeys,
    pub(crate) language: Language,
}

/// Kinds of notifications that a player switches on and off together. The texts are the
/// values in the column `muted`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, strum::EnumString,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum NotificationTopic {
    Money,
    Boosts,
    Tournaments,
    Subscriptions,
    Mentions,
}

/// Which notifications are pushed to a player. By default all, at any time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct NotificationSettings {
    /// The topics that are not pushed, sorted, each once.
    pub(crate) muted: Vec<NotificationTopic>,
    pub(crate) quiet_hours: Option<QuietHours>,
}

/// A daily span of time in Nairobi, which may cross midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QuietHours {
    from: u16,
    until: u16,
}

/// Why quiet hours are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidQuietHours {
    #[error("a time of the day is a minute from 0 to 1439")]
    NoTime,
    #[error("the beginning and the end are the same")]
    Empty,
}

impl BrowserKeys {
    /// Refuses bytes that are no public key, because nothing could be encrypted for them.
    pub(crate) fn parse(p256dh: &[u8], auth: &[u8]) -> Result<Self, InvalidKeys> {
        let keys = Self {
            p256dh: p256dh.try_into().map_err(|_| InvalidKeys)?,
            auth: auth.try_into().map_err(|_| InvalidKeys)?,
        };
        p256::PublicKey::from_sec1_bytes(&keys.p256dh).map_err(|_| InvalidKeys)?;
        Ok(keys)
    }

    /// The public key, an uncompressed point.
    pub(crate) const fn p256dh(&self) -> &[u8; 65] {
        &self.p256dh
    }

    /// The secret.
    pub(crate) const fn auth(&self) -> &[u8; 16] {
        &self.auth
    }
}

impl NotificationSettings {
    /// Builds settings with each muted topic once.
    pub(crate) fn new(mut muted: Vec<NotificationTopic>, quiet_hours: Option<QuietHours>) -> Self {
        muted.sort_unstable();
        muted.dedup();
        Self { muted, quiet_hours }
    }

    /// Whether the player wants no push of this kind.
    pub(crate) fn mutes(&self, kind: NotificationKind) -> bool {
        kind.topic().is_some_and(|topic| self.muted.contains(&topic))
    }

    /// Whether the player wants no push of this kind at this time.
    pub(crate) fn is_quiet(&self, kind: NotificationKind, now: OffsetDateTime) -> bool {
        kind.topic().is_some() && self.quiet_hours.is_some_and(|hours| hours.contain(now))
    }
}

impl QuietHours {
    /// Builds quiet hours from two times, in minutes after midnight.
    pub(crate) fn new(from: u32, until: u32) -> Result<Self, InvalidQuietHours> {
        let minute = |minute: u32| {
            u16::try_from(minute)
                .ok()
                .filter(|minute| *minute < DAY)
                .ok_or(InvalidQuietHours::NoTime)
        };
        let (from, until) = (minute(from)?, minute(until)?);
        if from == until { Err(InvalidQuietHours::Empty) } else { Ok(Self { from, until }) }
    }

    /// The start, in minutes after midnight.
    pub(crate) const fn from(self) -> u16 {
        self.from
    }

    /// The end in minutes after midnight: the first minute that is not quiet.
    pub(crate) const fn until(self) -> u16 {
        self.until
    }

    fn contain(self, now: OffsetDateTime) -> bool {
        let now = now.to_offset(NAIROBI);
        let minute = u16::from(now.hour()) * 60 + u16::from(now.minute());
        if self.from < self.until {
            (self.from..self.until).contains(&minute)
        } else {
            minute >= self.from || minute < self.until
        }
    }
}

impl NotificationKind {
    /// The topic with which a player switches notifications of this kind off; `None` for a kind that
    /// is always pushed, because the account may be in somebody else's hands.
    pub(crate) const fn topic(self) -> Option<NotificationTopic> {
        Some(match self {
            Self::TopUpCompleted
            | Self::WithdrawalPaid
            | Self::WithdrawalFailed
            | Self::MoneyReturned => NotificationTopic::Money,
            Self::BoostReceived => NotificationTopic::Boosts,
            Self::AwardWon
            | Self::CashAwardWon
            | Self::CashAwardPending
            | Self::CashAwardRefused
            | Self::CashAwardNeedsPhone
            | Self::TournamentResult
            | Self::TournamentStarted => NotificationTopic::Tournaments,
            Self::SubscriptionStarted | Self::SubscriptionEnding => {
                NotificationTopic::Subscriptions
            }
            Self::Mention => NotificationTopic::Mentions,
            Self::NewDevice | Self::DataCopyReady | Self::PayoutPhoneAdded => return None,
        })
    }

    /// The path in the web app that a notification with these parameters links to.
    pub(crate) fn link(self, params: &BTreeMap<String, String>) -> Cow<'static, str> {
        match self {
            Self::NewDevice | Self::PayoutPhoneAdded => "/account/new-device".into(),
            Self::DataCopyReady => "/account/data".into(),
            Self::CashAwardNeedsPhone => "/account/phones".into(),
            Self::TopUpCompleted
            | Self::BoostReceived
            | Self::WithdrawalPaid
            | Self::WithdrawalFailed
            | Self::MoneyReturned => "/account/wallet".into(),
            Self::AwardWon
            | Self::CashAwardWon
            | Self::CashAwardPending
            | Self::CashAwardRefused
            | Self::TournamentResult
            | Self::TournamentStarted => "/tournaments".into(),
            Self::SubscriptionStarted | Self::SubscriptionEnding => "/account/subscription".into(),
            Self::Mention => match params.get("chat_room_uid") {
                Some(uid) => format!("/chat-room/{uid}").into(),
                None => "/chat-room".into(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn quiet_hours_go_by_the_clock_of_nairobi_and_through_midnight() {
        let night = QuietHours::new(22 * 60, 7 * 60).unwrap();
        for (at, quiet) in [
            (datetime!(2026-03-01 18:59 UTC), false),
            (datetime!(2026-03-01 19:00 UTC), true),
            (datetime!(2026-03-01 23:30 UTC), true),
            (datetime!(2026-03-02 03:59 UTC), true),
            (datetime!(2026-03-02 04:00 UTC), false),
        ] {
            assert_eq!(night.contain(at), quiet, "{at}");
        }
        let noon = QuietHours::new(12 * 60, 13 * 60).unwrap();
        assert!(noon.contain(datetime!(2026-03-01 09:00 UTC)));
        assert!(!noon.contain(datetime!(2026-03-01 10:00 UTC)));
        assert_eq!(QuietHours::new(5, 5), Err(InvalidQuietHours::Empty));
        assert_eq!(QuietHours::new(0, 1440), Err(InvalidQuietHours::NoTime));
        assert_eq!(QuietHours::new(u32::MAX, 0), Err(InvalidQuietHours::NoTime));
    }

    #[test]
    fn keys_are_a_point_on_the_curve_and_sixteen_bytes() {
        let key = p256::SecretKey::from_slice(&[7; 32]).unwrap().public_key();
        let point = p256::EncodedPoint::from(key);
        assert!(BrowserKeys::parse(point.as_bytes(), &[1; 16]).is_ok());
        assert!(BrowserKeys::parse(point.as_bytes(), &[1; 15]).is_err());
        assert!(BrowserKeys::parse(&[4; 65], &[1; 16]).is_err(), "no point");
        assert!(BrowserKeys::parse(point.compress().as_bytes(), &[1; 16]).is_err());
        assert!(BrowserKeys::parse(&[0], &[1; 16]).is_err(), "the point at infinity");
    }
}
