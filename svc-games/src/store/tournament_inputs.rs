//! Table `tournament_inputs`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::TournamentRound;

/// Records the player as the first with these inputs, unless the round has the same inputs already.
/// Returns the player who had them first. Waits for a concurrent transaction with the same inputs.
#[statement]
pub(crate) async fn first_player(
    conn: &mut PgConnection,
    round: &TournamentRound,
    inputs_sha256: &[u8; 32],
    player: PlayerId,
) -> sqlx::Result<PlayerId> {
    let first = sqlx::query_scalar!(
        "INSERT INTO tournament_inputs AS kept (tournament_id, round, inputs_sha256, player_id, ends_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tournament_id, round, inputs_sha256) DO UPDATE SET player_id = kept.player_id
         RETURNING player_id",
        round.tournament.uuid(),
        round.round,
        inputs_sha256,
        player.uuid(),
        round.ends_at
    )
    .fetch_one(conn)
    .await?;
    Ok(first.into())
}

/// Removes the inputs of tournaments that ended before this time.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM tournament_inputs WHERE (tournament_id, round, inputs_sha256) IN (
             SELECT tournament_id, round, inputs_sha256 FROM tournament_inputs WHERE ends_at < $1
             LIMIT $2 FOR UPDATE SKIP LOCKED
         )",
        before,
        limit
    )
    .execute(conn)
    .await?;
    Ok(swept.rows_affected())
}
