//! Table `tournament_run`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use super::best_run::RunRow;
use crate::domain::{Run, ScoredRun, TournamentId, TournamentRound};

/// Keeps a run if it is the player's best in the tournament: more points, or the same points
/// earlier. Returns whether the run was kept.
#[statement]
pub(crate) async fn keep_better(
    conn: &mut PgConnection,
    run: &ScoredRun,
    tournament: &TournamentRound,
) -> sqlx::Result<bool> {
    let kept = sqlx::query!(
        "INSERT INTO tournament_run AS best (tournament_id, player_id, game_id, points, session_id,
             rules_sha256, seed, next_seeds, level, inputs, reached_at, ends_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (tournament_id, player_id) DO UPDATE
         SET points = EXCLUDED.points, session_id = EXCLUDED.session_id,
             rules_sha256 = EXCLUDED.rules_sha256, seed = EXCLUDED.seed,
             next_seeds = EXCLUDED.next_seeds, level = EXCLUDED.level,
             inputs = EXCLUDED.inputs, reached_at = EXCLUDED.reached_at, ends_at = EXCLUDED.ends_at
         WHERE best.points < EXCLUDED.points
             OR best.points = EXCLUDED.points AND best.reached_at > EXCLUDED.reached_at",
        tournament.tournament.uuid(),
        run.player.uuid(),
        run.game.uuid(),
        run.points,
        run.session.uuid(),
        run.rules.map(|rules| rules.0.to_vec()),
        run.seeds.first,
        &run.seeds.next,
        run.level,
        &run.inputs[..],
        run.reached_at,
        tournament.ends_at
    )
    .execute(conn)
    .await?;
    Ok(kept.rows_affected() == 1)
}

/// The most points of the player in the tournament.
#[statement]
pub(crate) async fn points(
    conn: &mut PgConnection,
    tournament: TournamentId,
    player: PlayerId,
) -> sqlx::Result<Option<i32>> {
    sqlx::query_scalar!(
        "SELECT points FROM tournament_run WHERE tournament_id = $1 AND player_id = $2",
        tournament.uuid(),
        player.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// The best runs of players in the tournament, those that can be watched.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    tournament: TournamentId,
    players: &[PlayerId],
) -> sqlx::Result<Vec<Run>> {
    let players: Vec<_> = players.iter().map(|player| player.uuid()).collect();
    let rows = sqlx::query_as!(
        RunRow,
        "SELECT best.player_id, best.game_id, game.game_url, best.points, best.rules_sha256,
             best.session_id, best.seed, best.next_seeds, best.level, best.inputs, best.reached_at
         FROM tournament_run AS best JOIN game ON game.id = best.game_id
         WHERE best.tournament_id = $1 AND best.player_id = ANY ($2)",
        tournament.uuid(),
        &players
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().filter_map(|row| row.run().transpose()).collect()
}

/// Removes runs of tournaments that ended before this time.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM tournament_run WHERE (tournament_id, player_id) IN (
             SELECT tournament_id, player_id FROM tournament_run WHERE ends_at < $1
             LIMIT $2 FOR UPDATE SKIP LOCKED
         )",
        before,
        limit
    )
    .execute(conn)
    .await?;
    Ok(swept.rows_affected())
}
