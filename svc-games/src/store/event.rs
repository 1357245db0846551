//! Table `event`.

use mesh::db::statement;
use sqlx::PgConnection;
use types::LocalText;

use crate::domain::Event;

/// The newest `limit` events.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<Event>> {
    let rows = sqlx::query!(
        "SELECT id, title, title_sw, description, description_sw, event_banner_url, created_at
         FROM event ORDER BY created_at DESC, id DESC LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await?;
    let events = rows.into_iter().map(|row| Event {
        id: row.id.into(),
        title: LocalText { en: row.title, sw: row.title_sw },
        description: LocalText { en: row.description, sw: row.description_sw },
        event_banner_url: row.event_banner_url,
        created_at: row.created_at,
    });
    Ok(events.collect())
}
