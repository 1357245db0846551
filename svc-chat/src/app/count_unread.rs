//! The number of a player's unread notifications.

use mesh::instrument;
use types::PlayerId;

use super::Cx;
use crate::{error::Error, store};

/// The number of unread notifications, counted to 100.
#[instrument(name = "chat.count_unread", skip_all, fields(player.id = %player))]
pub(crate) async fn count_unread(cx: &Cx, player: PlayerId) -> Result<u32, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::notification::state(&mut conn, player).await?.unread)
}
