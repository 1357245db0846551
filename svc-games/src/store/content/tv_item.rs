//! Manifests of videos: table `tv_item`.

use mesh::db::statement;
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Uuid};
use types::{Key, LocalText};

use super::{Audit, LIMIT, id};
use crate::{
    domain::{ContentKind, TvItemManifest},
    store::decoded,
};

impl Audit for TvItemManifest {
    fn audit(&self) -> Value {
        json!({
            "title": self.title,
            "channelUrl": self.channel_url,
            "primary": self.is_primary,
            "createdAt": self.created_at.unix_timestamp(),
        })
    }
}

/// Inserts or updates a video. A primary video replaces the previous primary one.
#[statement]
pub(crate) async fn put_tv_item(
    conn: &mut PgConnection,
    item: &TvItemManifest,
) -> sqlx::Result<()> {
    let id = id(ContentKind::TvItem, &item.key);
    if item.is_primary {
        sqlx::query!("UPDATE tv_item SET is_primary = false WHERE is_primary AND id <> $1", id)
            .execute(&mut *conn)
            .await?;
    }
    sqlx::query!(
        "INSERT INTO tv_item (id, key, title, title_sw, channel_url, is_primary, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (id) DO UPDATE
         SET title = EXCLUDED.title, title_sw = EXCLUDED.title_sw,
             channel_url = EXCLUDED.channel_url, is_primary = EXCLUDED.is_primary, created_at = EXCLUDED.created_at",
        id,
        item.key.as_str(),
        item.title.en,
        item.title.sw,
        item.channel_url,
        item.is_primary,
        item.created_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The videos as operators write them, or the one with this id.
#[statement]
pub(crate) async fn tv_items(
    conn: &mut PgConnection,
    id: Option<Uuid>,
) -> sqlx::Result<Vec<TvItemManifest>> {
    let rows = sqlx::query!(
        "SELECT key, title, title_sw, channel_url, is_primary, created_at
         FROM tv_item WHERE id = COALESCE($1, id) ORDER BY key LIMIT $2",
        id,
        LIMIT
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(TvItemManifest {
                key: decoded(Key::parse(&row.key))?,
                title: LocalText { en: row.title, sw: row.title_sw },
                channel_url: row.channel_url,
                is_primary: row.is_primary,
                created_at: row.created_at,
            })
        })
        .collect()
}
