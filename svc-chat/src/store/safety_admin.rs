//! Operators' moderation: resolved reports, `hidden_message`, `player_mute`, `room_rule`,
//! `filtered_word` and the audit `safety_action`.

use mesh::db::statement;
use serde_json::Value;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use super::safety::ALL_ROOMS;
use crate::domain::{MessageId, Report, ReportId, RoomId};

/// An operator's action, for the audit.
pub(crate) struct Audited<'a> {
    pub(crate) id: Uuid,
    pub(crate) operator: &'a str,
    pub(crate) action: &'static str,
    /// The subject of the action: an id, or empty.
    pub(crate) subject: &'a str,
    pub(crate) details: Value,
    pub(crate) reason: &'a str,
    pub(crate) at: OffsetDateTime,
}

#[statement]
pub(crate) async fn audit(conn: &mut PgConnection, action: Audited<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO safety_action (id, operator, action, subject, details, reason, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        action.id,
        action.operator,
        action.action,
        action.subject,
        action.details,
        action.reason,
        action.at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The reports after one, the oldest first.
#[statement]
pub(crate) async fn reports(
    conn: &mut PgConnection,
    after: Option<ReportId>,
    include_resolved: bool,
    limit: u32,
) -> sqlx::Result<Vec<Report>> {
    let after = after.map_or(Uuid::nil(), ReportId::uuid);
    let rows = sqlx::query!(
        "SELECT id, reporter_id, reason, note, created_at, message_id, room_id, sender_id,
             chat_type, content, sent_at, resolved_by, resolution
         FROM message_report WHERE id > $1 AND ($2 OR resolved_at IS NULL) ORDER BY id LIMIT $3",
        after,
        include_resolved,
        i64::from(limit)
    )
    .fetch_all(conn)
    .await?;
    let unknown = |error: strum::ParseError| sqlx::Error::Decode(Box::new(error));
    rows.into_iter()
        .map(|row| {
            Ok(Report {
                id: row.id.into(),
                reporter: row.reporter_id.into(),
                reason: row.reason.parse().map_err(unknown)?,
                note: row.note,
                created_at: row.created_at,
                message: row.message_id.into(),
                room: row.room_id.into(),
                sender: row.sender_id.into(),
                chat_type: row.chat_type.parse().map_err(unknown)?,
                text: row.content,
                sent_at: row.sent_at,
                resolved: row.resolved_by.zip(row.resolution),
            })
        })
        .collect()
}

/// Resolves an open report: `None` if there is no such report, false if it was resolved before.
#[statement]
pub(crate) async fn resolve(
    conn: &mut PgConnection,
    id: ReportId,
    operator: &str,
    resolution: &str,
    now: OffsetDateTime,
) -> sqlx::Result<Option<bool>> {
    let resolved = sqlx::query!(
        "UPDATE message_report SET resolved_at = $2, resolved_by = $3, resolution = $4
         WHERE id = $1 AND resolved_at IS NULL",
        id.uuid(),
        now,
        operator,
        resolution
    )
    .execute(&mut *conn)
    .await?;
    if resolved.rows_affected() == 1 {
        return Ok(Some(true));
    }
    let find = sqlx::query_scalar!("SELECT id FROM message_report WHERE id = $1", id.uuid());
    Ok(find.fetch_optional(conn).await?.map(|_| false))
}

/// Keeps a message as evidence; false for a removed message.
#[statement]
pub(crate) async fn keep_hidden(
    conn: &mut PgConnection,
    message: MessageId,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let kept = sqlx::query!(
        "INSERT INTO hidden_message
             (message_id, room_id, sender_id, chat_type, content, sent_at, hidden_at)
         SELECT id, room_id, player_id, chat_type, content, created_at, $2
         FROM message WHERE id = $1 AND removal IS NULL
         ON CONFLICT DO NOTHING",
        message.uuid(),
        now
    )
    .execute(conn)
    .await?;
    Ok(kept.rows_affected() == 1)
}

/// Mutes a player in a room, or in all, until a time; false if nothing changes.
#[statement]
pub(crate) async fn mute(
    conn: &mut PgConnection,
    player: PlayerId,
    room: Option<RoomId>,
    until: OffsetDateTime,
) -> sqlx::Result<bool> {
    let muted = sqlx::query!(
        "INSERT INTO player_mute AS old (player_id, room_id, until) VALUES ($1, $2, $3)
         ON CONFLICT (player_id, room_id) DO UPDATE SET until = EXCLUDED.until
         WHERE old.until <> EXCLUDED.until",
        player.uuid(),
        room.map_or(ALL_ROOMS, RoomId::uuid),
        until
    )
    .execute(conn)
    .await?;
    Ok(muted.rows_affected() == 1)
}

/// Ends a mute; false without one.
#[statement]
pub(crate) async fn unmute(
    conn: &mut PgConnection,
    player: PlayerId,
    room: Option<RoomId>,
) -> sqlx::Result<bool> {
    let ended = sqlx::query!(
        "DELETE FROM player_mute WHERE player_id = $1 AND room_id = $2",
        player.uuid(),
        room.map_or(ALL_ROOMS, RoomId::uuid)
    )
    .execute(conn)
    .await?;
    Ok(ended.rows_affected() == 1)
}

/// Closes or opens a room; false if that changes nothing.
#[statement]
pub(crate) async fn set_closed(
    conn: &mut PgConnection,
    room: RoomId,
    closed: bool,
) -> sqlx::Result<bool> {
    let changed = sqlx::query!(
        "INSERT INTO room_rule AS old (room_id, closed, slow_mode_seconds) SELECT $1, $2, 0
         WHERE $2 OR EXISTS (SELECT FROM room_rule WHERE room_id = $1)
         ON CONFLICT (room_id) DO UPDATE SET closed = EXCLUDED.closed
         WHERE old.closed <> EXCLUDED.closed",
        room.uuid(),
        closed
    )
    .execute(conn)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// Sets the slow mode of a room; false if that changes nothing.
#[statement]
pub(crate) async fn set_slow_mode(
    conn: &mut PgConnection,
    room: RoomId,
    seconds: u32,
) -> sqlx::Result<bool> {
    let changed = sqlx::query!(
        "INSERT INTO room_rule AS old (room_id, closed, slow_mode_seconds) SELECT $1, false, $2
         WHERE $2 > 0 OR EXISTS (SELECT FROM room_rule WHERE room_id = $1)
         ON CONFLICT (room_id) DO UPDATE SET slow_mode_seconds = EXCLUDED.slow_mode_seconds
         WHERE old.slow_mode_seconds <> EXCLUDED.slow_mode_seconds",
        room.uuid(),
        i32::try_from(seconds).unwrap_or(i32::MAX)
    )
    .execute(conn)
    .await?;
    Ok(changed.rows_affected() == 1)
}

/// The filter's words, sorted.
#[statement]
pub(crate) async fn words(conn: &mut PgConnection) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(r#"SELECT word FROM filtered_word ORDER BY word COLLATE "C""#)
        .fetch_all(conn)
        .await
}

/// Replaces the filter's words.
#[statement]
pub(crate) async fn replace_words(conn: &mut PgConnection, words: &[String]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM filtered_word").execute(&mut *conn).await?;
    sqlx::query!("INSERT INTO filtered_word (word) SELECT unnest($1::text[])", words)
        .execute(conn)
        .await?;
    Ok(())
}

/// Removes at most `limit` rows of each table that are past their retention; returns the largest
/// number that one table lost.
#[statement]
pub(crate) async fn delete_old(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    evidence_before: OffsetDateTime,
    turns_before: OffsetDateTime,
    limit: u32,
) -> sqlx::Result<u64> {
    let limit = i64::from(limit);
    let reports = sqlx::query!(
        "DELETE FROM message_report WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM message_report WHERE created_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        evidence_before,
        limit
    );
    let reports = reports.execute(&mut *conn).await?.rows_affected();
    let hidden = sqlx::query!(
        "DELETE FROM hidden_message WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM hidden_message WHERE hidden_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        evidence_before,
        limit
    );
    let hidden = hidden.execute(&mut *conn).await?.rows_affected();
    let mutes = sqlx::query!(
        "DELETE FROM player_mute WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM player_mute WHERE until < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        now,
        limit
    );
    let mutes = mutes.execute(&mut *conn).await?.rows_affected();
    let turns = sqlx::query!(
        "DELETE FROM slow_mode_turn WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM slow_mode_turn WHERE taken_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))",
        turns_before,
        limit
    );
    let turns = turns.execute(conn).await?.rows_affected();
    Ok(reports.max(hidden).max(mutes).max(turns))
}
