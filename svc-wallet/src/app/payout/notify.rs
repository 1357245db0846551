//! Notifying players of the end of their withdrawals. The outbox row is written with the
//! end, and delivered until svc-chat has stored the notification.

use mesh::instrument;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::{
    app::Cx,
    clients::notifications::{Notification, NotificationKind},
    domain::{Payment, PaymentId},
    error::Error,
};

/// The outbox topic of these notifications.
pub(crate) const WITHDRAWAL_TOPIC: &str = "chat.notify_withdrawal";

/// The payload of an outbox row of [`WITHDRAWAL_TOPIC`]: a withdrawal ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Ended {
    payment: PaymentId,
    player: PlayerId,
    /// The amount as players read it, without the fee.
    amount: String,
    /// The masked phone number.
    phone: String,
    /// Whether the money left; if not, all of it is back in the wallet.
    paid: bool,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Writes the row for a withdrawal that ends in this transaction. After the commit
/// [`Cx::outbox`] is notified.
pub(crate) async fn put_ended(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: &Payment,
    paid: bool,
    at: OffsetDateTime,
) -> Result<(), Error> {
    let ended = Ended {
        payment: payment.id,
        player: payment.payer,
        amount: payment.amount.to_string(),
        phone: payment.phone.as_ref().map(types::Msisdn::masked).unwrap_or_default(),
        paid,
        at,
    };
    mesh::outbox::put(conn, &cx.clock, &cx.rng, WITHDRAWAL_TOPIC, &ended).await?;
    Ok(())
}

/// Sends a notification. A repeat changes nothing at svc-chat.
#[instrument(name = "wallet.notify_withdrawal", skip_all, fields(payment.id = %ended.payment))]
pub(crate) async fn notify_withdrawal(cx: &Cx, ended: &Ended) -> Result<(), Error> {
    let amount = ended.amount.as_str();
    let (event, kind) = if ended.paid {
        ("paid", NotificationKind::WithdrawalPaid { amount, phone: &ended.phone })
    } else {
        ("failed", NotificationKind::WithdrawalFailed { amount })
    };
    let notification = Notification {
        source: format!("payment/{}/{event}", ended.payment),
        player: ended.player,
        kind,
        occurred_at: ended.at,
    };
    Ok(cx.notifications.notify(notification).await?)
}
