//! Table `tournament`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::domain::{Tournament, TournamentId};

/// The first `limit` tournaments that end after a time, latest start first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    ended_after: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<Tournament>> {
    sqlx::query_as!(
        Tournament,
        "SELECT id, name, description, game_id, starts, ends FROM tournament
         WHERE ends > $1 ORDER BY starts DESC, id LIMIT $2",
        ended_after,
        limit
    )
    .fetch_all(conn)
    .await
}

/// The tournament with this id.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    id: TournamentId,
) -> sqlx::Result<Option<Tournament>> {
    sqlx::query_as!(
        Tournament,
        "SELECT id, name, description, game_id, starts, ends FROM tournament WHERE id = $1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}
