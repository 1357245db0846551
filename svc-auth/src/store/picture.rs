//! `player.profile_pic`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::Picture;

/// Sets a player's picture and returns the one before; `None` when there is no such player.
#[statement]
pub(crate) async fn set(
    conn: &mut PgConnection,
    player: PlayerId,
    picture: &Picture,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Option<String>>> {
    sqlx::query_scalar!(
        "WITH before AS (SELECT id, profile_pic FROM player WHERE id = $1 FOR NO KEY UPDATE)
         UPDATE player SET profile_pic = $2, updated_at = $3 FROM before
         WHERE player.id = before.id
         RETURNING before.profile_pic",
        player.uuid(),
        picture.as_str(),
        now,
    )
    .fetch_optional(conn)
    .await
}

/// The URLs that no profile has.
#[statement]
pub(crate) async fn find_unused(
    conn: &mut PgConnection,
    urls: &[String],
) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"SELECT url AS "url!" FROM unnest($1::text[]) url
           WHERE NOT EXISTS (SELECT FROM player WHERE profile_pic = url)"#,
        urls,
    )
    .fetch_all(conn)
    .await
}
