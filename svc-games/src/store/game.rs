//! Table `game`.

use mesh::db::statement;
use sqlx::PgConnection;

use crate::domain::{Game, GameId};

/// The first `limit` games: featured ones first, then by name.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<Game>> {
    sqlx::query_as!(
        Game,
        "SELECT id, name, package_id, description, game_icon, trailer_link, game_url, featured
         FROM game ORDER BY featured DESC, name, id LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await
}

/// The game with this id.
#[statement]
pub(crate) async fn find(conn: &mut PgConnection, id: GameId) -> sqlx::Result<Option<Game>> {
    sqlx::query_as!(
        Game,
        "SELECT id, name, package_id, description, game_icon, trailer_link, game_url, featured
         FROM game WHERE id = $1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}
