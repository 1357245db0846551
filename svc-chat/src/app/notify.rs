//! Notifies players: an idempotent write of a service.

use std::collections::HashSet;

use mesh::instrument;
use sqlx::PgConnection;
use types::PlayerId;

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

/// Stores notifications, each once for its source, with what pushes them to the players'
/// browsers: all or none. A repeat publishes the change
/// again, because the first call may have died before it did.
#[instrument(name = "chat.notify", skip_all, fields(count = new.len()))]
pub(crate) async fn notify(cx: &Cx, new: Vec<NewNotification>) -> Result<(), Error> {
    let mut new: Vec<_> =
        new.into_iter().map(|new| (NotificationId::generate(&cx.clock, &cx.rng), new)).collect();
    // Two calls with the same sources wait for each other's rows in the same order.
    new.sort_unstable_by(|(_, one), (_, other)| one.source.as_str().cmp(other.source.as_str()));
    let mut tx = cx.db.begin().await?;
    let inserted = store::notification::insert(&mut tx, &new, cx.clock.now()).await?;
    let (stored, repeated): (Vec<_>, Vec<_>) =
        new.iter().partition(|(id, _)| inserted.contains(id));
    let stored: Vec<_> = stored.into_iter().map(|(id, new)| (new.player, *id)).collect();
    let is_pushed = put_pushes(&mut tx, cx, &stored).await?;
    for (_, new) in repeated {
        check_repeat(&mut tx, new).await?;
    }
    tx.commit().await?;
    if is_pushed {
        cx.outbox.notify(PUSH_TOPIC);
    }
    let players: HashSet<PlayerId> = new.iter().map(|(_, new)| new.player).collect();
    for player in players {
        publish_notifications_changed(cx, player);
    }
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
