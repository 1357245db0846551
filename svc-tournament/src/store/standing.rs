//! Table `standing`: the boards of tournaments that are not settled.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{Score, TournamentId, Trust};

/// What became of a score.
pub(crate) struct Recorded {
    pub(crate) created_xid: i64,
    pub(crate) starts: OffsetDateTime,
    pub(crate) ends: OffsetDateTime,
    pub(crate) closed: bool,
    /// Whether it is the player's best now.
    pub(crate) is_best: bool,
    /// The points of the standing before the statement, if there was one.
    pub(crate) known: Option<i32>,
}

/// Records a score in one statement that locks no row but the player's. `None` without such a
/// tournament. Nothing is written once it is closed, for a score outside `starts` and `ends`
/// with the grace, and for one that is not better than the player's best.
#[statement]
pub(crate) async fn record(
    conn: &mut PgConnection,
    id: TournamentId,
    player: PlayerId,
    score: Score,
    trust: Trust,
    grace_seconds: f64,
) -> sqlx::Result<Option<Recorded>> {
    sqlx::query_as!(
        Recorded,
        r#"WITH tournament AS (
             SELECT id, created_xid, starts, ends, closed_at FROM tournament WHERE id = $1
         ), put AS (
             INSERT INTO standing (tournament_id, player_id, points, trust, reached_at)
             SELECT id, $2, $3, $4, $5 FROM tournament
             WHERE closed_at IS NULL AND $5 >= starts AND $5 < ends + $6 * interval '1 second'
             ON CONFLICT (tournament_id, player_id) DO UPDATE
             SET points = EXCLUDED.points, trust = EXCLUDED.trust,
                 reached_at = EXCLUDED.reached_at,
                 changed_xid = pg_current_xact_id()::text::bigint
             WHERE (EXCLUDED.points, standing.reached_at) > (standing.points, EXCLUDED.reached_at)
             RETURNING points
         )
         SELECT created_xid, starts, ends, closed_at IS NOT NULL AS "closed!",
             EXISTS (SELECT FROM put) AS "is_best!",
             (SELECT points FROM standing WHERE tournament_id = $1 AND player_id = $2) AS known
         FROM tournament"#,
        id.uuid(),
        player.uuid(),
        score.points,
        trust.to_string(),
        score.reached_at,
        grace_seconds
    )
    .fetch_optional(conn)
    .await
}

/// What a board in memory does not have yet.
pub(crate) struct Changes {
    pub(crate) created_xid: i64,
    pub(crate) settled: bool,
    /// All transactions below it are visible to this read.
    pub(crate) horizon: i64,
    pub(crate) scores: Vec<(PlayerId, Score)>,
}

/// At most `limit` standings that transactions from `horizon` on wrote. `None` without such a
/// tournament.
#[statement]
pub(crate) async fn changes(
    conn: &mut PgConnection,
    id: TournamentId,
    horizon: i64,
    limit: i64,
) -> sqlx::Result<Option<Changes>> {
    let rows = sqlx::query!(
        r#"SELECT tournament.created_xid, tournament.settled_at IS NOT NULL AS "settled!",
             pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS "horizon!",
             changed.player_id AS "player_id?", changed.points AS "points?",
             changed.reached_at AS "reached_at?"
         FROM tournament LEFT JOIN LATERAL (
             SELECT player_id, points, reached_at FROM standing
             WHERE standing.tournament_id = tournament.id AND changed_xid >= $2
             ORDER BY changed_xid LIMIT $3
         ) AS changed ON true
         WHERE tournament.id = $1"#,
        id.uuid(),
        horizon,
        limit
    )
    .fetch_all(conn)
    .await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let (created_xid, settled, horizon) = (first.created_xid, first.settled, first.horizon);
    let scores = rows.into_iter().filter_map(|row| {
        let (player, points, reached_at) = (row.player_id?, row.points?, row.reached_at?);
        Some((player.into(), Score::new(points, reached_at)))
    });
    Ok(Some(Changes { created_xid, settled, horizon, scores: scores.collect() }))
}

/// At most `limit` standings by player, after this one.
#[statement]
pub(crate) async fn batch(
    conn: &mut PgConnection,
    id: TournamentId,
    after: PlayerId,
    limit: i64,
) -> sqlx::Result<Vec<(PlayerId, Score)>> {
    let rows = sqlx::query!(
        "SELECT player_id, points, reached_at FROM standing
         WHERE tournament_id = $1 AND player_id > $2 ORDER BY player_id LIMIT $3",
        id.uuid(),
        after.uuid(),
        limit
    )
    .fetch_all(conn)
    .await?;
    let scores = rows
        .into_iter()
        .map(|row| (PlayerId::from(row.player_id), Score::new(row.points, row.reached_at)));
    Ok(scores.collect())
}

/// How many players have a score.
#[statement]
pub(crate) async fn count(conn: &mut PgConnection, id: TournamentId) -> sqlx::Result<i64> {
    let count = sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM standing WHERE tournament_id = $1"#,
        id.uuid()
    );
    count.fetch_one(conn).await
}

/// Whether a player has a score.
#[statement]
pub(crate) async fn exists(conn: &mut PgConnection, id: TournamentId) -> sqlx::Result<bool> {
    let exists = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM standing WHERE tournament_id = $1) AS "exists!""#,
        id.uuid()
    );
    exists.fetch_one(conn).await
}

/// The id before all others.
pub(crate) fn before_all() -> PlayerId {
    Uuid::nil().into()
}
