//! `game`.

use sqlx::PgConnection;
use tracing::instrument;

use crate::domain::{Game, GameId};

/// Featured ones first, then by name, at most `limit`.
#[instrument(name = "db.game.list", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<Game>> {
    sqlx::query_as!(
        Game,
        "SELECT id, name, package_id, description, game_icon, trailer_link, game_url, featured
         FROM game ORDER BY featured DESC, name, id LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await
}

/// The one of that id.
#[instrument(name = "db.game.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub async fn find(conn: &mut PgConnection, id: GameId) -> sqlx::Result<Option<Game>> {
    sqlx::query_as!(
        Game,
        "SELECT id, name, package_id, description, game_icon, trailer_link, game_url, featured
         FROM game WHERE id = $1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}
