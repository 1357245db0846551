//! Sending a message: an idempotent write.

use mesh::{auth::Player, instrument};
use sqlx::PgConnection;

use super::{
    Cx,
    find_room::find_room,
    mention::{MENTION_TOPIC, mention_row},
    room_change::RoomChange,
    room_changed::publish_room_changed,
    word_filter::word_filter,
};
use crate::{
    domain::{ChatType, Message, MessageContent, MessageId, NewMessage, RoomId},
    error::{Error, Refused},
    store::{self, message::Unstored},
};

/// A message as a player sends it.
pub(crate) struct SentMessage<'a> {
    /// The room's id or `chat_room_uid`.
    pub(crate) room: &'a str,
    pub(crate) chat_type: ChatType,
    pub(crate) text: &'a str,
    /// The device's idempotency key, the same for each repeat.
    pub(crate) client_id: &'a str,
}

/// Stores the player's message under the room's next number, and returns it. A repeat returns the
/// first message.
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
    if sent.chat_type == ChatType::Text && word_filter(cx).await?.matches(new.content.text()) {
        return first_or(cx, room, &new, Refused::WordNotAllowed).await;
    }
    let mut seq = store_message(cx, room, &new).await?;
    if seq.is_none() {
        match why_not_stored(cx, room, &new).await? {
            NotStored::Repeat(first) => return Ok(first),
            NotStored::HasTurn => seq = store_message(cx, room, &new).await?,
        }
    }
    // The cause that kept the message from being stored has just changed.
    let seq = seq.ok_or(Error::Conflict)?;
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

/// Stores a message with the outbox row for its mentions.
async fn store_message(cx: &Cx, room: RoomId, new: &NewMessage) -> Result<Option<u64>, Error> {
    let mention = mention_row(cx, new)?;
    let is_mention = mention.is_some();
    let unstored = Unstored { room, message: new.clone(), mention };
    let seq = cx.message_writer.call(unstored).await?;
    if is_mention && seq.is_some() {
        cx.outbox.notify(MENTION_TOPIC);
    }
    Ok(seq)
}

/// Why a message was not stored, if it is not refused.
enum NotStored {
    /// The message repeats this stored one.
    Repeat(Message),
    /// The message has the slow-mode turn now, and can be stored.
    HasTurn,
}

/// Finds out why a message was not stored. In a room with slow mode it takes the sender's turn, so
/// that only there a message costs more than its insert.
async fn why_not_stored(cx: &Cx, room: RoomId, new: &NewMessage) -> Result<NotStored, Error> {
    let mut conn = cx.db.acquire().await?;
    if !store::membership::exists(&mut conn, room, new.player).await? {
        return Err(Refused::NotAMember.into());
    }
    if let Some(first) = find_first(cx, &mut conn, room, new).await? {
        return Ok(NotStored::Repeat(first));
    }
    let rules = store::safety::rules(&mut conn, room, new.player).await?;
    if rules.closed {
        return Err(Refused::RoomClosed.into());
    }
    if let Some(wait) = rules.muted_for(new.created_at) {
        return Err(Refused::Muted(wait).into());
    }
    let (player, now, pause) = (new.player, new.created_at, rules.slow_mode);
    if pause.is_zero() {
        // The player has just joined or been unmuted, or the room has just been opened.
        return Err(Error::Conflict);
    }
    if store::safety::take_turn(&mut conn, room, player, new.id, now, pause).await? {
        return Ok(NotStored::HasTurn);
    }
    Err(Refused::SlowMode(rules.wait(now).unwrap_or(pause)).into())
}

/// The message that the first call stored, if this one is a repeat; otherwise this refusal.
async fn first_or(
    cx: &Cx,
    room: RoomId,
    new: &NewMessage,
    refused: Refused,
) -> Result<Message, Error> {
    let mut conn = cx.db.acquire().await?;
    if !store::membership::exists(&mut conn, room, new.player).await? {
        return Err(Refused::NotAMember.into());
    }
    find_first(cx, &mut conn, room, new).await?.ok_or_else(|| refused.into())
}

async fn find_first(
    cx: &Cx,
    conn: &mut PgConnection,
    room: RoomId,
    new: &NewMessage,
) -> Result<Option<Message>, Error> {
    match store::message::find(conn, new.id).await? {
        // The first call may have died before it published.
        Some(first) if first.is_repeated_by(new) => {
            publish_room_changed(cx, room, RoomChange::Message(first.seq));
            Ok(Some(first))
        }
        Some(_) => Err(Refused::SourceReused.into()),
        None => Ok(None),
    }
}
