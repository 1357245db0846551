//! Table `tournament_runs`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::TournamentRound;

/// Counts a run that the player begins in the round. Returns the new count; `None`, without
/// counting, when the player already had `limit` runs. The row's lock serialises the runs of one
/// player.
#[statement]
pub(crate) async fn count(
    conn: &mut PgConnection,
    player: PlayerId,
    round: &TournamentRound,
    limit: i32,
) -> sqlx::Result<Option<i32>> {
    sqlx::query_scalar!(
        "INSERT INTO tournament_runs AS counted (player_id, tournament_id, round, runs, ends_at)
         SELECT $1, $2, $3, 1, $4 WHERE $5 > 0
         ON CONFLICT (player_id, tournament_id, round) DO UPDATE
         SET runs = counted.runs + 1, ends_at = EXCLUDED.ends_at
         WHERE counted.runs < $5
         RETURNING runs",
        player.uuid(),
        round.tournament.uuid(),
        round.round,
        round.ends_at,
        limit
    )
    .fetch_optional(conn)
    .await
}

/// Returns how many runs the player has had in the round.
#[statement]
pub(crate) async fn get(
    conn: &mut PgConnection,
    player: PlayerId,
    round: &TournamentRound,
) -> sqlx::Result<i32> {
    let runs = sqlx::query_scalar!(
        "SELECT runs FROM tournament_runs
         WHERE player_id = $1 AND tournament_id = $2 AND round = $3",
        player.uuid(),
        round.tournament.uuid(),
        round.round
    )
    .fetch_optional(conn)
    .await?;
    Ok(runs.unwrap_or(0))
}

/// Removes the counts of tournaments that ended before this time.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM tournament_runs WHERE (player_id, tournament_id, round) IN (
             SELECT player_id, tournament_id, round FROM tournament_runs WHERE ends_at < $1
             LIMIT $2 FOR UPDATE SKIP LOCKED
         )",
        before,
        limit
    )
    .execute(conn)
    .await?;
    Ok(swept.rows_affected())
}
