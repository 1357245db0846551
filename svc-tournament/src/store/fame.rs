//! Table `fame`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use types::PlayerId;

use crate::domain::{FameEntry, TournamentId};

/// The first `limit` entries, newest first.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<FameEntry>> {
    let rows = sqlx::query!(
        "SELECT id, title, description, member_ids, created_at FROM fame
         ORDER BY created_at DESC, id DESC LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await?;
    let entries = rows.into_iter().map(|row| FameEntry {
        id: row.id.into(),
        title: row.title,
        description: row.description,
        members: row.member_ids.into_iter().map(Into::into).collect(),
        created_at: row.created_at,
    });
    Ok(entries.collect())
}

#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    tournament: TournamentId,
    entry: &FameEntry,
) -> sqlx::Result<()> {
    let members: Vec<Uuid> = entry.members.iter().copied().map(PlayerId::uuid).collect();
    sqlx::query!(
        "INSERT INTO fame (id, tournament_id, title, description, member_ids, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        entry.id.uuid(),
        tournament.uuid(),
        entry.title,
        entry.description,
        &members,
        entry.created_at
    )
    .execute(conn)
    .await?;
    Ok(())
}
