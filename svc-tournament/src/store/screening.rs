//! The screening of awards of money: columns `screen_at` and `needs_phone` of `award_given`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, PlayerId};

use super::decoded;
use crate::domain::{AwardState, GivenAwardId, TournamentId, Winner};

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
) -> sqlx::Result<Vec<Winner>> {
    let rows = sqlx::query!(
        r#"SELECT player_id, min(rank) AS "rank!", bool_or(state = 'REFUSED') AS "is_refused!",
                  bool_or(state = 'PAID' OR screen_at IS NULL AND NOT EXISTS (
                      SELECT FROM award_decision
                      WHERE award_id = award_given.id AND operator = 'SCREENING'))
                      AS "is_cleared!"
           FROM award_given
           WHERE tournament_id = $1 AND created_xid = $2 AND state IS NOT NULL
           GROUP BY player_id ORDER BY min(rank) LIMIT $3"#,
        tournament.uuid(),
        created_xid,
        WINNERS_MAX
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Winner {
            player: row.player_id.into(),
            rank: row.rank.unsigned_abs(),
            is_cleared: row.is_cleared,
            is_refused: row.is_refused,
        })
        .collect())
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
