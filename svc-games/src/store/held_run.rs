//! Table `held_run`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::{Duration, OffsetDateTime};

use super::{best_run::RunRow, decoded, round};
use crate::domain::{
    Decision, GameId, HeldRun, HoldReason, PlaySessionId, Proposal, RulesHash, Run, ScoredRun,
    Seeds,
};

/// Why a run is held, with the figures that an operator sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    pub(crate) reason: HoldReason,
    pub(crate) actions: u64,
    /// Time from the start of the session to the submission.
    pub(crate) elapsed: Duration,
}

/// Stores a run for an operator; does nothing if the run is stored already.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    run: &ScoredRun,
    held: Held,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO held_run (session_id, player_id, game_id, tournament_id, round, ends_at,
             points, reason, rules_sha256, seed, next_seeds, level, inputs, actions,
             elapsed_seconds, submitted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         ON CONFLICT (session_id) DO NOTHING",
        run.session.uuid(),
        run.player.uuid(),
        run.game.uuid(),
        run.tournament.map(|round| round.tournament.uuid()),
        run.tournament.map(|round| round.round),
        run.tournament.map(|round| round.ends_at),
        run.points,
        held.reason.to_string(),
        run.rules.map(|rules| rules.0.to_vec()),
        run.seeds.first,
        &run.seeds.next,
        run.level,
        &run.inputs[..],
        i32::try_from(held.actions).unwrap_or(i32::MAX),
        i32::try_from(held.elapsed.whole_seconds()).unwrap_or(i32::MAX),
        run.reached_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

struct Row {
    session_id: Uuid,
    player_id: Uuid,
    game_key: String,
    tournament_id: Option<Uuid>,
    points: i32,
    reason: String,
    submitted_at: OffsetDateTime,
    elapsed_seconds: i32,
    actions: i32,
    release_proposed_by: Option<String>,
    release_proposed_at: Option<OffsetDateTime>,
}

impl TryFrom<Row> for HeldRun {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        let proposal = row.release_proposed_by.zip(row.release_proposed_at);
        Ok(Self {
            session: row.session_id.into(),
            player: row.player_id.into(),
            game_key: row.game_key,
            tournament: row.tournament_id.map(Into::into),
            points: row.points,
            reason: decoded(row.reason.parse())?,
            submitted_at: row.submitted_at,
            elapsed_seconds: row.elapsed_seconds,
            actions: row.actions,
            proposal: proposal.map(|(operator, at)| Proposal { operator, at }),
        })
    }
}

/// Returns at most `limit` runs without a decision, the oldest session first, beginning after the
/// session `after`.
#[statement]
pub(crate) async fn undecided(
    conn: &mut PgConnection,
    after: Option<PlaySessionId>,
    limit: i64,
) -> sqlx::Result<Vec<HeldRun>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT held.session_id, held.player_id, COALESCE(game.key, '') AS "game_key!",
             held.tournament_id, held.points, held.reason, held.submitted_at,
             held.elapsed_seconds, held.actions, held.release_proposed_by,
             held.release_proposed_at
         FROM held_run AS held LEFT JOIN game ON game.id = held.game_id
         WHERE held.decision IS NULL AND held.session_id > $1
         ORDER BY held.session_id LIMIT $2"#,
        after.map_or(Uuid::nil(), PlaySessionId::uuid),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Finds a held run, decided or not, while its inputs are kept.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    session: PlaySessionId,
) -> sqlx::Result<Option<HeldRun>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT held.session_id, held.player_id, COALESCE(game.key, '') AS "game_key!",
             held.tournament_id, held.points, held.reason, held.submitted_at,
             held.elapsed_seconds, held.actions, held.release_proposed_by,
             held.release_proposed_at
         FROM held_run AS held LEFT JOIN game ON game.id = held.game_id
         WHERE held.session_id = $1 AND held.inputs IS NOT NULL"#,
        session.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(TryInto::try_into).transpose()
}

/// Finds a held run in the form for watching, while its inputs are kept.
#[statement]
pub(crate) async fn watch(
    conn: &mut PgConnection,
    session: PlaySessionId,
) -> sqlx::Result<Option<Run>> {
    let row = sqlx::query_as!(
        RunRow,
        r#"SELECT held.player_id, held.game_id, game.game_url, held.points,
             held.rules_sha256 AS "rules_sha256?", held.session_id, held.seed, held.next_seeds,
             held.level, held.inputs AS "inputs!", held.submitted_at AS reached_at
         FROM held_run AS held JOIN game ON game.id = held.game_id
         WHERE held.session_id = $1 AND held.inputs IS NOT NULL"#,
        session.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(RunRow::run).transpose()?.flatten())
}

