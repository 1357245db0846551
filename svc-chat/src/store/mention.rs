//! Table `mention_notice`, and the rows that decide who is notified of a mention.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{MentionSource, MessageId};

/// A text message with its room; `None` for a removed message, and in a closed room.
#[statement]
pub(crate) async fn find_source(
    conn: &mut PgConnection,
    message: MessageId,
) -> sqlx::Result<Option<MentionSource>> {
    let row = sqlx::query!(
        "SELECT chat_room_uid, name, player_id, content, message.created_at
         FROM message JOIN room ON room.id = room_id
         WHERE message.id = $1 AND removal IS NULL AND chat_type = 'TEXT'
             AND NOT EXISTS (SELECT FROM room_rule
                 WHERE room_rule.room_id = message.room_id AND closed)",
        message.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| MentionSource {
        room_uid: row.chat_room_uid,
        room_name: row.name,
        sender: row.player_id.into(),
        text: row.content,
        sent_at: row.created_at,
    }))
}

/// Whether the players whom a message mentions have been notified.
#[statement]
pub(crate) async fn is_notified(conn: &mut PgConnection, message: MessageId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM mention_notice WHERE message_id = $1) AS "exists!""#,
        message.uuid()
    )
    .fetch_one(conn)
    .await
}

/// Those of the players whom the message may notify now: other members of its room who have
/// not blocked its sender. None for a message that was removed, and in a closed room.
///
/// The lock makes a removal wait for the end of this transaction, after which the removal finds and
/// deletes the notifications.
#[statement]
pub(crate) async fn recipients(
    conn: &mut PgConnection,
    message: MessageId,
    players: &[PlayerId],
) -> sqlx::Result<Vec<PlayerId>> {
    let players: Vec<Uuid> = players.iter().map(|player| player.uuid()).collect();
    let rows = sqlx::query_scalar!(
        "SELECT membership.player_id
         FROM message JOIN membership USING (room_id)
         WHERE message.id = $1 AND removal IS NULL
             AND membership.player_id = ANY ($2)
             AND membership.player_id <> message.player_id
             AND NOT EXISTS (SELECT FROM player_block
                 WHERE player_block.player_id = membership.player_id
                     AND blocked_id = message.player_id)
             AND NOT EXISTS (SELECT FROM room_rule
                 WHERE room_rule.room_id = message.room_id AND closed)
         FOR SHARE OF message",
        message.uuid(),
        &players
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The players whom a sender's messages have mentioned since a time, once for each message.
#[statement]
pub(crate) async fn mentioned_since(
    conn: &mut PgConnection,
    sender: PlayerId,
    since: OffsetDateTime,
) -> sqlx::Result<Vec<PlayerId>> {
    let players = sqlx::query_scalar!(
        r#"SELECT unnest(player_ids) AS "player!" FROM mention_notice
           WHERE sender_id = $1 AND created_at > $2"#,
        sender.uuid(),
        since
    )
    .fetch_all(conn)
    .await?;
    Ok(players.into_iter().map(Into::into).collect())
}

/// Records the players whom a message has mentioned, up to the limits.
#[statement]
pub(crate) async fn record(
    conn: &mut PgConnection,
    message: MessageId,
    sender: PlayerId,
    players: &[PlayerId],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let players: Vec<Uuid> = players.iter().map(|player| player.uuid()).collect();
    sqlx::query!(
        "INSERT INTO mention_notice (message_id, sender_id, players, player_ids, created_at)
         VALUES ($1, $2, cardinality($3::uuid[]), $3, $4)",
        message.uuid(),
        sender.uuid(),
        &players,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes at most `limit` records from before a time; returns their number.
#[statement]
pub(crate) async fn delete_old(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: u32,
) -> sqlx::Result<u64> {
    let removed = sqlx::query!(
        "DELETE FROM mention_notice WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM mention_notice WHERE created_at < $1
             LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before,
        i64::from(limit)
    )
    .execute(conn)
    .await?;
    Ok(removed.rows_affected())
}
