//! Notifies players of the end of a tournament. The settlement writes an outbox row, which is
//! delivered until svc-chat has stored the notification.

use mesh::instrument;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use types::PlayerId;

use super::Cx;
use crate::{
    clients::notifications::{Notification, NotificationKind},
    domain::TournamentId,
    error::Error,
};

/// The outbox topic of notifications to send.
pub(crate) const NOTIFY_TOPIC: &str = "chat.notify";

/// The payload of an outbox row of [`NOTIFY_TOPIC`]: how a tournament ended for a player.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TournamentEnded {
    /// The idempotency key of the notification at svc-chat.
    pub(super) source: String,
    pub(super) player: PlayerId,
    /// The tournament's name.
    pub(super) tournament: String,
    pub(super) rank: u64,
    pub(super) won: Won,
    #[serde(with = "time::serde::rfc3339")]
    pub(super) at: OffsetDateTime,
}

/// The award that a player won.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Won {
    Award {
        name: String,
        /// The award's name in Swahili; empty without one.
        #[serde(default)]
        name_sw: String,
    },
    /// An award of money, which is paid.
    Cash {
        /// The amount as players read it.
        amount: String,
    },
    /// An award of money, which is paid within some hours unless an operator decides otherwise.
    Pending {
        amount: String,
        hours: u64,
    },
    /// An award of money that an operator refused.
    Refused {
        amount: String,
        /// The operator's words.
        reason: String,
    },
    /// An award of money that waits until its player has proven a phone.
    NeedsPhone {
        amount: String,
    },
    Nothing {
        players: u64,
    },
}

/// The source of a player's notification. The transaction that created the tournament is part of
/// it, because a tournament that is removed and applied again has the same id.
pub(super) fn source(tournament: TournamentId, created_xid: i64, player: PlayerId) -> String {
    format!("tournament/{tournament}/{created_xid}/player/{player}")
}

/// Sends a notification. A repeat changes nothing at svc-chat.
#[instrument(name = "tournament.notify", skip_all, fields(source = outcome.source))]
pub(crate) async fn notify(cx: &Cx, outcome: &TournamentEnded) -> Result<(), Error> {
    let rank = outcome.rank;
    let kind = match &outcome.won {
        Won::Award { name: award, name_sw: award_sw } => {
            NotificationKind::AwardWon { rank, award, award_sw }
        }
        Won::Cash { amount } => NotificationKind::CashAwardWon { rank, amount },
        Won::Pending { amount, hours } => {
            NotificationKind::CashAwardPending { rank, amount, hours: *hours }
        }
        Won::Refused { amount, reason } => NotificationKind::CashAwardRefused { amount, reason },
        Won::NeedsPhone { amount } => NotificationKind::CashAwardNeedsPhone { amount },
        Won::Nothing { players } => NotificationKind::Result { rank, players: *players },
    };
    let notification = Notification {
        source: &outcome.source,
        player: outcome.player,
        kind,
        tournament: &outcome.tournament,
        occurred_at: outcome.at,
    };
    Ok(cx.notifications.notify(notification).await?)
}
