//! Table `tournament_proof`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

use super::proof;
use crate::domain::{Proof, TournamentId};

/// Returns how the scores of a tournament are proven; `None` before the first run in it.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    tournament: TournamentId,
) -> sqlx::Result<Option<Proof>> {
    let row = sqlx::query!(
        "SELECT rules_sha256, score_key FROM tournament_proof WHERE tournament_id = $1",
        tournament.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| proof(row.rules_sha256, row.score_key)).transpose()
}

/// Fixes how the scores of a tournament are proven, and returns what was fixed first.
#[statement]
pub(crate) async fn fix(
    conn: &mut PgConnection,
    tournament: TournamentId,
    first: Proof,
    now: OffsetDateTime,
) -> sqlx::Result<Proof> {
    let row = sqlx::query!(
        "INSERT INTO tournament_proof (tournament_id, rules_sha256, score_key, fixed_at)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (tournament_id) DO UPDATE SET fixed_at = tournament_proof.fixed_at
         RETURNING rules_sha256, score_key",
        tournament.uuid(),
        first.rules().map(|rules| rules.0.to_vec()),
        first.key().map(|key| key.0.to_vec()),
        now
    )
    .fetch_one(conn)
    .await?;
    proof(row.rules_sha256, row.score_key)
}
