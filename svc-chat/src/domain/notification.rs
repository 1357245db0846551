//! The notification, its kinds and their parameters.

use std::collections::BTreeMap;

use thiserror::Error;
use time::OffsetDateTime;
use types::PlayerId;

types::id! {
    /// Identifies a notification.
    pub(crate) NotificationId: "notification"
}

/// Longest value of a parameter, in characters.
const PARAM_MAX: usize = 120;
/// Longest source, in bytes.
const SOURCE_MAX: usize = 255;

/// What a notification is about. The texts are the values of the column `kind`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString, strum::EnumIter,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum NotificationKind {
    /// A top-up is in the player's wallet.
    TopUpCompleted,
    /// A friend's boost is in the player's wallet.
    BoostReceived,
    /// The player won an award without money.
    AwardWon,
    /// The player won an award that is paid into the wallet.
    CashAwardWon,
    /// A tournament of the player is over, without an award for the player.
    TournamentResult,
    /// A withdrawal reached the phone.
    WithdrawalPaid,
    /// A withdrawal failed, and its money is in the wallet again.
    WithdrawalFailed,
    /// A package runs.
    SubscriptionStarted,
    /// A payment was given back.
    MoneyReturned,
    /// A package ends within the hour.
    SubscriptionEnding,
    /// A tournament of a game that the player plays has begun.
    TournamentStarted,
    /// A message in a room names the player.
    Mention,
    /// The player's account was opened on a new device.
    NewDevice,
    /// The copy of the player's data can be downloaded.
    DataCopyReady,
    /// The player's withdrawals may go to a new phone.
    PayoutPhoneAdded,
    /// The player won an award that is paid once its run was looked at.
    CashAwardPending,
    /// An operator refused an award of the player.
    CashAwardRefused,
    /// An award of the player waits until the player has proven a phone.
    CashAwardNeedsPhone,
}

/// A notification, as its player reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notification {
    pub(crate) id: NotificationId,
    /// `None` for a kind that only a newer replica knows.
    pub(crate) kind: Option<NotificationKind>,
    /// A JSON object of the parameters by their names.
    pub(crate) params_json: String,
    pub(crate) occurred_at: OffsetDateTime,
    pub(crate) read: bool,
}

/// A notification that a service sends to a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewNotification {
    /// The service that notifies.
    pub(crate) caller: &'static str,
    pub(crate) source: Source,
    pub(crate) player: PlayerId,
    pub(crate) kind: NotificationKind,
    pub(crate) params: Params,
    pub(crate) occurred_at: OffsetDateTime,
}

/// The state of a player's notifications, by which a reader sees that its list is out of
/// date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotificationState {
    /// The number of unread notifications; [`Self::MOST`] stands for that many or more.
    pub(crate) unread: u32,
    pub(crate) newest: Option<NotificationId>,
}

impl NotificationState {
    /// The number up to which unread notifications are counted.
    pub(crate) const MOST: u32 = 100;
}

/// The caller's name for the cause of a notification: its idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source(String);

/// The parameters of a kind's texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Params(BTreeMap<String, String>);

/// Why a notification is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Malformed {
    #[error("a call has 1 to 100 notifications")]
    Count,
    #[error("a source has 1 to 255 visible ASCII characters")]
    Source,
    #[error("there is no such kind")]
    NotificationKind,
    #[error("it names no player")]
    Player,
    #[error("it has no time")]
    Time,
    #[error("the parameters are not those of the kind: {0}")]
    Params(String),
}

