//! The steps of a settlement: tables `tournament`, `standing`, `final_standing` and
//! `award_given`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use super::decoded;
use crate::domain::{Standing, TournamentId, Trust};

/// A tournament that is over and not settled.
pub(crate) struct Unsettled {
    pub(crate) id: TournamentId,
    pub(crate) closed: bool,
}

/// The tournaments that ended before a time and are not settled, by end.
#[statement]
pub(crate) async fn unsettled(
    conn: &mut PgConnection,
    ended_before: OffsetDateTime,
) -> sqlx::Result<Vec<Unsettled>> {
    let unsettled = sqlx::query_as!(
        Unsettled,
        r#"SELECT id, closed_at IS NOT NULL AS "closed!" FROM tournament
         WHERE settled_at IS NULL AND ends < $1 ORDER BY ends, id"#,
        ended_before
    );
    unsettled.fetch_all(conn).await
}

/// Closes a tournament that ended before a time: no statement that begins after the commit records
/// a score.
#[statement]
pub(crate) async fn close(
    conn: &mut PgConnection,
    id: TournamentId,
    ended_before: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE tournament SET closed_at = $3 WHERE id = $1 AND closed_at IS NULL AND ends < $2",
        id.uuid(),
        ended_before,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Records the transaction id below which transactions may have seen the closed tournament open:
/// the id of this transaction, which begins after the commit of [`close`].
#[statement]
pub(crate) async fn mark_horizon(conn: &mut PgConnection, id: TournamentId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE tournament SET closed_xid = pg_current_xact_id()::text::bigint
         WHERE id = $1 AND closed_at IS NOT NULL AND closed_xid IS NULL",
        id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A tournament that is being settled.
pub(crate) struct Closed {
    pub(crate) key: String,
    pub(crate) name: String,
    /// The reservation of the cash.
    pub(crate) reservation_id: Option<Uuid>,
    pub(crate) created_xid: i64,
    pub(crate) review_winners: bool,
    pub(crate) fame_title: String,
    pub(crate) fame_title_sw: String,
    pub(crate) fame_description: String,
    pub(crate) fame_description_sw: String,
}

/// Locks a closed tournament whose scores are all committed; `None` if some may not be, if it is
/// settled, or if another replica is settling it. A mark beyond all transaction ids comes from the
/// database that this one was restored from, whose transactions have all ended.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    id: TournamentId,
) -> sqlx::Result<Option<Closed>> {
    let closed = sqlx::query_as!(
        Closed,
        "SELECT key, name, reservation_id, created_xid, review_winners,
             CASE fame_title WHEN '' THEN name ELSE fame_title END AS \"fame_title!\",
             fame_title_sw,
             CASE fame_description WHEN '' THEN description ELSE fame_description END
                 AS \"fame_description!\",
             CASE fame_description WHEN '' THEN description_sw ELSE fame_description_sw END
                 AS \"fame_description_sw!\"
         FROM tournament
         WHERE id = $1 AND settled_at IS NULL AND closed_xid IS NOT NULL AND NOT (
             closed_xid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint
             AND closed_xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
         )
         FOR UPDATE SKIP LOCKED",
        id.uuid()
    );
    closed.fetch_optional(conn).await
}

/// A settled tournament, in which a score is recorded late or an award is decided.
pub(crate) struct FinalTournament {
    pub(crate) reservation_id: Option<Uuid>,
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) created_xid: i64,
    pub(crate) starts: OffsetDateTime,
    pub(crate) ends: OffsetDateTime,
    pub(crate) settled_at: OffsetDateTime,
    pub(crate) review_winners: bool,
}

/// Locks a settled tournament, so that one late score or decision at a time changes its awards.
#[statement]
pub(crate) async fn lock_settled(
    conn: &mut PgConnection,
    id: TournamentId,
) -> sqlx::Result<Option<FinalTournament>> {
    let settled = sqlx::query_as!(
        FinalTournament,
        r#"SELECT reservation_id, key, name, created_xid, starts, ends, settled_at AS "settled_at!",
             review_winners
         FROM tournament WHERE id = $1 AND settled_at IS NOT NULL FOR UPDATE"#,
        id.uuid()
    );
    settled.fetch_optional(conn).await
}

/// Lets the statements of this transaction take as long as a board of a million players needs.
#[statement]
pub(crate) async fn extend_timeout(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT set_config('statement_timeout', '300s', true)").fetch_one(conn).await?;
    Ok(())
}

/// The leading players of a closed tournament, whose last scores may still be committed, and when
/// their runs began.
#[statement]
pub(crate) async fn leaders(
    conn: &mut PgConnection,
    id: TournamentId,
    ranks: i64,
) -> sqlx::Result<Vec<(PlayerId, OffsetDateTime)>> {
    let rows = sqlx::query!(
        r#"SELECT player_id, coalesce(began_at, reached_at) AS "began_at!" FROM standing
         WHERE tournament_id = $1 ORDER BY points DESC, reached_at, player_id LIMIT $2"#,
        id.uuid(),
        ranks
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.player_id.into(), row.began_at)).collect())
}

