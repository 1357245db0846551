//! Manifests of events: table `event`.

use mesh::db::statement;
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Uuid};
use types::{Key, LocalText};

use super::{Audit, LIMIT, id};
use crate::{
    domain::{ContentKind, EventManifest},
    store::decoded,
};

impl Audit for EventManifest {
    fn audit(&self) -> Value {
        json!({
            "title": self.title,
            "description": self.description,
            "eventBannerUrl": self.event_banner_url,
            "createdAt": self.created_at.unix_timestamp(),
        })
    }
}

#[statement]
pub(crate) async fn put_event(conn: &mut PgConnection, event: &EventManifest) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO event (id, key, title, title_sw, description, description_sw, event_banner_url,
             created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (id) DO UPDATE
         SET title = EXCLUDED.title, title_sw = EXCLUDED.title_sw,
             description = EXCLUDED.description, description_sw = EXCLUDED.description_sw,
             event_banner_url = EXCLUDED.event_banner_url, created_at = EXCLUDED.created_at",
        id(ContentKind::Event, &event.key),
        event.key.as_str(),
        event.title.en,
        event.title.sw,
        event.description.en,
        event.description.sw,
        event.event_banner_url,
        event.created_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The events as operators write them, or the one with this id.
#[statement]
pub(crate) async fn events(
    conn: &mut PgConnection,
    id: Option<Uuid>,
) -> sqlx::Result<Vec<EventManifest>> {
    let rows = sqlx::query!(
        "SELECT key, title, title_sw, description, description_sw, event_banner_url, created_at
         FROM event WHERE id = COALESCE($1, id) ORDER BY key LIMIT $2",
        id,
        LIMIT
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(EventManifest {
                key: decoded(Key::parse(&row.key))?,
                title: LocalText { en: row.title, sw: row.title_sw },
                description: LocalText { en: row.description, sw: row.description_sw },
                event_banner_url: row.event_banner_url,
                created_at: row.created_at,
            })
        })
        .collect()
}
