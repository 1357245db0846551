//! Table `message`, and the numbers of `room_sequence`.

use std::ops::RangeInclusive;

use mesh::db::statement;
use serde_json::Value;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use super::Parsed;
use crate::domain::{ChatType, Message, MessageId, NewMessage, RoomId};

/// A row of the table.
struct Row {
    room_id: Uuid,
    seq: i64,
    id: Uuid,
    player_id: Uuid,
    chat_type: Parsed<ChatType>,
    content: String,
    created_at: OffsetDateTime,
    removal: Option<i64>,
}

/// The number that a message was given.
pub(crate) struct Numbered {
    pub(crate) id: MessageId,
    pub(crate) seq: u64,
}

/// A message to store.
pub(crate) struct Unstored {
    pub(crate) room: RoomId,
    pub(crate) message: NewMessage,
    /// Set for a message that mentions players.
    pub(crate) mention: Option<OutboxRow>,
}

/// An outbox row that is written with a message.
pub(crate) struct OutboxRow {
    pub(crate) topic: &'static str,
    pub(crate) id: Uuid,
    pub(crate) payload: Value,
    pub(crate) traceparent: Option<String>,
}

/// The statement that stores messages, completed by `$end`: the insert of messages alone, or with
/// an insert of outbox rows, so that messages without mentions cost nothing more.
macro_rules! insert_query {
    ($end:tt, $($values:expr),*) => {
        sqlx::query!(
            "WITH new AS MATERIALIZED (
                 SELECT sent.*, row_number() OVER (PARTITION BY room_id ORDER BY place) AS number
                 FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[],
                             $6::timestamptz[])
                     WITH ORDINALITY
                     AS sent (room_id, id, player_id, chat_type, content, created_at, place)
                 WHERE EXISTS (SELECT FROM membership WHERE membership.room_id = sent.room_id
                         AND membership.player_id = sent.player_id)
                     AND (SELECT seq FROM message WHERE message.id = sent.id) IS NULL
                     AND NOT EXISTS (SELECT FROM player_mute
                         WHERE player_mute.player_id = sent.player_id
                             AND player_mute.room_id
                                 IN (sent.room_id, '00000000-0000-0000-0000-000000000000')
                             AND until > sent.created_at)
                     AND NOT EXISTS (SELECT FROM room_rule
                         WHERE room_rule.room_id = sent.room_id
                             AND (closed OR (slow_mode_seconds > 0 AND NOT EXISTS (
                                 SELECT FROM slow_mode_turn AS turn
                                 WHERE turn.room_id = sent.room_id
                                     AND turn.player_id = sent.player_id
                                     AND turn.message_id = sent.id))))
             ), counts AS (
                 SELECT room_id, count(*) AS count FROM new GROUP BY room_id
             ), locked AS MATERIALIZED (
                 SELECT room_id FROM room_sequence WHERE room_id IN (SELECT room_id FROM counts)
                 ORDER BY room_id FOR NO KEY UPDATE
             ), numbers AS (
                 UPDATE room_sequence SET messages = messages + counts.count
                 FROM locked JOIN counts USING (room_id)
                 WHERE room_sequence.room_id = locked.room_id
                 RETURNING room_sequence.room_id, messages - counts.count AS last
             )"
                + $end,
            $($values),*
        )
    };
}

/// Stores the messages that are new and whose senders are members who may send now, and numbers the
/// messages of each room in their order. In a room with slow mode a message needs the turn.
///
/// One statement, so that the locks on the rooms' numbers are held for its insert and its commit
/// alone; the locks are taken in one order. A number is given only after the transactions with all
/// lower numbers have committed, because the lock ends after a commit is visible: a reader who sees
/// a message sees all before it. A statement that fails gives no number.
///
/// The check for repeats is a subquery for each row, because a join that is planned for the empty
/// table of a new deployment would read all messages until the next ANALYZE.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    messages: &[Unstored],
) -> sqlx::Result<Vec<Numbered>> {
    let of = Columns::of(messages);
    let rows = insert_query!(
        "INSERT INTO message (room_id, seq, id, player_id, chat_type, content, created_at)
         SELECT new.room_id, last + number, id, player_id, chat_type, content, created_at
         FROM new JOIN numbers USING (room_id)
         RETURNING id, seq",
        &of.rooms,
        &of.ids,
        &of.players,
        &of.types,
        &of.contents,
        &of.times
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| Numbered::of(row.id, row.seq)).collect())
}

