//! Table `standing`: the boards of tournaments that are not settled.

use std::collections::HashMap;

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{NewScore, Score, TournamentId};

/// The scores of a batch that were written, each with the `created_xid` of its tournament.
pub(crate) type Written = HashMap<(TournamentId, PlayerId), i64>;

/// Records scores in one statement, which locks only the rows of their players, in order. A batch
/// has at most one score for each player and tournament. Returns the scores that were written, with
/// the `created_xid` of their tournament. A score is not written if its tournament is unknown or
/// closed, if it was reached outside `starts` and `ends` with the grace, or if it is not better
/// than the player's best.
#[statement]
pub(crate) async fn record(
    conn: &mut PgConnection,
    scores: &[NewScore],
    grace_seconds: f64,
) -> sqlx::Result<Written> {
    let tournaments: Vec<Uuid> = scores.iter().map(|one| one.tournament.uuid()).collect();
    let players: Vec<Uuid> = scores.iter().map(|one| one.player.uuid()).collect();
    let points: Vec<i32> = scores.iter().map(|one| one.score.points).collect();
    let trust: Vec<String> = scores.iter().map(|one| one.trust.to_string()).collect();
    let reached: Vec<OffsetDateTime> = scores.iter().map(|one| one.score.reached_at).collect();
    let began: Vec<OffsetDateTime> = scores.iter().map(|one| one.began_at).collect();
    let rows = sqlx::query!(
        r#"WITH open AS MATERIALIZED (
             SELECT id, created_xid, starts, ends + $6 * interval '1 second' AS ends
             FROM tournament WHERE id = ANY($1) AND closed_at IS NULL
         ), put AS (
             INSERT INTO standing (tournament_id, player_id, points, trust, reached_at, began_at)
             SELECT given.* FROM UNNEST($1, $2::uuid[], $3::int[], $4::text[], $5::timestamptz[],
                                        $7::timestamptz[])
                 AS given (tournament_id, player_id, points, trust, reached_at, began_at)
             JOIN open ON open.id = given.tournament_id
             WHERE given.reached_at >= open.starts AND given.reached_at < open.ends
             ORDER BY given.tournament_id, given.player_id
             ON CONFLICT (tournament_id, player_id) DO UPDATE
             SET points = EXCLUDED.points, trust = EXCLUDED.trust,
                 reached_at = EXCLUDED.reached_at, began_at = EXCLUDED.began_at
             WHERE (EXCLUDED.points, standing.reached_at) > (standing.points, EXCLUDED.reached_at)
             RETURNING tournament_id, player_id, points, reached_at
         ), change AS (
             INSERT INTO standing_change (tournament_id, player_id, points, reached_at)
             SELECT tournament_id, player_id, points, reached_at FROM put
         )
         SELECT put.tournament_id, put.player_id, open.created_xid
         FROM put JOIN open ON open.id = put.tournament_id"#,
        &tournaments,
        &players,
        &points,
        &trust,
        &reached,
        grace_seconds,
        &began
    )
    .fetch_all(conn)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| ((row.tournament_id.into(), row.player_id.into()), row.created_xid))
        .collect())
}

/// The state that explains why a score was not written.
pub(crate) struct Reason {
    pub(crate) starts: OffsetDateTime,
    pub(crate) ends: OffsetDateTime,
    pub(crate) closed: bool,
    /// The points of the player's best, if there is one.
    pub(crate) best: Option<i32>,
}

/// Finds out why a score was not written; `None` if there is no such tournament.
#[statement]
pub(crate) async fn reason(
    conn: &mut PgConnection,
    id: TournamentId,
    player: PlayerId,
) -> sqlx::Result<Option<Reason>> {
    sqlx::query_as!(
        Reason,
        r#"SELECT starts, ends, closed_at IS NOT NULL AS "closed!",
             (SELECT points FROM standing WHERE tournament_id = $1 AND player_id = $2) AS best
         FROM tournament WHERE id = $1"#,
        id.uuid(),
        player.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// The changes that a board in memory does not have yet.
pub(crate) struct Changes {
    pub(crate) created_xid: i64,
    pub(crate) settled: bool,
    /// All transactions below this id are visible to this read.
    pub(crate) horizon: i64,
    /// Changes of transactions below this id may be gone.
    pub(crate) swept: i64,
    /// The changed standings, in the order of their transactions; `None` for a removed standing.
    pub(crate) scores: Vec<(PlayerId, Option<Score>)>,
}

/// At most `limit` changes of the transactions from `horizon` on. `None` if there is no such
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
             swept_xid AS "swept!", changed.player_id AS "player_id?", changed.points AS "points?",
             changed.reached_at AS "reached_at?"
         FROM tournament CROSS JOIN standing_sweep LEFT JOIN LATERAL (
             SELECT player_id, points, reached_at FROM standing_change
             WHERE standing_change.tournament_id = tournament.id AND changed_xid >= $2
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
    let (created_xid, settled) = (first.created_xid, first.settled);
    let (horizon, swept) = (first.horizon, first.swept);
    let scores = rows.into_iter().filter_map(|row| {
        let score = row.points.zip(row.reached_at);
        Some((row.player_id?.into(), score.map(|(points, at)| Score::new(points, at))))
    });
    Ok(Some(Changes { created_xid, settled, horizon, swept, scores: scores.collect() }))
}

/// At most `limit` standings after this player, ordered by player.
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

/// Advances the sweep mark to the previous mark once that is old enough. Returns whether it
/// advanced. A mark beyond all transaction ids comes from the database that this one was restored
/// from, and is replaced at once.
#[statement]
pub(crate) async fn move_sweep(
    conn: &mut PgConnection,
    marked_before: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let moved = sqlx::query!(
        "UPDATE standing_sweep
         SET swept_xid = least(next_xid, pg_snapshot_xmin(pg_current_snapshot())::text::bigint),
             next_xid = pg_snapshot_xmin(pg_current_snapshot())::text::bigint, marked_at = $2
         WHERE marked_at <= $1
             OR next_xid > pg_snapshot_xmax(pg_current_snapshot())::text::bigint",
        marked_before,
        now
    );
    Ok(moved.execute(conn).await?.rows_affected() > 0)
}

/// Removes at most `limit` changes that are below the sweep mark, or that come from the database
/// that this one was restored from.
#[statement]
pub(crate) async fn sweep(conn: &mut PgConnection, limit: i64) -> sqlx::Result<u64> {
    let swept = sqlx::query!(
        "DELETE FROM standing_change WHERE ctid = ANY (ARRAY(
             SELECT standing_change.ctid FROM standing_change CROSS JOIN standing_sweep
             WHERE changed_xid < swept_xid
                 OR changed_xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
             LIMIT $1
         ))",
        limit
    );
    Ok(swept.execute(conn).await?.rows_affected())
}
