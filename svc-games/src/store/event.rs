//! Table `event`.

use mesh::db::statement;
use sqlx::PgConnection;

use crate::domain::Event;

/// The newest `limit` events.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<Event>> {
    sqlx::query_as!(
        Event,
        "SELECT id, title, description, event_banner_url, created_at
         FROM event ORDER BY created_at DESC, id DESC LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await
}
