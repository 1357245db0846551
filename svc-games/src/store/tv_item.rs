//! Table `tv_item`.

use mesh::db::statement;
use sqlx::PgConnection;

use crate::domain::TvItem;

/// The first `limit` videos: the primary one first, then newest first.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<TvItem>> {
    sqlx::query_as!(
        TvItem,
        "SELECT id, title, channel_url, is_primary, created_at
         FROM tv_item ORDER BY is_primary DESC, created_at DESC, id DESC LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await
}
