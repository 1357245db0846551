//! Removes messages: players remove their own, operators any.

use mesh::instrument;
use sqlx::PgConnection;
use types::PlayerId;

use super::{
    Cx,
    mention::{publish_withdrawn, withdraw_mentions},
    room_change::RoomChange,
    room_changed::publish_room_changed,
};
use crate::{
    domain::{Message, MessageId},
    error::{Error, Refused},
    store,
};

/// Erases the content of the player's message, also in a room that the player has left, and removes
/// the notifications of the players whom it mentions. A repeat changes nothing.
#[instrument(name = "chat.delete_message", skip_all, fields(player.id = %player, message.id = %id))]
pub(crate) async fn delete_message(cx: &Cx, player: PlayerId, id: MessageId) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let message = store::message::find(&mut tx, id).await?;
    let message = message.filter(|message| message.player == player);
    let message = message.ok_or(Refused::MessageNotFound)?;
    if !store::message::lock(&mut tx, id).await? {
        return Ok(());
    }
    let mentioned = remove_message(&mut tx, &message).await?;
    tx.commit().await?;
    publish_room_changed(cx, message.room, RoomChange::Removal);
    publish_withdrawn(cx, mentioned);
    Ok(())
}

/// Erases the content of a message that the caller has locked, and removes the notifications of the
/// players whom it mentions; returns these players. Call it last in a transaction, because it locks
/// the numbers of the room, and in a room that an operator removed all content.
pub(super) async fn remove_message(
    tx: &mut PgConnection,
    message: &Message,
) -> Result<Vec<PlayerId>, Error> {
    let (room, id) = (message.room, message.id);
    let mentioned = withdraw_mentions(tx, id).await?;
    // A room that an operator removed has no numbers.
    if !store::message::remove(tx, room, id, message.player).await? {
        mesh::content::lock(tx).await?;
        if !store::message::remove_without_numbers(tx, room, id).await? {
            // The room was opened again in between.
            return Err(Error::Conflict);
        }
    }
    Ok(mentioned)
}
