//! Notifies a player that withdrawals may go to a new phone.

use mesh::{
    instrument,
    outbox::{self, Delivery, Event},
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use super::Cx;
use crate::{domain::PayoutPhone, error::Error};

/// A player has proven a phone.
pub(crate) const PAYOUT_PHONE_TOPIC: &str = "notify.payout_phone";

/// The payload of an outbox row of [`PAYOUT_PHONE_TOPIC`].
#[derive(Serialize, Deserialize)]
struct NewPayoutPhone {
    player: PlayerId,
    /// The number, with most of its digits left out.
    phone: String,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Enqueues the notification of a phone that a player has proven.
pub(super) async fn enqueue_payout_phone(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    proven: &PayoutPhone,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let new = NewPayoutPhone { player, phone: proven.phone.masked(), at: now };
    outbox::put(conn, &cx.clock, &cx.rng, PAYOUT_PHONE_TOPIC, &new).await
}

/// Sends the notification of an outbox row. svc-chat stores it once, by the row's id.
#[instrument(name = "auth.notify_payout_phone", skip_all)]
pub(crate) async fn notify_payout_phone(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let NewPayoutPhone { player, phone, at } = event.payload()?;
    let source = format!("payout-phone/{}", event.id);
    cx.notifications.notify_payout_phone(source, player, phone, at).await?;
    Ok(Delivery::Done)
}
