//! Table `recent_game`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use super::game::Row;
use crate::domain::{Game, GameId, PlayersOf};

/// Records that the player plays the game now.
#[statement]
pub(crate) async fn put(
    conn: &mut PgConnection,
    player: PlayerId,
    game: GameId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO recent_game (player_id, game_id, played_at) VALUES ($1, $2, $3)
         ON CONFLICT (player_id, game_id) DO UPDATE SET played_at = EXCLUDED.played_at",
        player.uuid(),
        game.uuid(),
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A page of a game's players, by id.
#[statement]
pub(crate) async fn players(
    conn: &mut PgConnection,
    page: PlayersOf,
) -> sqlx::Result<Vec<PlayerId>> {
    let players = sqlx::query_scalar!(
        "SELECT player_id FROM recent_game
         WHERE game_id = $1 AND player_id > $2 AND played_at >= $3 AND played_at < $4
         ORDER BY player_id LIMIT $5",
        page.game.uuid(),
        page.after.map_or(Uuid::nil(), PlayerId::uuid),
        page.since,
        page.before,
        page.limit
    )
    .fetch_all(conn)
    .await?;
    Ok(players.into_iter().map(Into::into).collect())
}

/// At most `limit` games that the player played, last played first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    player: PlayerId,
    limit: i64,
) -> sqlx::Result<Vec<Game>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT game.id, game.name, game.package_id, game.description, game.description_sw,
             game.game_icon, game.trailer_link, game.game_url, game.featured, game.world, game.levels,
             game.prize_class, game.rules_sha256, game.score_key
         FROM recent_game JOIN game ON game.id = recent_game.game_id
         WHERE recent_game.player_id = $1
         ORDER BY recent_game.played_at DESC, game.id LIMIT $2",
        player.uuid(),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}