impl NotificationKind {
    /// The names of the kind's parameters, sorted.
    const fn params(self) -> &'static [&'static str] {
        match self {
            Self::TopUpCompleted => &["amount"],
            Self::BoostReceived => &["amount", "from"],
            Self::AwardWon => &["award", "rank", "tournament"],
            Self::CashAwardWon => &["amount", "rank", "tournament"],
            Self::CashAwardPending => &["amount", "hours", "rank", "tournament"],
            Self::CashAwardRefused => &["amount", "reason", "tournament"],
            Self::CashAwardNeedsPhone => &["amount", "tournament"],
            Self::TournamentResult => &["players", "rank", "tournament"],
            Self::WithdrawalPaid => &["amount", "phone"],
            Self::WithdrawalFailed | Self::MoneyReturned => &["amount"],
            Self::SubscriptionStarted => &["amount", "package"],
            Self::SubscriptionEnding => &["package"],
            Self::TournamentStarted => &["game", "tournament"],
            Self::Mention => &["chat_room_uid", "excerpt", "from", "room"],
            Self::NewDevice | Self::DataCopyReady => &[],
            Self::PayoutPhoneAdded => &["phone"],
        }
    }
}

impl Source {
    pub(crate) fn parse(text: &str) -> Result<Self, Malformed> {
        let is_plain = !text.is_empty()
            && text.len() <= SOURCE_MAX
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_plain { Ok(Self(text.to_owned())) } else { Err(Malformed::Source) }
    }

    /// The value of a `text` column.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Params {
    /// Refuses missing and unknown parameters, and empty or too long values. The award may
    /// have its name in Swahili, too, as `award_sw`.
    pub(crate) fn parse(
        kind: NotificationKind,
        params: BTreeMap<String, String>,
    ) -> Result<Self, Malformed> {
        let is_optional = |name: &str| kind == NotificationKind::AwardWon && name == "award_sw";
        let required = params.keys().map(String::as_str).filter(|name| !is_optional(name));
        let is_complete = required.eq(kind.params().iter().copied());
        let has_values = params
            .values()
            .all(|value| !value.trim().is_empty() && value.chars().count() <= PARAM_MAX);
        if is_complete && has_values {
            Ok(Self(params))
        } else {
            let names: Vec<_> = params.into_keys().collect();
            Err(Malformed::Params(format!("{kind:?} has {}", names.join(", "))))
        }
    }

    pub(crate) const fn as_map(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    fn params(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_notification_has_the_parameters_of_its_kind_and_no_others() {
        let (amount, from) = (("amount", "KES 1.00"), ("from", "amina"));
        assert!(Params::parse(NotificationKind::TopUpCompleted, params(&[amount])).is_ok());
        assert!(Params::parse(NotificationKind::BoostReceived, params(&[from, amount])).is_ok());
        let (award, swahili) = (("award", "First seed"), ("award_sw", "Mbegu ya kwanza"));
        let place = [("rank", "1"), ("tournament", "Cup"), award];
        assert!(Params::parse(NotificationKind::AwardWon, params(&place)).is_ok());
        let place = [("rank", "1"), ("tournament", "Cup"), award, swahili];
        assert!(Params::parse(NotificationKind::AwardWon, params(&place)).is_ok());
        for (kind, wrong) in [
            (NotificationKind::TopUpCompleted, vec![]),
            (NotificationKind::TopUpCompleted, vec![amount, from]),
            (NotificationKind::TopUpCompleted, vec![amount, swahili]),
            (NotificationKind::AwardWon, vec![("rank", "1"), ("tournament", "Cup"), swahili]),
            (NotificationKind::TopUpCompleted, vec![("amount", " ")]),
            (NotificationKind::BoostReceived, vec![amount]),
        ] {
            assert!(Params::parse(kind, params(&wrong)).is_err(), "{kind:?} {wrong:?}");
        }
        let long = "x".repeat(PARAM_MAX + 1);
        assert!(
            Params::parse(NotificationKind::TopUpCompleted, params(&[("amount", &long)])).is_err()
        );
    }

    #[test]
    fn the_parameters_of_a_kind_are_sorted() {
        for kind in NotificationKind::iter() {
            assert!(kind.params().is_sorted(), "{kind:?}");
        }
    }

    #[test]
    fn a_source_is_visible_ascii_of_limited_length() {
        assert!(Source::parse("payment/0199/credited").is_ok());
        for bad in [String::new(), "a b".into(), "é".into(), "x".repeat(256)] {
            assert_eq!(Source::parse(&bad), Err(Malformed::Source), "{bad}");
        }
    }
}
