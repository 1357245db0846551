//! Table `tournament`, as players and svc-games read it.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::{LocalText, Money};

use crate::domain::{GameId, Schedule, Tournament, TournamentId};

struct Row {
    id: Uuid,
    name: String,
    description: String,
    description_sw: String,
    game_id: Uuid,
    starts: OffsetDateTime,
    ends: OffsetDateTime,
    players: i64,
    cash_cents: Option<i64>,
    first_award: String,
    first_award_sw: String,
    rounds: i32,
    runs_per_round: i32,
    settled: bool,
}

impl From<Row> for Tournament {
    fn from(row: Row) -> Self {
        Self {
            id: row.id.into(),
            name: row.name,
            description: LocalText { en: row.description, sw: row.description_sw },
            game_id: row.game_id.into(),
            starts: row.starts,
            ends: row.ends,
            players: row.players,
            cash: row.cash_cents.map(Money::from_cents),
            first_award: LocalText { en: row.first_award, sw: row.first_award_sw },
            rounds: row.rounds,
            runs_per_round: row.runs_per_round,
            settled: row.settled,
        }
    }
}

/// The ongoing tournaments, the upcoming ones, and those that ended after a time, at most `limit`
/// of each: those whose next or last start or end is nearest to now. Latest start first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    ended_after: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<Tournament>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id AS "id!", name AS "name!", description AS "description!",
             description_sw AS "description_sw!", game_id AS "game_id!", starts AS "starts!", ends AS "ends!", players AS "players!",
             cash_cents, first_award AS "first_award!",
             first_award_sw AS "first_award_sw!", rounds AS "rounds!", runs_per_round AS "runs_per_round!",
             settled_at IS NOT NULL AS "settled!"
         FROM (
             (SELECT * FROM tournament WHERE starts <= $1 AND ends > $1 ORDER BY ends, id LIMIT $3)
             UNION ALL
             (SELECT * FROM tournament WHERE starts > $1 ORDER BY starts, id LIMIT $3)
             UNION ALL
             (SELECT * FROM tournament WHERE ends <= $1 AND ends > $2
              ORDER BY ends DESC, id LIMIT $3)
         ) AS listed ORDER BY starts DESC, id"#,
        now,
        ended_after,
        limit
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The tournament with this id.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    id: TournamentId,
) -> sqlx::Result<Option<Tournament>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, name, description, description_sw, game_id, starts, ends, players,
             cash_cents, first_award, first_award_sw, rounds, runs_per_round, settled_at IS NOT NULL AS "settled!"
         FROM tournament WHERE id = $1"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Into::into))
}

/// The schedule of a tournament's rounds.
#[statement]
pub(crate) async fn schedule(
    conn: &mut PgConnection,
    id: TournamentId,
) -> sqlx::Result<Option<Schedule>> {
    sqlx::query_as!(
        Schedule,
        "SELECT game_id, level, starts, ends, rounds, runs_per_round, secret, rules_sha256,
             score_key
         FROM tournament WHERE id = $1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// The tournaments among these that exist, each with whether it is settled.
#[statement]
pub(crate) async fn settled(
    conn: &mut PgConnection,
    ids: &[TournamentId],
) -> sqlx::Result<Vec<(TournamentId, bool)>> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    let rows = sqlx::query!(
        r#"SELECT id, settled_at IS NOT NULL AS "settled!" FROM tournament WHERE id = ANY($1)"#,
        &ids
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id.into(), row.settled)).collect())
}

/// The tournaments that have begun and are not settled, by end.
#[statement]
pub(crate) async fn ongoing(
    conn: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<TournamentId>> {
    let ids = sqlx::query_scalar!(
        "SELECT id FROM tournament WHERE settled_at IS NULL AND starts <= $1 ORDER BY ends, id",
        now
    );
    Ok(ids.fetch_all(conn).await?.into_iter().map(Into::into).collect())
}

/// Writes the number of players of an ongoing tournament, if it changed.
#[statement]
pub(crate) async fn set_players(
    conn: &mut PgConnection,
    id: TournamentId,
    players: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE tournament SET players = $2
         WHERE id = $1 AND settled_at IS NULL AND players <> $2",
        id.uuid(),
        players
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The cash of a game's tournaments that are not settled, or ended after a time.
#[statement]
pub(crate) async fn cash_at_stake(
    conn: &mut PgConnection,
    game: GameId,
    ended_after: OffsetDateTime,
) -> sqlx::Result<Money> {
    let cash = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(cash_cents), 0)::bigint AS "cash!" FROM tournament
           WHERE game_id = $1 AND (settled_at IS NULL OR ends > $2)"#,
        game.uuid(),
        ended_after
    )
    .fetch_one(conn)
    .await?;
    Ok(Money::from_cents(cash))
}

/// The cash that a tournament needs, and its reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CashNeeded {
    pub(crate) reservation: Uuid,
    /// The most that the awards cost; what was won once the tournament is settled. The awards of
    /// runs that were released later are not counted.
    pub(crate) cash: Money,
    pub(crate) ends: OffsetDateTime,
}

/// Returns the cash that a tournament needs; `None` if it does not exist, or has no reservation.
#[statement]
pub(crate) async fn cash_needed(
    conn: &mut PgConnection,
    id: TournamentId,
) -> sqlx::Result<Option<CashNeeded>> {
    let row = sqlx::query!(
        r#"SELECT reservation_id AS "reservation!", ends, CASE
               WHEN settled_at IS NULL THEN coalesce(cash_cents, 0)
               ELSE (SELECT coalesce(sum(given.cash_cents), 0)::bigint FROM award_given given
                     WHERE given.tournament_id = tournament.id AND given.state IS DISTINCT FROM 'REFUSED'
                         AND (given.reservation_id = tournament.reservation_id
                             -- An award of the release before states has no reservation.
                             OR given.reservation_id IS NULL AND state IS NULL
                                 AND given_at = settled_at))
             END AS "cash!"
           FROM tournament WHERE id = $1 AND reservation_id IS NOT NULL"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| CashNeeded {
        reservation: row.reservation,
        cash: Money::from_cents(row.cash),
        ends: row.ends,
    }))
}
