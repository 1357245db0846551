//! Removing a message of one's own.

use mesh::instrument;
use types::PlayerId;

use super::{Cx, room_change::RoomChange, room_changed::publish_room_changed};
use crate::{
    domain::MessageId,
    error::{Error, Refused},
    store,
};

/// Erases the content of the player's message, also of one in a room that the player has
/// left. A repeat changes nothing.
#[instrument(name = "chat.delete_message", skip_all, fields(player.id = %player, message.id = %id))]
pub(crate) async fn delete_message(cx: &Cx, player: PlayerId, id: MessageId) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    let message = store::message::find(&mut conn, id).await?;
    let message = message.filter(|message| message.player == player);
    let message = message.ok_or(Refused::MessageNotFound)?;
    if store::message::remove(&mut conn, message.room, id, player).await? {
        publish_room_changed(cx, message.room, RoomChange::Removal);
    }
    Ok(())
}
