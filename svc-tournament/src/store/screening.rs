//! The screening of awards of money: columns `screen_at` and `needs_phone` of `award_given`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, PlayerId};

use super::decoded;
use crate::domain::{AwardState, BoardPoints, GivenAwardId, TournamentId, Winner};

/// Most winners of money of a tournament, which is the limit of svc-auth's comparison.
const WINNERS_MAX: i64 = 1_000;

/// Returns the tournament whose award is the longest due for its screening, with the transaction that
/// created the tournament.
#[statement]
pub(crate) async fn next(
    conn: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<Option<(TournamentId, i64)>> {
    let row = sqlx::query!(
        r#"SELECT tournament_id, created_xid AS "created_xid!" FROM award_given
           WHERE state IN ('PENDING', 'REVIEW') AND screen_at <= $1
           ORDER BY screen_at LIMIT 1"#,
        now
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.tournament_id.into(), row.created_xid)))
}

/// Returns the winners of money of a tournament, the best place first.
#[statement]
pub(crate) async fn winners(
    conn: &mut PgConnection,
    tournament: TournamentId,
    created_xid: i64,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Winner>> {
    let rows = sqlx::query!(
        r#"SELECT award_given.player_id, min(award_given.rank) AS "rank!", min(points) AS points,
                  bool_or(state = 'REFUSED') AS "is_refused!",
                  bool_or(state = 'PAID' OR screen_at IS NULL AND NOT EXISTS (
                      SELECT FROM award_decision
                      WHERE award_id = award_given.id AND operator = 'SCREENING'))
                      AS "is_cleared!",
                  bool_or(state IN ('PENDING', 'REVIEW') AND screen_at <= $3) AS is_due
           FROM award_given
           LEFT JOIN tournament ON tournament.id = award_given.tournament_id
               AND tournament.created_xid = award_given.created_xid
           LEFT JOIN final_standing ON final_standing.tournament_id = tournament.id
               AND final_standing.player_id = award_given.player_id
           WHERE award_given.tournament_id = $1 AND award_given.created_xid = $2
               AND state IS NOT NULL
           GROUP BY award_given.player_id ORDER BY min(award_given.rank) LIMIT $4"#,
        tournament.uuid(),
        created_xid,
        now,
        WINNERS_MAX
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Winner {
            player: row.player_id.into(),
            rank: row.rank.unsigned_abs(),
            points: row.points,
            is_cleared: row.is_cleared,
            is_refused: row.is_refused,
            is_due: row.is_due.unwrap_or(false),
        })
        .collect())
}

/// Returns how the points of a final board are spread; `None` without a player, and for a tournament
/// that was removed.
#[statement]
pub(crate) async fn board_points(
    conn: &mut PgConnection,
    tournament: TournamentId,
    created_xid: i64,
) -> sqlx::Result<Option<BoardPoints>> {
    let row = sqlx::query!(
        r#"SELECT board.players AS "players!", half.points AS median, quarter.points AS best_quarter
           FROM (SELECT max(rank) AS players FROM final_standing WHERE tournament_id = $1) AS board
           JOIN final_standing AS half
               ON half.tournament_id = $1 AND half.rank = (board.players + 1) / 2
           JOIN final_standing AS quarter
               ON quarter.tournament_id = $1 AND quarter.rank = (board.players + 3) / 4
           WHERE EXISTS (SELECT FROM tournament WHERE id = $1 AND created_xid = $2)"#,
        tournament.uuid(),
        created_xid
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| BoardPoints {
        players: row.players.unsigned_abs(),
        median: row.median,
        best_quarter: row.best_quarter,
    }))
}

/// An award of money that waits for its screening.
#[derive(Debug)]
pub(crate) struct Unscreened {
    pub(crate) id: GivenAwardId,
    pub(crate) player: PlayerId,
    pub(crate) rank: u64,
    /// The tournament's name.
    pub(crate) name: String,
    pub(crate) cash: Money,
    /// The idempotency key of the player's notifications.
    pub(crate) source: String,
    pub(crate) given_at: OffsetDateTime,
    pub(crate) state: AwardState,
    pub(crate) needs_phone: bool,
}

/// Locks the awards of a tournament that wait for their screening. Another replica that screens them
/// has ended by then.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    tournament: TournamentId,
    created_xid: i64,
    now: OffsetDateTime,
) -> sqlx::Result<Vec<Unscreened>> {
    let rows = sqlx::query!(
        r#"SELECT id, player_id, rank, tournament AS "name!", cash_cents AS "cash!",
                  source AS "source!", given_at, state AS "state!", needs_phone
           FROM award_given
           WHERE tournament_id = $1 AND created_xid = $2 AND state IN ('PENDING', 'REVIEW')
               AND screen_at <= $3
           ORDER BY id FOR UPDATE"#,
        tournament.uuid(),
        created_xid,
        now
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Unscreened {
                id: row.id.into(),
                player: row.player_id.into(),
                rank: row.rank.unsigned_abs(),
                name: row.name,
                cash: Money::from_cents(row.cash),
                source: row.source,
                given_at: row.given_at,
                state: decoded(row.state.parse())?,
                needs_phone: row.needs_phone,
            })
        })
        .collect()
}

/// Changes the state of a locked award after its screening. Without `again_at` the screening is over;
/// otherwise the award waits for a phone, and is screened again at that time.
#[statement]
pub(crate) async fn screened(
    conn: &mut PgConnection,
    id: GivenAwardId,
    state: AwardState,
    again_at: Option<OffsetDateTime>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE award_given SET state = $2, screen_at = $3, needs_phone = $3::timestamptz IS NOT NULL
         WHERE id = $1",
        id.uuid(),
        state.to_string(),
        again_at
    )
    .execute(conn)
    .await?;
    Ok(())
}