/// Ranks all standings; returns how many there are.
#[statement]
pub(crate) async fn rank(conn: &mut PgConnection, id: TournamentId) -> sqlx::Result<i64> {
    let ranked = sqlx::query!(
        "INSERT INTO final_standing (tournament_id, rank, player_id, points, trust, run_began_at)
         SELECT tournament_id, row_number() OVER (ORDER BY points DESC, reached_at, player_id),
             player_id, points, trust, coalesce(began_at, reached_at)
         FROM standing WHERE tournament_id = $1",
        id.uuid()
    );
    Ok(i64::try_from(ranked.execute(conn).await?.rows_affected()).unwrap_or(i64::MAX))
}

/// The final standings of the first ranks.
#[statement]
pub(crate) async fn first(
    conn: &mut PgConnection,
    id: TournamentId,
    ranks: i64,
) -> sqlx::Result<Vec<Standing>> {
    let rows = sqlx::query!(
        "SELECT rank, player_id, points FROM final_standing
         WHERE tournament_id = $1 AND rank <= $2 ORDER BY rank",
        id.uuid(),
        ranks
    )
    .fetch_all(conn)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| Standing {
            player: row.player_id.into(),
            rank: row.rank.unsigned_abs(),
            points: row.points,
        })
        .collect())
}

/// A place on a board that is being settled.
pub(crate) struct Place {
    pub(crate) standing: Standing,
    pub(crate) trust: Trust,
    /// When the run began.
    pub(crate) began_at: OffsetDateTime,
}

/// The places of the first ranks, after [`rank`] and before [`finish`], which removes the standings.
#[statement]
pub(crate) async fn places(
    conn: &mut PgConnection,
    id: TournamentId,
    ranks: i64,
) -> sqlx::Result<Vec<Place>> {
    let rows = sqlx::query!(
        r#"SELECT rank, player_id, standing.points, standing.trust,
             coalesce(began_at, reached_at) AS "began_at!"
         FROM final_standing JOIN standing USING (tournament_id, player_id)
         WHERE tournament_id = $1 AND rank <= $2 ORDER BY rank"#,
        id.uuid(),
        ranks
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let rank = row.rank.unsigned_abs();
            let standing = Standing { player: row.player_id.into(), rank, points: row.points };
            Ok(Place { standing, trust: decoded(row.trust.parse())?, began_at: row.began_at })
        })
        .collect()
}

/// Makes the board final, and removes the standings that it was made of.
#[statement]
pub(crate) async fn finish(
    conn: &mut PgConnection,
    id: TournamentId,
    players: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM standing WHERE tournament_id = $1", id.uuid())
        .execute(&mut *conn)
        .await?;
    sqlx::query!(
        "UPDATE tournament SET settled_at = $3, players = $2 WHERE id = $1",
        id.uuid(),
        players,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A settled tournament whose players are not all notified.
pub(crate) struct Unnotified {
    pub(crate) id: TournamentId,
    pub(crate) name: String,
    pub(crate) created_xid: i64,
    pub(crate) players: i64,
    pub(crate) notified_rank: i64,
    pub(crate) settled_at: OffsetDateTime,
}

/// Locks the settled tournament that waits longest for notifications and that no other
/// replica works on.
#[statement]
pub(crate) async fn lock_unnotified(conn: &mut PgConnection) -> sqlx::Result<Option<Unnotified>> {
    let unnotified = sqlx::query_as!(
        Unnotified,
        r#"SELECT id, name, created_xid, players, notified_rank, settled_at AS "settled_at!"
         FROM tournament WHERE notified_rank < players AND settled_at IS NOT NULL
         ORDER BY settled_at, id LIMIT 1 FOR UPDATE SKIP LOCKED"#
    );
    unnotified.fetch_optional(conn).await
}

/// The players of a range of ranks who won no award.
#[statement]
pub(crate) async fn without_award(
    conn: &mut PgConnection,
    id: TournamentId,
    settled_at: OffsetDateTime,
    after_rank: i64,
    up_to_rank: i64,
) -> sqlx::Result<Vec<(i64, PlayerId)>> {
    let rows = sqlx::query!(
        "SELECT rank, player_id FROM final_standing AS final
         WHERE tournament_id = $1 AND rank > $3 AND rank <= $4 AND NOT EXISTS (
             SELECT FROM award_given AS given
             WHERE given.tournament_id = $1 AND given.rank = final.rank AND given.given_at = $2
         )
         ORDER BY rank",
        id.uuid(),
        settled_at,
        after_rank,
        up_to_rank
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.rank, row.player_id.into())).collect())
}

#[statement]
pub(crate) async fn set_notified(
    conn: &mut PgConnection,
    id: TournamentId,
    rank: i64,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE tournament SET notified_rank = $2 WHERE id = $1", id.uuid(), rank)
        .execute(conn)
        .await?;
    Ok(())
}
