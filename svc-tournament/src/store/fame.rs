//! Table `fame`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use types::{LocalText, PlayerId};

use crate::domain::{FameEntry, TournamentId};

/// The first `limit` entries, newest first.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<FameEntry>> {
    let rows = sqlx::query!(
        "SELECT id, title, title_sw, description, description_sw, member_ids, created_at FROM fame
         ORDER BY created_at DESC, id DESC LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await?;
    let entries = rows.into_iter().map(|row| FameEntry {
        id: row.id.into(),
        title: LocalText { en: row.title, sw: row.title_sw },
        description: LocalText { en: row.description, sw: row.description_sw },
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
        "INSERT INTO fame (id, tournament_id, title, title_sw, description, description_sw,
             member_ids, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        entry.id.uuid(),
        tournament.uuid(),
        entry.title.en,
        entry.title.sw,
        entry.description.en,
        entry.description.sw,
        &members,
        entry.created_at
    )
    .execute(conn)
    .await?;
    Ok(())
}
