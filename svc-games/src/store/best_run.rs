//! Table `best_run`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use super::decoded;
use crate::domain::{GameId, RulesHash, Run, ScoredRun, Seeds, Trust};

/// Keeps a run if it has more points than the player's best; of two equal runs the first stays. A
/// claimed score neither replaces nor outlasts one that is proven or signed.
#[statement]
pub(crate) async fn keep_better(
    conn: &mut PgConnection,
    run: &ScoredRun,
    trust: Trust,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO best_run AS best (player_id, game_id, points, session_id, rules_sha256,
             seed, next_seeds, level, inputs, reached_at, trust)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (player_id, game_id) DO UPDATE
         SET points = EXCLUDED.points, session_id = EXCLUDED.session_id,
             rules_sha256 = EXCLUDED.rules_sha256, seed = EXCLUDED.seed,
             next_seeds = EXCLUDED.next_seeds, level = EXCLUDED.level,
             inputs = EXCLUDED.inputs, reached_at = EXCLUDED.reached_at, trust = EXCLUDED.trust
         WHERE (EXCLUDED.trust <> 'Claimed', EXCLUDED.points) > (best.trust <> 'Claimed', best.points)",
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
        trust.to_string()
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

/// A run with the page that plays it.
pub(super) struct RunRow {
    pub(super) player_id: Uuid,
    pub(super) game_id: Uuid,
    pub(super) game_url: String,
    pub(super) points: i32,
    pub(super) rules_sha256: Option<Vec<u8>>,
    pub(super) session_id: Uuid,
    pub(super) seed: i64,
    pub(super) next_seeds: Vec<i64>,
    pub(super) level: i32,
    pub(super) inputs: Vec<u8>,
    pub(super) reached_at: OffsetDateTime,
}

impl RunRow {
    /// Converts a row; `None` for a run without rules, which cannot be watched.
    pub(super) fn run(self) -> sqlx::Result<Option<Run>> {
        let Some(rules) = self.rules_sha256 else { return Ok(None) };
        Ok(Some(Run {
            player: self.player_id.into(),
            game: self.game_id.into(),
            game_url: self.game_url,
            points: self.points,
            rules: RulesHash(decoded(rules.as_slice().try_into())?),
            session: self.session_id.into(),
            seeds: Seeds { first: self.seed, next: self.next_seeds },
            level: self.level,
            inputs: self.inputs,
            reached_at: self.reached_at,
        }))
    }
}

/// The best run of the player in the game, if it can be watched.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    player: PlayerId,
    game: GameId,
) -> sqlx::Result<Option<Run>> {
    let row = sqlx::query_as!(
        RunRow,
        "SELECT best.player_id, best.game_id, game.game_url, best.points, best.rules_sha256,
             best.session_id, best.seed, best.next_seeds, best.level, best.inputs, best.reached_at
         FROM best_run AS best JOIN game ON game.id = best.game_id
         WHERE best.player_id = $1 AND best.game_id = $2",
        player.uuid(),
        game.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(RunRow::run).transpose()?.flatten())
}
