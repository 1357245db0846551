//! svc-chat, which keeps players' notifications.

use mesh::{
    Shutdown,
    grpc::{client::Upstream, notifications::NotificationSender},
};
use proto::{
    chat::v1::{NewNotification, NotificationKind},
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
    pub(crate) kind: Kind<'a>,
    pub(crate) occurred_at: OffsetDateTime,
}

/// The kind of a notification, with the parameters of its text. Amounts are formatted for players.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind<'a> {
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
            Kind::TopUpCompleted { amount } => {
                (NotificationKind::TopUpCompleted, vec![("amount", amount)])
            }
            Kind::BoostReceived { amount, from } => {
                (NotificationKind::BoostReceived, vec![("amount", amount), ("from", from)])
            }
            Kind::MoneyReturned { amount } => {
                (NotificationKind::MoneyReturned, vec![("amount", amount)])
            }
            Kind::SubscriptionStarted { package, amount } => (
                NotificationKind::SubscriptionStarted,
                vec![("package", package), ("amount", amount)],
            ),
            Kind::SubscriptionEnding { package } => {
                (NotificationKind::SubscriptionEnding, vec![("package", package)])
            }
            Kind::WithdrawalPaid { amount, phone } => {
                (NotificationKind::WithdrawalPaid, vec![("amount", amount), ("phone", phone)])
            }
            Kind::WithdrawalFailed { amount } => {
                (NotificationKind::WithdrawalFailed, vec![("amount", amount)])
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
