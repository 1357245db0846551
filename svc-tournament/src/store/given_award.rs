//! Tables `award_given`, `award_decision`: awards that players won, and what operators decided.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::{Money, PlayerId};

use super::decoded;
use crate::domain::{Award, AwardState, GivenAwardId, Standing, TournamentId, Trust};

/// An award that a player won.
#[derive(Debug)]
pub(crate) struct NewAward<'a> {
    pub(crate) id: GivenAwardId,
    pub(crate) tournament: TournamentId,
    /// The tournament's name.
    pub(crate) name: &'a str,
    /// The reservation that cash is paid from.
    pub(crate) reservation: Option<Uuid>,
    /// The idempotency key of the player's notifications.
    pub(crate) source: &'a str,
    pub(crate) standing: Standing,
    pub(crate) award: &'a Award,
    pub(crate) at: OffsetDateTime,
    /// When cash is paid.
    pub(crate) due_at: OffsetDateTime,
}

/// Stores an award; one of money is pending.
#[statement]
pub(crate) async fn insert(conn: &mut PgConnection, new: &NewAward<'_>) -> sqlx::Result<()> {
    let pending = new.award.cash.map(|_| AwardState::Pending.to_string());
    sqlx::query!(
        "INSERT INTO award_given
             (id, tournament_id, rank, player_id, tier, name, cash_cents, given_at, state, due_at,
              tournament, reservation_id, source)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        new.id.uuid(),
        new.tournament.uuid(),
        new.standing.rank.cast_signed(),
        new.standing.player.uuid(),
        new.award.tier.to_string(),
        new.award.name.en,
        new.award.cash.map(Money::cents),
        new.at,
        pending,
        new.award.cash.map(|_| new.due_at),
        new.name,
        new.reservation,
        new.source
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// An award of money that a player won.
#[derive(Debug, Clone)]
pub(crate) struct CashAwardGiven {
    pub(crate) id: GivenAwardId,
    pub(crate) tournament: TournamentId,
    pub(crate) name: String,
    pub(crate) reservation: Option<Uuid>,
    pub(crate) source: String,
    pub(crate) rank: u64,
    pub(crate) player: PlayerId,
    pub(crate) cash: Money,
    pub(crate) given_at: OffsetDateTime,
    pub(crate) due_at: OffsetDateTime,
    pub(crate) state: AwardState,
}

/// Locks pending awards whose hold is over, the longest due first, which no other replica has
/// locked.
#[statement]
pub(crate) async fn lock_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<CashAwardGiven>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, tournament_id, tournament AS "name!", reservation_id, source AS "source!",
                  rank, player_id, cash_cents AS "cash_cents!", given_at, due_at AS "due_at!",
                  state AS "state!"
           FROM award_given WHERE state = 'PENDING' AND due_at <= $1
           ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED"#,
        now,
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// Reads an award of money.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    id: GivenAwardId,
) -> sqlx::Result<Option<CashAwardGiven>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, tournament_id, tournament AS "name!", reservation_id, source AS "source!",
                  rank, player_id, cash_cents AS "cash_cents!", given_at, due_at AS "due_at!",
                  state AS "state!"
           FROM award_given WHERE id = $1 AND state IS NOT NULL"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

/// Locks an award of money, and returns its state.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    id: GivenAwardId,
) -> sqlx::Result<Option<AwardState>> {
    let state = sqlx::query_scalar!(
        r#"SELECT state AS "state!" FROM award_given
           WHERE id = $1 AND state IS NOT NULL FOR UPDATE"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    state.map(|state| decoded(state.parse())).transpose()
}

/// Changes the state of an award that the caller has locked.
#[statement]
pub(crate) async fn set_state(
    conn: &mut PgConnection,
    id: GivenAwardId,
    state: AwardState,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE award_given SET state = $2 WHERE id = $1", id.uuid(), state.to_string())
        .execute(conn)
        .await?;
    Ok(())
}

/// What an operator decided about an award.
#[derive(Debug, Clone)]
pub(crate) struct Decided {
    pub(crate) operator: String,
    /// A value of the column `award_decision.decision`.
    pub(crate) decision: String,
    pub(crate) reason: String,
    pub(crate) at: OffsetDateTime,
}

/// Returns the last decision about an award.
#[statement]
pub(crate) async fn last_decision(
    conn: &mut PgConnection,
    id: GivenAwardId,
) -> sqlx::Result<Option<Decided>> {
    sqlx::query_as!(
        Decided,
        "SELECT operator, decision, reason, decided_at AS at FROM award_decision
         WHERE award_id = $1 ORDER BY id DESC LIMIT 1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}

#[statement]
pub(crate) async fn insert_decision(
    conn: &mut PgConnection,
    id: Uuid,
    award: GivenAwardId,
    decided: &Decided,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO award_decision (id, award_id, operator, decision, reason, decided_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        award.uuid(),
        decided.operator,
        decided.decision,
        decided.reason,
        decided.at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A place of a final board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FinalPlace {
    pub(crate) standing: Standing,
    pub(crate) trust: Trust,
    /// When the run began; `None` on a board that was settled before this was kept.
    pub(crate) began_at: Option<OffsetDateTime>,
}

/// Returns the first places of a final board, without those of players who were refused an award and
/// without one player more.
#[statement]
pub(crate) async fn first_without_refused(
    conn: &mut PgConnection,
    tournament: TournamentId,
    refused: PlayerId,
    limit: i64,
) -> sqlx::Result<Vec<FinalPlace>> {
    let rows = sqlx::query!(
        "SELECT rank, player_id, points, trust, began_at FROM final_standing AS final
         WHERE tournament_id = $1 AND player_id <> $2 AND NOT EXISTS (
             SELECT FROM award_given AS given
             WHERE given.tournament_id = $1 AND given.player_id = final.player_id
                 AND given.state = 'REFUSED')
         ORDER BY rank LIMIT $3",
        tournament.uuid(),
        refused.uuid(),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let (player, rank) = (row.player_id.into(), row.rank.unsigned_abs());
            Ok(FinalPlace {
                standing: Standing { player, rank, points: row.points },
                trust: decoded(row.trust.parse())?,
                began_at: row.began_at,
            })
        })
        .collect()
}

/// An award of money as operators see it.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) award: CashAwardGiven,
    /// The points on the final board; `None` for a late award, or without a board.
    pub(crate) points: Option<i32>,
    pub(crate) decided: Option<Decided>,
}

/// Returns a page of the awards in a state, the oldest first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    state: AwardState,
    after: Option<GivenAwardId>,
    limit: i64,
) -> sqlx::Result<Vec<Listed>> {
    let rows = sqlx::query!(
        r#"SELECT given.id, given.tournament_id, given.tournament AS "name!", reservation_id,
                  source AS "source!", given.rank, given.player_id, cash_cents AS "cash_cents!",
                  given_at, due_at AS "due_at!", state AS "state!", final.points AS "points?",
                  decided.operator AS "operator?", decided.decision AS "decision?",
                  decided.reason AS "reason?", decided.decided_at AS "decided_at?"
           FROM award_given given
           LEFT JOIN final_standing final
               ON final.tournament_id = given.tournament_id AND final.player_id = given.player_id
           LEFT JOIN LATERAL (
               SELECT operator, decision, reason, decided_at FROM award_decision
               WHERE award_id = given.id ORDER BY id DESC LIMIT 1
           ) decided ON true
           WHERE state = $1 AND ($2::uuid IS NULL OR given.id > $2)
           ORDER BY given.id LIMIT $3"#,
        state.to_string(),
        after.map(GivenAwardId::uuid),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let decided = row.operator.zip(row.decision).zip(row.reason).zip(row.decided_at);
            let decided = decided.map(|(((operator, decision), reason), at)| Decided {
                operator,
                decision,
                reason,
                at,
            });
            let award = Row {
                id: row.id,
                tournament_id: row.tournament_id,
                name: row.name,
                reservation_id: row.reservation_id,
                source: row.source,
                rank: row.rank,
                player_id: row.player_id,
                cash_cents: row.cash_cents,
                given_at: row.given_at,
                due_at: row.due_at,
                state: row.state,
            };
            Ok(Listed { award: award.parse()?, points: row.points, decided })
        })
        .collect()
}

