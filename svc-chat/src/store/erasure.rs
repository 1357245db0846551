//! Table `erasure_progress`, and the rows that an erasure deletes.

use mesh::db::statement;
use sqlx::PgConnection;
use types::{ErasedPlayer, PlayerId};

use crate::domain::{MessageId, RoomId};

/// Messages that are removed before the next ones are read.
const AT_ONCE: i64 = 100;

/// The last player who is erased in this service.
#[statement]
pub(crate) async fn last(conn: &mut PgConnection) -> sqlx::Result<Option<ErasedPlayer>> {
    let row = sqlx::query!(
        r#"SELECT last_id AS "last_id?", last_at AS "last_at?" FROM erasure_progress"#
    )
    .fetch_optional(conn)
    .await?;
    let last = row.and_then(|row| row.last_at.zip(row.last_id));
    Ok(last.map(|(at, id)| ErasedPlayer { at, id: id.into() }))
}

/// Records that all players up to this one are erased in this service. A replica that is behind
/// another one changes nothing.
#[statement]
pub(crate) async fn advance(conn: &mut PgConnection, last: ErasedPlayer) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO erasure_progress AS progress (last_id, last_at) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET last_id = EXCLUDED.last_id, last_at = EXCLUDED.last_at
         WHERE (EXCLUDED.last_at, EXCLUDED.last_id) > (progress.last_at, progress.last_id)",
        last.id.uuid(),
        last.at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes everything about a player except messages, evidence (reports, hidden messages, mutes and
/// the audit of operators), and rows that are swept within an hour; returns the rooms that the
/// player was a member of.
#[statement]
pub(crate) async fn erase(conn: &mut PgConnection, player: PlayerId) -> sqlx::Result<Vec<RoomId>> {
    // A test lists all columns with ids of players (`tests/it/erasure.rs`).
    let player = player.uuid();
    sqlx::query!("DELETE FROM push_subscription WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM notification_setting WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM notification WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM feedback WHERE player_id = $1", player).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM player_block WHERE player_id = $1 OR blocked_id = $1", player)
        .execute(&mut *conn)
        .await?;
    // Memberships are deleted last, because their trigger locks the counts of the rooms.
    let rooms = sqlx::query_scalar!(
        "DELETE FROM membership WHERE player_id = $1 RETURNING room_id",
        player
    )
    .fetch_all(conn)
    .await?;
    Ok(rooms.into_iter().map(Into::into).collect())
}

/// Some of a player's messages, without the removed ones, also of rooms that operators removed.
#[statement]
pub(crate) async fn messages_of(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Vec<MessageId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM message WHERE player_id = $1 AND removal IS NULL LIMIT $2",
        player.uuid(),
        AT_ONCE,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(Into::into).collect())
}
