//! Removing a message of one's own.

use mesh::instrument;
use types::PlayerId;

use super::{
    Cx,
    mention::{publish_withdrawn, withdraw_mentions},
    room_change::RoomChange,
    room_changed::publish_room_changed,
};
use crate::{
    domain::MessageId,
    error::{Error, Refused},
    store,
};

/// Erases the content of the player's message, also of one in a room that the player has
/// left, and takes the notifications of those whom it mentions along. A repeat changes nothing.
#[instrument(name = "chat.delete_message", skip_all, fields(player.id = %player, message.id = %id))]
pub(crate) async fn delete_message(cx: &Cx, player: PlayerId, id: MessageId) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let message = store::message::find(&mut tx, id).await?;
    let message = message.filter(|message| message.player == player);
    let message = message.ok_or(Refused::MessageNotFound)?;
    if !store::message::lock(&mut tx, id).await? {
        return Ok(());
    }
    let mentioned = withdraw_mentions(&mut tx, id).await?;
    // Last, because it locks the numbers of the room. A room that an operator removed has none.
    if !store::message::remove(&mut tx, message.room, id, player).await? {
        store::content::lock(&mut tx).await?;
        if !store::message::remove_without_numbers(&mut tx, message.room, id).await? {
            // The room was opened again in between.
            return Err(Error::Conflict);
        }
    }
    tx.commit().await?;
    publish_room_changed(cx, message.room, RoomChange::Removal);
    publish_withdrawn(cx, mentioned);
    Ok(())
}
