//! Table `erasure_progress`, and what is removed of erased players.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use types::{ErasedPlayer, PlayerId};

/// The last player whose rows were removed.
#[statement]
pub(crate) async fn last(conn: &mut PgConnection) -> sqlx::Result<Option<ErasedPlayer>> {
    let row =
        sqlx::query!("SELECT last_id, last_at FROM erasure_progress").fetch_optional(conn).await?;
    Ok(row.map(|row| ErasedPlayer { at: row.last_at, id: row.last_id.into() }))
}

/// Removes the best runs and the recent games of players.
#[statement]
pub(crate) async fn erase(conn: &mut PgConnection, players: &[PlayerId]) -> sqlx::Result<()> {
    let players: Vec<Uuid> = players.iter().map(|player| player.uuid()).collect();
    sqlx::query!("DELETE FROM best_run WHERE player_id = ANY ($1)", &players)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM recent_game WHERE player_id = ANY ($1)", &players)
        .execute(conn)
        .await?;
    Ok(())
}

/// Records the last player whose rows were removed. A replica that is behind another one changes
/// nothing.
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
