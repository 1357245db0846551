//! Notifying players of money that operators returned.

use mesh::instrument;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::{
    app::Cx,
    clients::notifications::{Notification, NotificationKind},
    domain::{Operation, OperationId},
    error::Error,
};

/// The outbox topic of these notifications.
pub(crate) const RETURNED_TOPIC: &str = "chat.money_returned";

/// The payload of an outbox row of [`RETURNED_TOPIC`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Returned {
    operation: OperationId,
    player: PlayerId,
    /// The amount as players read it.
    amount: String,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Writes the row for an operation that is carried out in this transaction.
pub(super) async fn put_returned(
    conn: &mut PgConnection,
    cx: &Cx,
    operation: &Operation,
    player: PlayerId,
    at: OffsetDateTime,
) -> Result<(), Error> {
    let amount = operation.amount.to_string();
    let returned = Returned { operation: operation.id, player, amount, at };
    mesh::outbox::put(conn, &cx.clock, &cx.rng, RETURNED_TOPIC, &returned).await?;
    Ok(())
}

/// Sends a notification. A repeat changes nothing at svc-chat.
#[instrument(name = "wallet.notify_returned", skip_all, fields(operation.id = %returned.operation))]
pub(crate) async fn notify_returned(cx: &Cx, returned: &Returned) -> Result<(), Error> {
    let notification = Notification {
        source: format!("operation/{}/returned", returned.operation),
        player: returned.player,
        kind: NotificationKind::MoneyReturned { amount: &returned.amount },
        occurred_at: returned.at,
    };
    Ok(cx.notifications.notify(notification).await?)
}
