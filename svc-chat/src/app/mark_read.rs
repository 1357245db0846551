//! Marks notifications as read.

use mesh::instrument;
use types::PlayerId;

use super::{Cx, notifications_changed::publish_notifications_changed};
use crate::{
    domain::NotificationId,
    error::{Error, Refused},
    store,
};

/// Marks the player's notifications among `ids` as read, or all without `ids`, and updates the
/// player's other tabs and phones. Refused when none of `ids` is a notification of the player;
/// otherwise such ids are ignored, because some notifications of a page may have been withdrawn
/// meanwhile.
#[instrument(name = "chat.mark_read", skip_all, fields(player.id = %player))]
pub(crate) async fn mark_read(
    cx: &Cx,
    player: PlayerId,
    ids: Option<&[NotificationId]>,
) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    let marked = store::notification::mark_read(&mut conn, player, ids, cx.clock.now()).await?;
    if marked > 0 {
        publish_notifications_changed(cx, player);
    } else if let Some(ids) = ids
        && !store::notification::exists_any(&mut conn, player, ids).await?
    {
        return Err(Refused::NotificationNotFound.into());
    }
    Ok(())
}
