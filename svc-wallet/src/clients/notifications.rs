//! svc-chat, which keeps players' notifications.

use mesh::{
    Shutdown,
    grpc::{client::Upstream, notifications::NotificationSender},
};
use proto::{
    chat::v1::{NewNotification, NotificationKind as WireKind},
    timestamp,
};
use time::OffsetDateTime;
use types::PlayerId;

/// A client of svc-chat's internal RPC.
#[derive(Clone)]
pub(crate) struct Notifications(NotificationSender);

/// A notification to a player. svc-chat stores one for each source, however often it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Notification<'a> {
    /// Identifies the cause of the notification.
    pub(crate) source: String,
    pub(crate) player: PlayerId,
    pub(crate) kind: NotificationKind<'a>,
    pub(crate) occurred_at: OffsetDateTime,
}

/// The kind of a notification, with the parameters of its text. Amounts are formatted for players.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NotificationKind<'a> {
    TopUpCompleted {
        amount: &'a str,
    },
    BoostReceived {
        amount: &'a str,
        /// The name of the friend.
        from: &'a str,
    },
    MoneyReturned {
        amount: &'a str,
    },
    SubscriptionStarted {
        /// The name of the package.
        package: &'a str,
        amount: &'a str,
    },
    SubscriptionEnding {
        /// The name of the package.
        package: &'a str,
    },
    WithdrawalPaid {
        amount: &'a str,
        /// The masked phone number.
        phone: &'a str,
    },
    WithdrawalFailed {
        amount: &'a str,
    },
}

impl Notifications {
    /// Builds a client on a channel to svc-chat.
    pub(crate) fn new(upstream: Upstream, shutdown: Shutdown) -> Self {
        Self(NotificationSender::new(upstream, shutdown))
    }

    /// Returns once svc-chat has stored the notification.
    pub(crate) async fn notify(&self, notification: Notification<'_>) -> anyhow::Result<()> {
        let (kind, params) = match notification.kind {
            NotificationKind::TopUpCompleted { amount } => {
                (WireKind::TopUpCompleted, vec![("amount", amount)])
            }
            NotificationKind::BoostReceived { amount, from } => {
                (WireKind::BoostReceived, vec![("amount", amount), ("from", from)])
            }
            NotificationKind::MoneyReturned { amount } => {
                (WireKind::MoneyReturned, vec![("amount", amount)])
            }
            NotificationKind::SubscriptionStarted { package, amount } => {
                (WireKind::SubscriptionStarted, vec![("package", package), ("amount", amount)])
            }
            NotificationKind::SubscriptionEnding { package } => {
                (WireKind::SubscriptionEnding, vec![("package", package)])
            }
            NotificationKind::WithdrawalPaid { amount, phone } => {
                (WireKind::WithdrawalPaid, vec![("amount", amount), ("phone", phone)])
            }
            NotificationKind::WithdrawalFailed { amount } => {
                (WireKind::WithdrawalFailed, vec![("amount", amount)])
            }
        };
        let params = params.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let new = NewNotification {
            source: notification.source,
            player_id: notification.player.to_string(),
            kind: kind.into(),
            params: params.collect(),
            occurred_at: Some(timestamp(notification.occurred_at)),
        };
        Ok(self.0.send(new).await?)
    }
}
