//! Sending a message: an idempotent write.

use mesh::{auth::Player, instrument};

use super::{
    Cx, find_room::find_room, room_change::RoomChange, room_changed::publish_room_changed,
    store_message::store_message,
};
use crate::{
    domain::{ChatType, Message, MessageContent, MessageId, NewMessage, RoomId},
    error::{Error, Refused},
    store,
};

/// What a player sends.
pub(crate) struct SentMessage<'a> {
    /// The room's id or `chat_room_uid`.
    pub(crate) room: &'a str,
    pub(crate) chat_type: ChatType,
    pub(crate) text: &'a str,
    /// What the player's device calls it, the same for each repeat.
    pub(crate) client_id: &'a str,
}

/// Stores the player's message under the room's next number, and returns it. A repeat
/// returns the first one.
#[instrument(name = "chat.send_message", skip_all, fields(player.id = %player.id))]
pub(crate) async fn send_message(
    cx: &Cx,
    player: Player,
    sent: SentMessage<'_>,
) -> Result<Message, Error> {
    let player = player.id;
    let content =
        MessageContent::parse(sent.chat_type, sent.text, player).map_err(Refused::from)?;
    let room = find_room(cx, sent.room).await?;
    let id = MessageId::of_client(room, player, sent.client_id).map_err(Refused::from)?;
    let created_at = cx.clock.now();
    cx.send_rate.record(room, player, created_at)?;
    let new = NewMessage { id, player, content, created_at };
    let seq = store_message(cx, room, new.clone()).await?;
    let Some(seq) = seq else { return not_stored(cx, room, &new).await };
    publish_room_changed(cx, room, RoomChange::Message(seq));
    let NewMessage { id, player, content, created_at } = new;
    Ok(Message {
        id,
        room,
        seq,
        player,
        chat_type: content.chat_type(),
        text: content.into_text(),
        created_at,
        removal: None,
    })
}

/// The message that a repeated call sent first, or why it was not stored.
async fn not_stored(cx: &Cx, room: RoomId, new: &NewMessage) -> Result<Message, Error> {
    let mut conn = cx.db.acquire().await?;
    if !store::membership::exists(&mut conn, room, new.player).await? {
        return Err(Refused::NotAMember.into());
    }
    match store::message::find(&mut conn, new.id).await? {
        // The first call may have died before it published.
        Some(first) if first.is_repeated_by(new) => {
            publish_room_changed(cx, room, RoomChange::Message(first.seq));
            Ok(first)
        }
        Some(_) => Err(Refused::SourceReused.into()),
        // Joined in this moment.
        None => Err(Error::Conflict),
    }
}
