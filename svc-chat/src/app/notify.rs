//! Notifies a player: an idempotent write of a service.

use mesh::instrument;
use sqlx::PgConnection;

use super::{
    Cx,
    notifications_changed::publish_notifications_changed,
    push::{PUSH_TOPIC, put_pushes},
};
use crate::{
    domain::{NewNotification, NotificationId},
    error::{Error, Refused},
    store,
};

/// Stores a notification, once for each source of its caller, with what pushes it to the
/// player's browsers. A repeat publishes the change
/// again, because the first call may have died before it did.
#[instrument(name = "chat.notify", skip_all, fields(player.id = %new.player, caller = new.caller))]
pub(crate) async fn notify(cx: &Cx, new: &NewNotification) -> Result<(), Error> {
    let id = NotificationId::generate(&cx.clock, &cx.rng);
    let mut tx = cx.db.begin().await?;
    if store::notification::insert(&mut tx, id, new, cx.clock.now()).await? {
        put_pushes(&mut tx, cx, new.player, id).await?;
    } else {
        check_repeat(&mut tx, new).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(PUSH_TOPIC);
    publish_notifications_changed(cx, new.player);
    Ok(())
}

/// Refuses other content under a source that was used before.
async fn check_repeat(conn: &mut PgConnection, new: &NewNotification) -> Result<(), Error> {
    let first = store::notification::find_by_source(conn, new.caller, &new.source).await?;
    // Swept in this moment.
    let first = first.ok_or(Error::Conflict)?;
    let is_same = first.player == new.player
        && first.kind == <&str>::from(new.kind)
        && first.params == *new.params.as_map();
    if is_same { Ok(()) } else { Err(Refused::SourceReused.into()) }
}