/// Returns the decision on a run; `None` while there is none.
#[statement]
pub(crate) async fn decision(
    conn: &mut PgConnection,
    session: PlaySessionId,
) -> sqlx::Result<Option<Decision>> {
    let decision =
        sqlx::query_scalar!("SELECT decision FROM held_run WHERE session_id = $1", session.uuid())
            .fetch_optional(conn)
            .await?;
    decision.flatten().map(|decision| decoded(decision.parse())).transpose()
}

/// Returns the game of a run in a tournament; `None` for a run that was decided on, is outside of a
/// tournament, or is unknown.
#[statement]
pub(crate) async fn game_in_tournament(
    conn: &mut PgConnection,
    session: PlaySessionId,
) -> sqlx::Result<Option<GameId>> {
    let game = sqlx::query_scalar!(
        "SELECT game_id FROM held_run
         WHERE session_id = $1 AND decision IS NULL AND tournament_id IS NOT NULL",
        session.uuid()
    );
    Ok(game.fetch_optional(conn).await?.map(Into::into))
}

/// Makes a release the operator's proposal, unless another operator has proposed it after
/// `proposed_after`; returns whether it is a proposal. A run that was decided on gets none.
#[statement]
pub(crate) async fn propose_release(
    conn: &mut PgConnection,
    session: PlaySessionId,
    release: &Decided<'_>,
    proposed_after: OffsetDateTime,
) -> sqlx::Result<bool> {
    let proposed = sqlx::query!(
        "UPDATE held_run SET release_proposed_by = $2, release_proposed_at = $3
         WHERE session_id = $1 AND decision IS NULL
             AND (release_proposed_by IS NULL OR release_proposed_by = $2
                  OR release_proposed_at <= $4)",
        session.uuid(),
        release.operator,
        release.at,
        proposed_after
    )
    .execute(conn)
    .await?;
    Ok(proposed.rows_affected() == 1)
}

/// An operator's decision and its reason.
pub(crate) struct Decided<'a> {
    pub(crate) decision: Decision,
    pub(crate) operator: &'a str,
    pub(crate) reason: &'a str,
    pub(crate) at: OffsetDateTime,
}

/// Decides on a run; `None` if the run is unknown or already decided.
#[statement]
pub(crate) async fn decide(
    conn: &mut PgConnection,
    session: PlaySessionId,
    decided: &Decided<'_>,
) -> sqlx::Result<Option<ScoredRun>> {
    let row = sqlx::query!(
        "UPDATE held_run
         SET decision = $2, operator = $3, decision_reason = $4, decided_at = $5
         WHERE session_id = $1 AND decision IS NULL
         RETURNING player_id, game_id, tournament_id, round, ends_at, points, rules_sha256, seed,
             next_seeds, level, inputs, submitted_at, elapsed_seconds",
        session.uuid(),
        decided.decision.to_string(),
        decided.operator,
        decided.reason,
        decided.at
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(ScoredRun {
        session,
        player: row.player_id.into(),
        game: row.game_id.into(),
        rules: Some(RulesHash(decoded(row.rules_sha256.as_slice().try_into())?)),
        tournament: round(row.tournament_id, row.round, row.ends_at),
        seeds: Seeds { first: row.seed, next: row.next_seeds },
        level: row.level,
        points: row.points,
        inputs: row.inputs.unwrap_or_default(),
        reached_at: row.submitted_at,
        began_at: row.submitted_at - Duration::seconds(row.elapsed_seconds.into()),
    }))
}

/// How many runs in tournaments were submitted before a time and have no decision.
#[statement]
pub(crate) async fn count_overdue(
    conn: &mut PgConnection,
    submitted_before: OffsetDateTime,
) -> sqlx::Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM held_run
           WHERE decision IS NULL AND tournament_id IS NOT NULL AND submitted_at < $1"#,
        submitted_before
    );
    count.fetch_one(conn).await
}

/// Removes the inputs of runs that were decided on before this time.
#[statement]
pub(crate) async fn sweep_inputs(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "UPDATE held_run SET inputs = NULL WHERE session_id IN (
             SELECT session_id FROM held_run
             WHERE decision IS NOT NULL AND inputs IS NOT NULL AND decided_at < $1
             LIMIT $2 FOR UPDATE SKIP LOCKED
         )",
        before,
        limit
    )
    .execute(conn)
    .await?;
    Ok(swept.rows_affected())
}
