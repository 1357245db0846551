//! From the domain's types to the wire's.

use proto::{
    chat::v1::{
        Notification as WireNotification, NotificationKind, Room as WireRoom,
        WatchNotificationsResponse,
    },
    timestamp,
};

use crate::domain::{Kind, Notification, NotificationState, Room};

impl From<Room> for WireRoom {
    fn from(room: Room) -> Self {
        Self {
            id: room.id.to_string(),
            chat_room_uid: room.chat_room_uid,
            name: room.name,
            icon: room.icon,
            member_count: room.member_count,
            // Presence needs live streams on rooms, which do not exist yet.
            online_member_count: 0,
        }
    }
}

impl From<Notification> for WireNotification {
    fn from(notification: Notification) -> Self {
        Self {
            id: notification.id.to_string(),
            kind: notification.kind.map_or(NotificationKind::Unspecified, Into::into).into(),
            params: notification.params.into_iter().collect(),
            occurred_at: Some(timestamp(notification.occurred_at)),
            read: notification.read,
        }
    }
}

impl From<Kind> for NotificationKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::TopUpCompleted => Self::TopUpCompleted,
            Kind::BoostReceived => Self::BoostReceived,
            Kind::AwardWon => Self::AwardWon,
            Kind::CashAwardWon => Self::CashAwardWon,
            Kind::TournamentResult => Self::TournamentResult,
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
