//! `{{noun}}`.

use sqlx::PgConnection;
use tracing::instrument;

use crate::domain::{{{Noun}}, {{Noun}}Id};

/// The first of them by name, at most `limit`.
#[instrument(name = "db.{{noun}}.list", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<{{Noun}}>> {
    sqlx::query_as!({{Noun}}, "SELECT id, name FROM {{noun}} ORDER BY name, id LIMIT $1", limit)
        .fetch_all(conn)
        .await
}

/// The one of that id.
#[instrument(name = "db.{{noun}}.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn find(
    conn: &mut PgConnection,
    id: {{Noun}}Id,
) -> sqlx::Result<Option<{{Noun}}>> {
    sqlx::query_as!({{Noun}}, "SELECT id, name FROM {{noun}} WHERE id = $1", id.uuid())
        .fetch_optional(conn)
        .await
}
