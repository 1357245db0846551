//! Notifying players of money that reached their wallets, and of packages. The outbox row is written with
//! the journal, and delivered until svc-chat has stored the notification.

use mesh::instrument;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use super::Cx;
use crate::{
    clients::notifications::{self, Notification},
    domain::{Payment, PaymentId, PaymentKind},
    error::Error,
};

/// The outbox topic of notifications to send.
pub(crate) const NOTIFY_TOPIC: &str = "chat.notify";

/// The payload of an outbox row of [`NOTIFY_TOPIC`]: a payment was credited to a wallet, or
/// bought a package.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Credited {
    payment: PaymentId,
    /// The player whose wallet was credited, or who holds the package.
    player: PlayerId,
    /// The amount as players read it.
    amount: String,
    /// The name of the friend who boosts; `None` for a top-up.
    from: Option<String>,
    /// The name of the package that was bought.
    #[serde(default)]
    package: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Writes the row for a payment whose money moves in this transaction. The caller notifies
/// [`Cx::outbox`] after the commit.
pub(super) async fn put_settled(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    at: OffsetDateTime,
) -> Result<(), Error> {
    let credited = Credited::of(payment, at);
    mesh::outbox::put(conn, &cx.clock, &cx.rng, NOTIFY_TOPIC, &credited).await?;
    Ok(())
}

impl Credited {
    /// Returns the payload for a payment whose money moves at this time.
    pub(super) fn of(payment: &Payment, at: OffsetDateTime) -> Self {
        Self {
            payment: payment.id,
            player: payment.beneficiary,
            amount: payment.amount.to_string(),
            from: match payment.kind {
                PaymentKind::TopUp | PaymentKind::Withdrawal | PaymentKind::Subscription => None,
                PaymentKind::Boost => Some(payment.boosted_by().to_owned()),
            },
            package: payment.package.map(|package| package.name().to_owned()),
            at,
        }
    }
}

/// Sends a notification. A repeat changes nothing at svc-chat.
#[instrument(name = "wallet.notify", skip_all, fields(payment.id = %credited.payment))]
pub(crate) async fn notify(cx: &Cx, credited: &Credited) -> Result<(), Error> {
    let amount = credited.amount.as_str();
    let (kind, event) = match (&credited.package, &credited.from) {
        (Some(package), _) => {
            (notifications::NotificationKind::SubscriptionStarted { package, amount }, "subscribed")
        }
        (None, None) => (notifications::NotificationKind::TopUpCompleted { amount }, "credited"),
        (None, Some(from)) => {
            (notifications::NotificationKind::BoostReceived { amount, from }, "credited")
        }
    };
    let notification = Notification {
        source: format!("payment/{}/{event}", credited.payment),
        player: credited.player,
        kind,
        occurred_at: credited.at,
    };
    Ok(cx.notifications.notify(notification).await?)
}
