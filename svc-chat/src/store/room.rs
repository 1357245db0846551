//! Tables `room`, `room_sequence` and `room_counts`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::{PlayerId, content_id};

use super::Parsed;
use crate::domain::{ChatType, Membership, Message, Room, RoomId, RoomState};

/// A room, and for a member its newest visible message.
struct ListedRow {
    id: Uuid,
    chat_room_uid: String,
    name: String,
    icon: String,
    game: Option<String>,
    members: i64,
    is_member: bool,
    unread: i64,
    seq: Option<i64>,
    message_id: Option<Uuid>,
    sender: Option<Uuid>,
    chat_type: Option<Parsed<ChatType>>,
    preview: Option<String>,
    created_at: Option<OffsetDateTime>,
}

/// The first `limit` rooms, those that the player has joined before the others, both by name, with
/// the number of their members and what is new for the player. The newest 100 messages of a room
/// are read at most.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    player: PlayerId,
    limit: i64,
) -> sqlx::Result<Vec<Room>> {
    let rows = sqlx::query_as!(
        ListedRow,
        r#"SELECT room.id, chat_room_uid, name, icon, game, members,
                  membership.room_id IS NOT NULL AS "is_member!",
                  (SELECT count(*) FROM message
                   WHERE message.room_id = membership.room_id AND read_seq IS NOT NULL
                       AND seq > greatest(read_seq, messages - 100) AND removal IS NULL
                       AND message.player_id <> $1
                       AND message.player_id <> ALL (ARRAY(
                           SELECT blocked_id FROM player_block
                           WHERE player_block.player_id = $1))) AS "unread!",
                  seq AS "seq?", newest.id AS "message_id?", newest.player_id AS "sender?",
                  chat_type AS "chat_type?: Parsed<ChatType>", preview AS "preview?",
                  newest.created_at AS "created_at?"
           FROM room
           JOIN room_counts ON room_counts.room_id = room.id
           JOIN room_sequence ON room_sequence.room_id = room.id
           LEFT JOIN membership ON membership.room_id = room.id AND membership.player_id = $1
           LEFT JOIN LATERAL (
               SELECT seq, message.id, message.player_id, chat_type, created_at,
                      left(content, 200) AS preview
               FROM message
               WHERE message.room_id = membership.room_id AND seq > messages - 100
                   AND removal IS NULL
                   AND message.player_id <> ALL (ARRAY(
                       SELECT blocked_id FROM player_block WHERE player_block.player_id = $1))
               ORDER BY seq DESC LIMIT 1
           ) AS newest ON true
           ORDER BY membership.room_id IS NULL, name, room.id LIMIT $2"#,
        player.uuid(),
        limit
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(ListedRow::into_room).collect())
}

impl ListedRow {
    fn into_room(self) -> Room {
        let membership = self.is_member.then(|| Membership {
            unread_count: u32::try_from(self.unread).unwrap_or(u32::MAX),
            last_message: self.last_message(),
        });
        Room {
            id: self.id.into(),
            chat_room_uid: self.chat_room_uid,
            name: self.name,
            icon: self.icon,
            member_count: u32::try_from(self.members).unwrap_or(u32::MAX),
            game: self.game.map(|key| content_id("Game", &key).into()),
            membership,
        }
    }

    /// The row's message; `None` for a room without one.
    fn last_message(&self) -> Option<Message> {
        Some(Message {
            id: self.message_id?.into(),
            room: self.id.into(),
            seq: self.seq?.unsigned_abs(),
            player: self.sender?.into(),
            chat_type: self.chat_type.as_ref()?.0,
            text: self.preview.clone()?,
            created_at: self.created_at?,
            removal: None,
        })
    }
}

/// The room with this id or `chat_room_uid`.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    id: Option<RoomId>,
    chat_room_uid: &str,
) -> sqlx::Result<Option<RoomId>> {
    let id = sqlx::query_scalar!(
        r#"SELECT id AS "id!" FROM (
               SELECT id FROM room WHERE chat_room_uid = $2
               UNION ALL SELECT id FROM room WHERE id = $1) AS found
           LIMIT 1"#,
        id.map(RoomId::uuid),
        chat_room_uid
    )
    .fetch_optional(conn)
    .await?;
    Ok(id.map(Into::into))
}

/// The counters of a room; `None` for a removed room.
#[statement]
pub(crate) async fn state(
    conn: &mut PgConnection,
    room: RoomId,
) -> sqlx::Result<Option<RoomState>> {
    let row = sqlx::query!(
        "SELECT messages, removals, members
         FROM room_sequence JOIN room_counts USING (room_id) WHERE room_id = $1",
        room.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| room_state(row.messages, row.removals, row.members)))
}

/// A room that a player has joined.
pub(crate) struct JoinedRoom {
    pub(crate) id: RoomId,
    pub(crate) chat_room_uid: String,
    pub(crate) state: RoomState,
}

/// Those of the rooms that the player has joined, with their counters.
#[statement]
pub(crate) async fn joined_states(
    conn: &mut PgConnection,
    player: PlayerId,
    chat_room_uids: &[String],
) -> sqlx::Result<Vec<JoinedRoom>> {
    let rows = sqlx::query!(
        "SELECT id, chat_room_uid, messages, removals, members
         FROM room
         JOIN room_sequence ON room_sequence.room_id = id
         JOIN room_counts ON room_counts.room_id = id
         JOIN membership ON membership.room_id = id AND player_id = $1
         WHERE chat_room_uid = ANY ($2)",
        player.uuid(),
        chat_room_uids
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| JoinedRoom {
            id: row.id.into(),
            chat_room_uid: row.chat_room_uid,
            state: room_state(row.messages, row.removals, row.members),
        })
        .collect())
}

/// A room whose count differs from its memberships.
pub(crate) struct WrongCount {
    pub(crate) id: RoomId,
    pub(crate) counted: i64,
    pub(crate) members: i64,
}

/// The rooms whose count of members differs from their memberships.
#[statement]
pub(crate) async fn wrong_counts(conn: &mut PgConnection) -> sqlx::Result<Vec<WrongCount>> {
    let rows = sqlx::query!(
        r#"SELECT room_id, members AS counted, found AS "found!"
           FROM room_counts
           CROSS JOIN LATERAL (SELECT count(*) AS found FROM membership
               WHERE membership.room_id = room_counts.room_id) AS memberships
           WHERE members <> found"#
    )
    .fetch_all(conn)
    .await?;
    let wrong = |room: Uuid, counted, members| WrongCount { id: room.into(), counted, members };
    Ok(rows.into_iter().map(|row| wrong(row.room_id, row.counted, row.found)).collect())
}

fn room_state(messages: i64, removals: i64, members: i64) -> RoomState {
    RoomState {
        messages: messages.unsigned_abs(),
        removals: removals.unsigned_abs(),
        members: u32::try_from(members).unwrap_or(u32::MAX),
    }
}
