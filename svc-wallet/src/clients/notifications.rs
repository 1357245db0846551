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

/// What a player is told. svc-chat has one for each source, however often it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Notification<'a> {
    /// What caused it.
    pub(crate) source: String,
    pub(crate) player: PlayerId,
    pub(crate) kind: Kind<'a>,
    pub(crate) occurred_at: OffsetDateTime,
}

/// What a notification is about, with what its words need. Amounts are as players read them.
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
        /// Masked.
        phone: &'a str,
    },
    WithdrawalFailed {
        amount: &'a str,
    },
}

impl Notifications {
    /// A client on a channel to svc-chat.
    pub(crate) fn new(upstream: Upstream, shutdown: Shutdown) -> Self {
        Self(NotificationSender::new(upstream, shutdown))
    }

    /// Returns once svc-chat has stored it.
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