/// Stores messages like [`insert`], where some mention players: the same statement writes the
/// outbox row of each stored message.
#[statement]
pub(crate) async fn insert_with_mentions(
    conn: &mut PgConnection,
    messages: &[Unstored],
) -> sqlx::Result<Vec<Numbered>> {
    let of = Columns::of(messages);
    let mentions = messages.iter().filter_map(|one| Some((&one.message, one.mention.as_ref()?)));
    let mentions: Vec<(&NewMessage, &OutboxRow)> = mentions.collect();
    let mentioning: Vec<Uuid> = mentions.iter().map(|(message, _)| message.id.uuid()).collect();
    let topics: Vec<&str> = mentions.iter().map(|(_, row)| row.topic).collect();
    let row_ids: Vec<Uuid> = mentions.iter().map(|(_, row)| row.id).collect();
    let payloads: Vec<Value> = mentions.iter().map(|(_, row)| row.payload.clone()).collect();
    let traces: Vec<Option<&str>> =
        mentions.iter().map(|(_, row)| row.traceparent.as_deref()).collect();
    let rows = insert_query!(
        r#", stored AS (
             INSERT INTO message (room_id, seq, id, player_id, chat_type, content, created_at)
             SELECT new.room_id, last + number, id, player_id, chat_type, content, created_at
             FROM new JOIN numbers USING (room_id)
             RETURNING id, seq
         ), mentions AS (
             INSERT INTO outbox (topic, id, payload, traceparent, due_at, created_at)
             SELECT topic, row_id, payload, traceparent, now(), now()
             FROM unnest($7::uuid[], $8::text[], $9::uuid[], $10::jsonb[], $11::text[])
                 AS mention (message_id, topic, row_id, payload, traceparent)
             WHERE message_id IN (SELECT id FROM stored)
         )
         SELECT id AS "id!", seq AS "seq!" FROM stored"#,
        &of.rooms,
        &of.ids,
        &of.players,
        &of.types,
        &of.contents,
        &of.times,
        &mentioning,
        &topics as _,
        &row_ids,
        &payloads,
        &traces as _
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| Numbered::of(row.id, row.seq)).collect())
}

/// The columns of messages to store.
struct Columns {
    rooms: Vec<Uuid>,
    ids: Vec<Uuid>,
    players: Vec<Uuid>,
    types: Vec<String>,
    contents: Vec<String>,
    times: Vec<OffsetDateTime>,
}

impl Columns {
    fn of(messages: &[Unstored]) -> Self {
        let new = || messages.iter().map(|one| &one.message);
        let type_of = |message: &NewMessage| <&str>::from(message.content.chat_type()).to_owned();
        Self {
            rooms: messages.iter().map(|one| one.room.uuid()).collect(),
            ids: new().map(|message| message.id.uuid()).collect(),
            players: new().map(|message| message.player.uuid()).collect(),
            types: new().map(type_of).collect(),
            contents: new().map(|message| message.content.text().to_owned()).collect(),
            times: new().map(|message| message.created_at).collect(),
        }
    }
}

impl Numbered {
    fn of(id: Uuid, seq: i64) -> Self {
        Self { id: id.into(), seq: seq.unsigned_abs() }
    }
}

/// The message with an id.
#[statement]
pub(crate) async fn find(conn: &mut PgConnection, id: MessageId) -> sqlx::Result<Option<Message>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT room_id, seq, id, player_id, chat_type AS "chat_type: Parsed<ChatType>", content,
                  created_at, removal
           FROM message WHERE id = $1"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Into::into))
}

