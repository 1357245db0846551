//! Encodes notifications and content as wire types.

use std::collections::BTreeMap;

use proto::{
    chat::v1::{
        ChatRoomManifest, ContactSetting as WireContactSetting, ContactSettingManifest,
        ListChatContentResponse, Notification as WireNotification, NotificationKind as WireKind,
        WatchNotificationsResponse,
    },
    timestamp,
};
use types::Key;

use crate::{
    app::Content,
    domain::{ContactSetting, Notification, NotificationKind, NotificationState, RoomManifest},
};

impl From<Notification> for WireNotification {
    fn from(notification: Notification) -> Self {
        Self {
            id: notification.id.to_string(),
            kind: notification.kind.map_or(WireKind::Unspecified, Into::into).into(),
            params: BTreeMap::new(),
            params_json: notification.params_json,
            occurred_at: Some(timestamp(notification.occurred_at)),
            read: notification.read,
        }
    }
}

impl From<NotificationKind> for WireKind {
    fn from(kind: NotificationKind) -> Self {
        match kind {
            NotificationKind::TopUpCompleted => Self::TopUpCompleted,
            NotificationKind::BoostReceived => Self::BoostReceived,
            NotificationKind::AwardWon => Self::AwardWon,
            NotificationKind::CashAwardWon => Self::CashAwardWon,
            NotificationKind::TournamentResult => Self::TournamentResult,
            NotificationKind::WithdrawalPaid => Self::WithdrawalPaid,
            NotificationKind::WithdrawalFailed => Self::WithdrawalFailed,
            NotificationKind::SubscriptionStarted => Self::SubscriptionStarted,
            NotificationKind::MoneyReturned => Self::MoneyReturned,
            NotificationKind::SubscriptionEnding => Self::SubscriptionEnding,
            NotificationKind::TournamentStarted => Self::TournamentStarted,
            NotificationKind::Mention => Self::Mention,
            NotificationKind::NewDevice => Self::NewDevice,
            NotificationKind::PayoutPhoneAdded => Self::PayoutPhoneAdded,
            NotificationKind::DataCopyReady => Self::DataCopyReady,
            NotificationKind::CashAwardPending => Self::CashAwardPending,
            NotificationKind::CashAwardRefused => Self::CashAwardRefused,
            NotificationKind::CashAwardNeedsPhone => Self::CashAwardNeedsPhone,
        }
    }
}

impl From<NotificationState> for WatchNotificationsResponse {
    fn from(state: NotificationState) -> Self {
        Self {
            unread: state.unread,
            newest_id: state.newest.map(|id| id.to_string()).unwrap_or_default(),
        }
    }
}

impl From<ContactSetting> for WireContactSetting {
    fn from(setting: ContactSetting) -> Self {
        Self { name: setting.name.to_string(), value: setting.value }
    }
}

impl From<Content> for ListChatContentResponse {
    fn from(content: Content) -> Self {
        Self {
            rooms: content.rooms.into_iter().map(Into::into).collect(),
            settings: content.settings.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<RoomManifest> for ChatRoomManifest {
    fn from(room: RoomManifest) -> Self {
        Self {
            key: room.key.as_str().to_owned(),
            name: room.name,
            icon: room.icon,
            game: room.game.as_ref().map(Key::as_str).unwrap_or_default().to_owned(),
        }
    }
}

impl From<ContactSetting> for ContactSettingManifest {
    fn from(setting: ContactSetting) -> Self {
        Self { key: setting.name.to_string(), value: setting.value }
    }
}
