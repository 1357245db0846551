//! Marks notifications as read.

use mesh::instrument;
use types::PlayerId;

use super::{Cx, notifications_changed::publish_notifications_changed};
use crate::{
    domain::NotificationId,
    error::{Error, Refused},
    store,
};

/// Marks those of the player's notifications among `ids`, or all without `ids`. The player's
/// other tabs and phones learn of it. Refused when none of `ids` is the player's; one that is
/// not is passed over, because some of a page may have been withdrawn meanwhile.
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
