//! The client of svc-chat, which stores players' notifications.

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

/// A notification. svc-chat stores one for each source, however often it is sent.
#[derive(Debug, Clone)]
pub(crate) struct Notification<'a> {
    /// The idempotency key of the notification.
    pub(crate) source: &'a str,
    pub(crate) player: PlayerId,
    pub(crate) kind: NotificationKind<'a>,
    pub(crate) tournament: &'a str,
    pub(crate) occurred_at: OffsetDateTime,
}

/// The kind of a notification, with the parameters of its text besides the tournament.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NotificationKind<'a> {
    AwardWon {
        rank: u64,
        award: &'a str,
        /// The award's name in Swahili; empty without one.
        award_sw: &'a str,
    },
    CashAwardWon {
        rank: u64,
        /// The amount as players read it.
        amount: &'a str,
    },
    CashAwardPending {
        rank: u64,
        amount: &'a str,
        hours: u64,
    },
    CashAwardRefused {
        amount: &'a str,
        reason: &'a str,
    },
    CashAwardNeedsPhone {
        amount: &'a str,
    },
    Result {
        rank: u64,
        players: u64,
    },
    Started {
        /// The name of the game.
        game: &'a str,
    },
}

impl Notifications {
    /// A client on a channel to svc-chat.
    pub(crate) fn new(upstream: Upstream, shutdown: Shutdown) -> Self {
        Self(NotificationSender::new(upstream, shutdown))
    }

    /// Sends a notification; returns once svc-chat has stored it.
    pub(crate) async fn notify(&self, notification: Notification<'_>) -> anyhow::Result<()> {
        let (kind, params) = match notification.kind {
            NotificationKind::AwardWon { rank, award, award_sw } => {
                let mut params = vec![("rank", rank.to_string()), ("award", award.to_owned())];
                if !award_sw.is_empty() {
                    params.push(("award_sw", award_sw.to_owned()));
                }
                (WireKind::AwardWon, params)
            }
            NotificationKind::CashAwardWon { rank, amount } => (
                WireKind::CashAwardWon,
                vec![("rank", rank.to_string()), ("amount", amount.to_owned())],
            ),
            NotificationKind::CashAwardPending { rank, amount, hours } => (
                WireKind::CashAwardPending,
                vec![
                    ("rank", rank.to_string()),
                    ("amount", amount.to_owned()),
                    ("hours", hours.to_string()),
                ],
            ),
            NotificationKind::CashAwardRefused { amount, reason } => (
                WireKind::CashAwardRefused,
                vec![("amount", amount.to_owned()), ("reason", reason.to_owned())],
            ),
            NotificationKind::CashAwardNeedsPhone { amount } => {
                (WireKind::CashAwardNeedsPhone, vec![("amount", amount.to_owned())])
            }
            NotificationKind::Result { rank, players } => (
                WireKind::TournamentResult,
                vec![("rank", rank.to_string()), ("players", players.to_string())],
            ),
            NotificationKind::Started { game } => {
                (WireKind::TournamentStarted, vec![("game", game.to_owned())])
            }
        };
        let tournament = ("tournament", notification.tournament.to_owned());
        let params = params.into_iter().chain([tournament]);
        let new = NewNotification {
            source: notification.source.to_owned(),
            player_id: notification.player.to_string(),
            kind: kind.into(),
            params: params.map(|(name, value)| (name.to_owned(), value)).collect(),
            occurred_at: Some(timestamp(notification.occurred_at)),
        };
        Ok(self.0.send(new).await?)
    }
}
