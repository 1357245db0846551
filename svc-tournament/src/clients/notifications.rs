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

/// A notification. svc-chat has one for each source, however often it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Notification<'a> {
    /// What caused it.
    pub(crate) source: &'a str,
    pub(crate) player: PlayerId,
    pub(crate) kind: Kind<'a>,
    pub(crate) tournament: &'a str,
    pub(crate) rank: u64,
    pub(crate) occurred_at: OffsetDateTime,
}

/// What a notification is about, with what its words need besides tournament and rank.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind<'a> {
    AwardWon {
        award: &'a str,
    },
    CashAwardWon {
        /// As players read it.
        amount: &'a str,
    },
    Result {
        players: u64,
    },
}

impl Notifications {
    /// A client on a channel to svc-chat.
    pub(crate) fn new(upstream: Upstream, shutdown: Shutdown) -> Self {
        Self(NotificationSender::new(upstream, shutdown))
    }

    /// Returns once svc-chat has stored it.
    pub(crate) async fn notify(&self, notification: Notification<'_>) -> anyhow::Result<()> {
        let (kind, (name, value)) = match notification.kind {
            Kind::AwardWon { award } => (NotificationKind::AwardWon, ("award", award.to_owned())),
            Kind::CashAwardWon { amount } => {
                (NotificationKind::CashAwardWon, ("amount", amount.to_owned()))
            }
            Kind::Result { players } => {
                (NotificationKind::TournamentResult, ("players", players.to_string()))
            }
        };
        let params = [
            ("tournament", notification.tournament.to_owned()),
            ("rank", notification.rank.to_string()),
            (name, value),
        ];
        let new = NewNotification {
            source: notification.source.to_owned(),
            player_id: notification.player.to_string(),
            kind: kind.into(),
            params: params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            occurred_at: Some(timestamp(notification.occurred_at)),
        };
        Ok(self.0.send(new).await?)
    }
}
