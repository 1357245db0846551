//! Notifies a player whose account was opened on a device that it was not known on.

use mesh::{
    instrument,
    outbox::{self, Delivery, Event},
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use super::Cx;
use crate::{domain::DeviceId, error::Error, store};

/// A player signed in on a new device.
pub(crate) const NEW_DEVICE_TOPIC: &str = "notify.new_device";

/// The payload of an outbox row of [`NEW_DEVICE_TOPIC`].
#[derive(Serialize, Deserialize)]
struct NewDevice {
    player: PlayerId,
    /// When the player signed in.
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Enqueues the notification of a locked player who signs in on `device`, unless they are known on
/// it, or on none: the first device of an account has nobody else to tell.
pub(super) async fn enqueue_new_device(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    device: Option<DeviceId>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    if store::device::is_another(conn, player, device).await? {
        let new = NewDevice { player, at: now };
        outbox::put(conn, &cx.clock, &cx.rng, NEW_DEVICE_TOPIC, &new).await?;
    }
    Ok(())
}

/// Sends the notification of an outbox row. It is sent once: svc-chat knows it by the row's id.
#[instrument(name = "auth.notify_new_device", skip_all)]
pub(crate) async fn notify_new_device(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let NewDevice { player, at } = event.payload()?;
    let source = format!("device/{}", event.id);
    cx.notifications.notify_new_device(source, player, at).await?;
    Ok(Delivery::Done)
}
