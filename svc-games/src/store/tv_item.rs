//! Table `tv_item`.

use mesh::db::statement;
use sqlx::PgConnection;
use types::LocalText;

use crate::domain::TvItem;

/// The first `limit` videos: the primary one first, then newest first.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<TvItem>> {
    let rows = sqlx::query!(
        "SELECT id, title, title_sw, channel_url, is_primary, created_at
         FROM tv_item ORDER BY is_primary DESC, created_at DESC, id DESC LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await?;
    let items = rows.into_iter().map(|row| TvItem {
        id: row.id.into(),
        title: LocalText { en: row.title, sw: row.title_sw },
        channel_url: row.channel_url,
        is_primary: row.is_primary,
        created_at: row.created_at,
    });
    Ok(items.collect())
}
