//! Tables of players' safety: `message_report`, `player_block`, `player_mute`, `room_rule`
//! and `slow_mode_turn`.

use std::time::Duration;

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{MessageId, NewReport, ReportId, RoomId, SendingRules};

/// The id that stands for all rooms in `player_mute`.
pub(super) const ALL_ROOMS: Uuid = Uuid::nil();

/// Lets one transaction at a time count and change a player's rows, so that limits hold.
#[statement]
pub(crate) async fn lock_player(conn: &mut PgConnection, player: PlayerId) -> sqlx::Result<()> {
    let key = format!("safety {player}");
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", key)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whether the player has reported the message.
#[statement]
pub(crate) async fn has_reported(
    conn: &mut PgConnection,
    player: PlayerId,
    message: MessageId,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM message_report
               WHERE reporter_id = $1 AND message_id = $2) AS "exists!""#,
        player.uuid(),
        message.uuid()
    )
    .fetch_one(conn)
    .await
}

/// The times of the player's reports since a time, the oldest first. At most `limit`.
#[statement]
pub(crate) async fn reported_since(
    conn: &mut PgConnection,
    player: PlayerId,
    since: OffsetDateTime,
    limit: u32,
) -> sqlx::Result<Vec<OffsetDateTime>> {
    sqlx::query_scalar!(
        "SELECT created_at FROM message_report
         WHERE reporter_id = $1 AND created_at > $2 ORDER BY created_at LIMIT $3",
        player.uuid(),
        since,
        i64::from(limit)
    )
    .fetch_all(conn)
    .await
}

/// Stores a report with the message as it is now; false unless it is another player's message in a
/// room that the reporter has joined.
#[statement]
pub(crate) async fn report(
    conn: &mut PgConnection,
    id: ReportId,
    reporter: PlayerId,
    report: &NewReport,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let inserted = sqlx::query!(
        "INSERT INTO message_report (id, reporter_id, reason, note, created_at, message_id,
             room_id, sender_id, chat_type, content, sent_at)
         SELECT $1, $2, $3, $4, $5, message.id, message.room_id, message.player_id, chat_type,
             content, message.created_at
         FROM message
         JOIN membership ON membership.room_id = message.room_id AND membership.player_id = $2
         WHERE message.id = $6 AND removal IS NULL AND message.player_id <> $2",
        id.uuid(),
        reporter.uuid(),
        <&str>::from(report.reason),
        report.note,
        now,
        report.message.uuid()
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// The players whom a player blocked, the newest first.
#[statement]
pub(crate) async fn blocked(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Vec<PlayerId>> {
    let rows = sqlx::query_scalar!(
        "SELECT blocked_id FROM player_block WHERE player_id = $1
         ORDER BY created_at DESC, blocked_id",
        player.uuid()
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Blocks a player; false for one who was blocked before.
#[statement]
pub(crate) async fn block(
    conn: &mut PgConnection,
    player: PlayerId,
    other: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let inserted = sqlx::query!(
        "INSERT INTO player_block (player_id, blocked_id, created_at) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING",
        player.uuid(),
        other.uuid(),
        now
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Unblocks a player; false for one who was not blocked.
#[statement]
pub(crate) async fn unblock(
    conn: &mut PgConnection,
    player: PlayerId,
    other: PlayerId,
) -> sqlx::Result<bool> {
    let deleted = sqlx::query!(
        "DELETE FROM player_block WHERE player_id = $1 AND blocked_id = $2",
        player.uuid(),
        other.uuid()
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// The rules that keep a player from sending in a room.
#[statement]
pub(crate) async fn rules(
    conn: &mut PgConnection,
    room: RoomId,
    player: PlayerId,
) -> sqlx::Result<SendingRules> {
    let row = sqlx::query!(
        r#"SELECT COALESCE((SELECT closed FROM room_rule WHERE room_id = $1), false) AS "closed!",
               COALESCE((SELECT slow_mode_seconds FROM room_rule WHERE room_id = $1), 0)
                   AS "slow_mode!",
               (SELECT max(until) FROM player_mute
                   WHERE player_id = $2 AND room_id IN ($1, $3)) AS muted_until,
               (SELECT taken_at FROM slow_mode_turn
                   WHERE room_id = $1 AND player_id = $2) AS turn_taken_at"#,
        room.uuid(),
        player.uuid(),
        ALL_ROOMS
    )
    .fetch_one(conn)
    .await?;
    Ok(SendingRules {
        closed: row.closed,
        muted_until: row.muted_until,
        slow_mode: Duration::from_secs(row.slow_mode.unsigned_abs().into()),
        turn_taken_at: row.turn_taken_at,
    })
}

/// Gives a message its sender's turn in a room with slow mode; false while the turn of an earlier
/// message lasts. A repeat keeps its turn.
#[statement]
pub(crate) async fn take_turn(
    conn: &mut PgConnection,
    room: RoomId,
    player: PlayerId,
    message: MessageId,
    now: OffsetDateTime,
    pause: Duration,
) -> sqlx::Result<bool> {
    let taken = sqlx::query!(
        "INSERT INTO slow_mode_turn AS turn (room_id, player_id, message_id, taken_at)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (room_id, player_id)
         DO UPDATE SET message_id = EXCLUDED.message_id, taken_at = EXCLUDED.taken_at
         WHERE turn.taken_at <= $5 OR turn.message_id = EXCLUDED.message_id",
        room.uuid(),
        player.uuid(),
        message.uuid(),
        now,
        now - pause
    )
    .execute(conn)
    .await?;
    Ok(taken.rows_affected() == 1)
}