/// The room's messages with numbers in a range, in their order. At most `limit`.
#[statement]
pub(crate) async fn range(
    conn: &mut PgConnection,
    room: RoomId,
    range: RangeInclusive<u64>,
    limit: u32,
) -> sqlx::Result<Vec<Message>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT room_id, seq, id, player_id, chat_type AS "chat_type: Parsed<ChatType>", content,
                  created_at, removal
           FROM message WHERE room_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq LIMIT $4"#,
        room.uuid(),
        saturating(*range.start()),
        saturating(*range.end()),
        i64::from(limit)
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The removed messages of the room with numbers in a range, in their order.
#[statement]
pub(crate) async fn removed_in(
    conn: &mut PgConnection,
    room: RoomId,
    range: RangeInclusive<u64>,
) -> sqlx::Result<Vec<Message>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT room_id, seq, id, player_id, chat_type AS "chat_type: Parsed<ChatType>", content,
                  created_at, removal
           FROM message WHERE room_id = $1 AND seq BETWEEN $2 AND $3 AND removal IS NOT NULL
           ORDER BY seq"#,
        room.uuid(),
        saturating(*range.start()),
        saturating(*range.end())
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The room's removed messages after a removal, in the order of their removals. At most
/// `limit`.
#[statement]
pub(crate) async fn removed_after(
    conn: &mut PgConnection,
    room: RoomId,
    removal: u64,
    limit: u32,
) -> sqlx::Result<Vec<Message>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT room_id, seq, id, player_id, chat_type AS "chat_type: Parsed<ChatType>", content,
                  created_at, removal
           FROM message WHERE room_id = $1 AND removal > $2 ORDER BY removal LIMIT $3"#,
        room.uuid(),
        saturating(removal),
        i64::from(limit)
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Locks the message so that no other transaction removes it, and waits for the delivery of its
/// mentions; false for a removed message.
#[statement]
pub(crate) async fn lock(conn: &mut PgConnection, id: MessageId) -> sqlx::Result<bool> {
    let locked = sqlx::query_scalar!(
        r#"SELECT true AS "locked!" FROM message WHERE id = $1 AND removal IS NULL
           FOR NO KEY UPDATE"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(locked.is_some())
}

/// Erases the content of a player's message, and numbers the removal as [`insert`] does a message.
/// False for a removed message, for another player's message, and in a room that an operator
/// removed ([`remove_without_numbers`]).
#[statement]
pub(crate) async fn remove(
    conn: &mut PgConnection,
    room: RoomId,
    id: MessageId,
    player: PlayerId,
) -> sqlx::Result<bool> {
    let removed = sqlx::query!(
        "WITH numbers AS (
             UPDATE room_sequence SET removals = removals + 1
             WHERE room_id = $1 AND EXISTS (SELECT FROM message
                 WHERE id = $2 AND player_id = $3 AND removal IS NULL)
             RETURNING removals
         )
         UPDATE message SET content = '', removal = removals FROM numbers
         WHERE id = $2 AND player_id = $3 AND removal IS NULL",
        room.uuid(),
        id.uuid(),
        player.uuid()
    )
    .execute(conn)
    .await?;
    Ok(removed.rows_affected() == 1)
}

/// Erases the content of a message in a room that an operator removed, whose numbers were removed
/// with it: when the room is opened again, they continue after this removal. Changes nothing in a
/// room that has numbers.
#[statement]
pub(crate) async fn remove_without_numbers(
    conn: &mut PgConnection,
    room: RoomId,
    id: MessageId,
) -> sqlx::Result<bool> {
    let removed = sqlx::query!(
        "UPDATE message SET content = '', removal = 1 + (SELECT COALESCE(max(removal), 0)
             FROM message AS removed WHERE removed.room_id = $1 AND removal IS NOT NULL)
         WHERE id = $2 AND room_id = $1 AND removal IS NULL
             AND NOT EXISTS (SELECT FROM room_sequence WHERE room_sequence.room_id = $1)",
        room.uuid(),
        id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(removed.rows_affected() == 1)
}

/// Removes at most `limit` rows of messages that were sent before a time; returns their
/// number.
#[statement]
pub(crate) async fn delete_old(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: u32,
) -> sqlx::Result<u64> {
    let removed = sqlx::query!(
        "DELETE FROM message WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM message WHERE created_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before,
        i64::from(limit)
    )
    .execute(conn)
    .await?;
    Ok(removed.rows_affected())
}

/// Removes at most `limit` messages of a room that was removed before a time; returns their number.
/// Deletes the record of a room that has none left.
#[statement]
pub(crate) async fn delete_of_removed_room(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: u32,
) -> sqlx::Result<u64> {
    let room = sqlx::query_scalar!(
        "SELECT room_id FROM removed_room WHERE removed_at < $1 ORDER BY room_id LIMIT 1",
        before
    );
    let Some(room) = room.fetch_optional(&mut *conn).await? else { return Ok(0) };
    // The statement also checks the room, so that it removes no message of an open room.
    let removed = sqlx::query!(
        "DELETE FROM message WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM message
             WHERE room_id = $1 AND EXISTS (SELECT FROM removed_room WHERE room_id = $1)
             LIMIT $2 FOR UPDATE SKIP LOCKED))",
        room,
        i64::from(limit)
    );
    let removed = removed.execute(&mut *conn).await?.rows_affected();
    sqlx::query!(
        "DELETE FROM removed_room WHERE room_id = $1 AND removed_at < $2
             AND NOT EXISTS (SELECT FROM message WHERE message.room_id = $1)",
        room,
        before
    )
    .execute(conn)
    .await?;
    Ok(removed)
}

impl From<Row> for Message {
    fn from(row: Row) -> Self {
        Self {
            id: row.id.into(),
            room: row.room_id.into(),
            seq: row.seq.unsigned_abs(),
            player: row.player_id.into(),
            chat_type: row.chat_type.0,
            text: row.content,
            created_at: row.created_at,
            removal: row.removal.map(i64::unsigned_abs),
        }
    }
}

/// Converts a number to the column's type. Larger numbers saturate, because no message has them.
pub(super) fn saturating(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
