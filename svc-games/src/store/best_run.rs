//! Table `best_run`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{GameId, Inputs, PlaySession};

/// Keeps a run if it has more points than the player's best; the first of equals stays.
#[statement]
pub(crate) async fn keep_better(
    conn: &mut PgConnection,
    session: &PlaySession,
    points: i32,
    inputs: &Inputs,
    reached_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO best_run AS best (player_id, game_id, points, session_id, rules_sha256,
             seed, level, inputs, reached_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (player_id, game_id) DO UPDATE
         SET points = EXCLUDED.points, session_id = EXCLUDED.session_id,
             rules_sha256 = EXCLUDED.rules_sha256, seed = EXCLUDED.seed, level = EXCLUDED.level,
             inputs = EXCLUDED.inputs, reached_at = EXCLUDED.reached_at
         WHERE best.points < EXCLUDED.points",
        session.player.uuid(),
        session.game.uuid(),
        points,
        session.id.uuid(),
        &session.rules.0[..],
        session.seed,
        session.level,
        inputs.bytes(),
        reached_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The most points of the player in the game.
#[statement]
pub(crate) async fn points(
    conn: &mut PgConnection,
    player: PlayerId,
    game: GameId,
) -> sqlx::Result<Option<i32>> {
    sqlx::query_scalar!(
        "SELECT points FROM best_run WHERE player_id = $1 AND game_id = $2",
        player.uuid(),
        game.uuid()
    )
    .fetch_optional(conn)
    .await
}