/// An award of money as its player sees it.
#[derive(Debug, Clone)]
pub(crate) struct OwnAward {
    pub(crate) cash: Money,
    pub(crate) state: AwardState,
    pub(crate) due_at: OffsetDateTime,
    /// Why an operator refused it.
    pub(crate) reason: Option<String>,
}

/// Returns the awards of money that a player won in a tournament.
#[statement]
pub(crate) async fn of_player(
    conn: &mut PgConnection,
    tournament: TournamentId,
    player: PlayerId,
) -> sqlx::Result<Vec<OwnAward>> {
    let rows = sqlx::query!(
        r#"SELECT cash_cents AS "cash!", state AS "state!", due_at AS "due_at!",
                  (SELECT reason FROM award_decision
                   WHERE award_id = award_given.id AND decision = 'REFUSE'
                   ORDER BY id DESC LIMIT 1) AS reason
           FROM award_given
           WHERE tournament_id = $1 AND player_id = $2 AND state IS NOT NULL ORDER BY id"#,
        tournament.uuid(),
        player.uuid()
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let state = decoded(row.state.parse())?;
            Ok(OwnAward {
                cash: Money::from_cents(row.cash),
                state,
                due_at: row.due_at,
                reason: row.reason.filter(|_| state == AwardState::Refused),
            })
        })
        .collect()
}

struct Row {
    id: Uuid,
    tournament_id: Uuid,
    name: String,
    reservation_id: Option<Uuid>,
    source: String,
    rank: i64,
    player_id: Uuid,
    cash_cents: i64,
    given_at: OffsetDateTime,
    due_at: OffsetDateTime,
    state: String,
}

impl Row {
    fn parse(self) -> sqlx::Result<CashAwardGiven> {
        Ok(CashAwardGiven {
            id: self.id.into(),
            tournament: self.tournament_id.into(),
            name: self.name,
            reservation: self.reservation_id,
            source: self.source,
            rank: self.rank.unsigned_abs(),
            player: self.player_id.into(),
            cash: Money::from_cents(self.cash_cents),
            given_at: self.given_at,
            due_at: self.due_at,
            state: decoded(self.state.parse())?,
        })
    }
}
