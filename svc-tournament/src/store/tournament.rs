//! `tournament`.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;

use crate::domain::{Tournament, TournamentId};

/// Those that end after `since`, latest start first, at most `limit`.
#[instrument(name = "db.tournament.list", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn list(
    conn: &mut PgConnection,
    since: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<Tournament>> {
    sqlx::query_as!(
        Tournament,
        "SELECT id, name, description, game_id, starts, ends FROM tournament
         WHERE ends > $1 ORDER BY starts DESC, id LIMIT $2",
        since,
        limit
    )
    .fetch_all(conn)
    .await
}

/// The one of that id.
#[instrument(name = "db.tournament.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn find(conn: &mut PgConnection, id: TournamentId) -> sqlx::Result<Option<Tournament>> {
    sqlx::query_as!(
        Tournament,
        "SELECT id, name, description, game_id, starts, ends FROM tournament WHERE id = $1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}
