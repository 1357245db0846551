//! Stores the notifications that services send, idempotently.

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

/// Stores notifications, each once for its source, with the outbox rows that push them to the
/// players' browsers: all or none. A repeat publishes the change again, because the first call may
/// have died before publishing it.
#[instrument(name = "chat.notify", skip_all, fields(count = new.len()))]
pub(crate) async fn notify(cx: &Cx, new: Vec<NewNotification>) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let stored = store_new(&mut tx, cx, new).await?;
    for new in &stored.repeated {
        check_repeat(&mut tx, new).await?;
    }
    tx.commit().await?;
    stored.publish(cx);
    Ok(())
}

/// The notifications that a transaction stored; call [`Stored::publish`] after its commit.
pub(super) struct Stored {
    /// Notifications whose source was used before.
    repeated: Vec<NewNotification>,
    players: HashSet<PlayerId>,
    is_pushed: bool,
}

/// Stores the notifications whose sources are new, with the outbox rows that push them.
pub(super) async fn store_new(
    conn: &mut PgConnection,
    cx: &Cx,
    new: Vec<NewNotification>,
) -> Result<Stored, Error> {
    let mut new: Vec<_> =
        new.into_iter().map(|new| (NotificationId::generate(&cx.clock, &cx.rng), new)).collect();
    // Sorted, so that two calls with the same sources lock the rows in the same order.
    new.sort_unstable_by(|(_, one), (_, other)| one.source.as_str().cmp(other.source.as_str()));
    let players = new.iter().map(|(_, new)| new.player).collect();
    let inserted = store::notification::insert(conn, &new, cx.clock.now()).await?;
    let (stored, repeated): (Vec<_>, Vec<_>) =
        new.into_iter().partition(|(id, _)| inserted.contains(id));
    let stored: Vec<_> = stored.into_iter().map(|(id, new)| (new.player, id)).collect();
    let is_pushed = put_pushes(conn, cx, &stored).await?;
    let repeated = repeated.into_iter().map(|(_, new)| new).collect();
    Ok(Stored { repeated, players, is_pushed })
}

impl Stored {
    /// Wakes the outbox relay and the players' streams.
    pub(super) fn publish(self, cx: &Cx) {
        if self.is_pushed {
            cx.outbox.notify(PUSH_TOPIC);
        }
        for player in self.players {
            publish_notifications_changed(cx, player);
        }
    }
}

/// Refuses other content under a source that was used before.
async fn check_repeat(conn: &mut PgConnection, new: &NewNotification) -> Result<(), Error> {
    let first = store::notification::find_by_source(conn, new.caller, &new.source).await?;
    // The first notification was swept in this moment.
    let first = first.ok_or(Error::Conflict)?;
    let is_same = first.player == new.player
        && first.kind == <&str>::from(new.kind)
        && first.params == *new.params.as_map();
    if is_same { Ok(()) } else { Err(Refused::SourceReused.into()) }
}
