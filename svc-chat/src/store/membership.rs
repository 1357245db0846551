//! Table `membership`. Its triggers keep the counts of `room_counts`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use super::message::saturating;
use crate::domain::RoomId;

/// Makes the player a member, and records all messages of the room as read; false for a player who
/// was a member before.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    room: RoomId,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let inserted = sqlx::query!(
        "INSERT INTO membership (room_id, player_id, joined_at, read_seq)
         VALUES ($1, $2, $3, (SELECT messages FROM room_sequence WHERE room_id = $1))
         ON CONFLICT DO NOTHING",
        room.uuid(),
        player.uuid(),
        now
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Ends the player's membership; false without one.
#[statement]
pub(crate) async fn delete(
    conn: &mut PgConnection,
    room: RoomId,
    player: PlayerId,
) -> sqlx::Result<bool> {
    let deleted = sqlx::query!(
        "DELETE FROM membership WHERE room_id = $1 AND player_id = $2",
        room.uuid(),
        player.uuid()
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Records that the member has read the messages up to `seq`; false without a membership. A record
/// that is as new already is not written again.
#[statement]
pub(crate) async fn mark_read(
    conn: &mut PgConnection,
    room: RoomId,
    player: PlayerId,
    seq: u64,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"WITH marked AS (
               UPDATE membership SET read_seq = least($3, messages)
               FROM room_sequence
               WHERE membership.room_id = $1 AND player_id = $2 AND room_sequence.room_id = $1
                   AND (read_seq IS NULL OR read_seq < least($3, messages)))
           SELECT EXISTS (SELECT FROM membership
               WHERE room_id = $1 AND player_id = $2) AS "is_member!""#,
        room.uuid(),
        player.uuid(),
        saturating(seq)
    )
    .fetch_one(conn)
    .await
}

/// Whether the player is a member.
#[statement]
pub(crate) async fn exists(
    conn: &mut PgConnection,
    room: RoomId,
    player: PlayerId,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM membership
               WHERE room_id = $1 AND player_id = $2) AS "exists!""#,
        room.uuid(),
        player.uuid()
    )
    .fetch_one(conn)
    .await
}

/// Those of the players who are no members.
#[statement]
pub(crate) async fn strangers(
    conn: &mut PgConnection,
    room: RoomId,
    players: &[PlayerId],
) -> sqlx::Result<Vec<PlayerId>> {
    let players: Vec<Uuid> = players.iter().map(|player| player.uuid()).collect();
    let strangers = sqlx::query_scalar!(
        r#"SELECT player_id AS "player_id!" FROM unnest($2::uuid[]) AS asked (player_id)
           WHERE NOT EXISTS (SELECT FROM membership
               WHERE membership.room_id = $1 AND membership.player_id = asked.player_id)"#,
        room.uuid(),
        &players
    )
    .fetch_all(conn)
    .await?;
    Ok(strangers.into_iter().map(Into::into).collect())
}

/// The `chat_room_uid`s of the first `limit` rooms that the player has joined, sorted.
#[statement]
pub(crate) async fn joined(
    conn: &mut PgConnection,
    player: PlayerId,
    limit: i64,
) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        "SELECT chat_room_uid FROM membership JOIN room ON room.id = room_id
         WHERE player_id = $1 ORDER BY chat_room_uid LIMIT $2",
        player.uuid(),
        limit
    )
    .fetch_all(conn)
    .await
}
