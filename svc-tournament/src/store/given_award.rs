//! Tables `award_given`, `award_decision`: awards that players won, and what operators decided.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::{Money, PlayerId};

use super::decoded;
use crate::domain::{
    Award, AwardCause, AwardState, CashAward, DecidedAward, GivenAwardId, ListedAward, OwnAward,
    Standing, TournamentId, Trust,
};

/// An award that a player won.
#[derive(Debug)]
pub(crate) struct NewAward<'a> {
    pub(crate) id: GivenAwardId,
    pub(crate) tournament: TournamentId,
    /// The transaction that created the tournament.
    pub(crate) created_xid: i64,
    /// The tournament's name.
    pub(crate) name: &'a str,
    pub(crate) cause: AwardCause,
    /// The reservation that cash is paid from.
    pub(crate) reservation: Option<Uuid>,
    /// The idempotency key of the player's notifications.
    pub(crate) source: &'a str,
    pub(crate) standing: Standing,
    pub(crate) award: &'a Award,
    pub(crate) at: OffsetDateTime,
    /// When cash is paid.
    pub(crate) due_at: OffsetDateTime,
    /// When the winner of cash is compared with the others.
    pub(crate) screen_at: OffsetDateTime,
    /// Whether cash waits for a review.
    pub(crate) in_review: bool,
}

/// Stores an award. One of money is pending, or in review: also where the player has another award of
/// the tournament in review.
#[statement]
pub(crate) async fn insert(conn: &mut PgConnection, new: &NewAward<'_>) -> sqlx::Result<()> {
    let state = if new.in_review { AwardState::Review } else { AwardState::Pending };
    let state = new.award.cash.map(|_| state.to_string());
    sqlx::query!(
        "INSERT INTO award_given
             (id, tournament_id, rank, player_id, tier, name, cash_cents, given_at, state, due_at,
              tournament, reservation_id, source, created_xid, cause, screen_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
             CASE WHEN $9 = 'PENDING' AND EXISTS (
                 SELECT FROM award_given
                 WHERE tournament_id = $2 AND created_xid = $14 AND player_id = $4
                     AND state = 'REVIEW') THEN 'REVIEW' ELSE $9 END,
             $10, $11, $12, $13, $14, $15, $16)",
        new.id.uuid(),
        new.tournament.uuid(),
        new.standing.rank.cast_signed(),
        new.standing.player.uuid(),
        new.award.tier.to_string(),
        new.award.name.en,
        new.award.cash.map(Money::cents),
        new.at,
        state,
        new.award.cash.map(|_| new.due_at),
        new.name,
        new.reservation,
        new.source,
        new.created_xid,
        new.cause.to_string(),
        new.award.cash.map(|_| new.screen_at)
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Locks pending awards that were screened and whose hold is over, the longest due first, which no
/// other replica has locked. An award waits while the screening or an operator has another one of its
/// player wait for a review.
#[statement]
pub(crate) async fn lock_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<CashAward>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, tournament_id, created_xid AS "created_xid!", tournament AS "name!",
                  reservation_id, source AS "source!", rank, player_id,
                  cash_cents AS "cash_cents!", due_at AS "due_at!", state AS "state!"
           FROM award_given WHERE state = 'PENDING' AND screen_at IS NULL AND due_at <= $1
               AND NOT EXISTS (
                   SELECT FROM award_given other
                   JOIN award_decision ON award_decision.award_id = other.id
                   WHERE other.tournament_id = award_given.tournament_id
                       AND other.created_xid = award_given.created_xid
                       AND other.player_id = award_given.player_id AND other.state = 'REVIEW')
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
) -> sqlx::Result<Option<CashAward>> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, tournament_id, created_xid AS "created_xid!", tournament AS "name!",
                  reservation_id, source AS "source!", rank, player_id,
                  cash_cents AS "cash_cents!", due_at AS "due_at!", state AS "state!"
           FROM award_given WHERE id = $1 AND state IS NOT NULL"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

/// Locks all awards of money that the player of one of them won in the same tournament.
#[statement]
pub(crate) async fn lock_all_of_player(
    conn: &mut PgConnection,
    award: &CashAward,
) -> sqlx::Result<Vec<CashAward>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, tournament_id, created_xid AS "created_xid!", tournament AS "name!",
                  reservation_id, source AS "source!", rank, player_id,
                  cash_cents AS "cash_cents!", due_at AS "due_at!", state AS "state!"
           FROM award_given
           WHERE tournament_id = $1 AND created_xid = $2 AND player_id = $3 AND state IS NOT NULL
           ORDER BY id FOR UPDATE"#,
        award.tournament.uuid(),
        award.created_xid,
        award.player.uuid()
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// Changes the state of an award that the caller has locked.
#[statement]
pub(crate) async fn set_state(
    conn: &mut PgConnection,
    id: GivenAwardId,
    state: AwardState,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE award_given SET state = $2, needs_phone = needs_phone AND $2 = 'REVIEW'
         WHERE id = $1",
        id.uuid(),
        state.to_string()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns an operator's last decision about an award.
#[statement]
pub(crate) async fn last_decision(
    conn: &mut PgConnection,
    id: GivenAwardId,
) -> sqlx::Result<Option<DecidedAward>> {
    sqlx::query_as!(
        DecidedAward,
        "SELECT operator, decision, reason, decided_at AS at FROM award_decision
         WHERE award_id = $1 AND operator <> 'SCREENING' ORDER BY seq DESC LIMIT 1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}

#[statement]
pub(crate) async fn insert_decision(
    conn: &mut PgConnection,
    award: GivenAwardId,
    decided: &DecidedAward,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO award_decision (award_id, operator, decision, reason, decided_at)
         VALUES ($1, $2, $3, $4, $5)",
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

/// Returns the first places of the final board of an award's tournament, without those of players
/// who were refused an award, and without the award's player.
#[statement]
pub(crate) async fn first_without_refused(
    conn: &mut PgConnection,
    award: &CashAward,
    limit: i64,
) -> sqlx::Result<Vec<FinalPlace>> {
    let rows = sqlx::query!(
        "SELECT rank, player_id, points, trust, run_began_at FROM final_standing AS final
         WHERE tournament_id = $1 AND player_id <> $2 AND NOT EXISTS (
             SELECT FROM award_given AS given
             WHERE given.tournament_id = $1 AND given.created_xid = $4
                 AND given.player_id = final.player_id AND given.state = 'REFUSED')
         ORDER BY rank LIMIT $3",
        award.tournament.uuid(),
        award.player.uuid(),
        limit,
        award.created_xid
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let (player, rank) = (row.player_id.into(), row.rank.unsigned_abs());
            Ok(FinalPlace {
                standing: Standing { player, rank, points: row.points },
                trust: decoded(row.trust.parse())?,
                began_at: row.run_began_at,
            })
        })
        .collect()
}

/// Returns a page of the awards in a state, the oldest first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    state: AwardState,
    after: Option<GivenAwardId>,
    limit: i64,
) -> sqlx::Result<Vec<ListedAward>> {
    let rows = sqlx::query!(
        r#"SELECT given.id, given.tournament_id, given.created_xid AS "created_xid!",
                  given.tournament AS "name!", given.reservation_id,
                  source AS "source!", given.rank, given.player_id,
                  given.cash_cents AS "cash_cents!",
                  due_at AS "due_at!", state AS "state!", needs_phone,
                  final.points AS "points?",
                  decided.operator AS "operator?", decided.decision AS "decision?",
                  decided.reason AS "reason?", decided.decided_at AS "decided_at?"
           FROM award_given given
           LEFT JOIN tournament
               ON tournament.id = given.tournament_id AND tournament.created_xid = given.created_xid
           LEFT JOIN final_standing final
               ON final.tournament_id = tournament.id AND final.player_id = given.player_id
                   AND given.cause <> 'LATE'
           LEFT JOIN LATERAL (
               SELECT operator, decision, reason, decided_at FROM award_decision
               WHERE award_id = given.id ORDER BY seq DESC LIMIT 1
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
            let decided = decided.map(|(((operator, decision), reason), at)| DecidedAward {
                operator,
                decision,
                reason,
                at,
            });
            let award = Row {
                id: row.id,
                tournament_id: row.tournament_id,
                created_xid: row.created_xid,
                name: row.name,
                reservation_id: row.reservation_id,
                source: row.source,
                rank: row.rank,
                player_id: row.player_id,
                cash_cents: row.cash_cents,
                due_at: row.due_at,
                state: row.state,
            };
            let needs_phone = row.needs_phone;
            Ok(ListedAward { award: award.parse()?, points: row.points, needs_phone, decided })
        })
        .collect()
}

/// Returns the sum of the awards that a reservation pays, without refused ones.
#[statement]
pub(crate) async fn sum_of_reservation(
    conn: &mut PgConnection,
    tournament: TournamentId,
    reservation: Uuid,
) -> sqlx::Result<Money> {
    let cents = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(cash_cents), 0)::bigint AS "cents!" FROM award_given
           WHERE tournament_id = $1 AND reservation_id = $2 AND state <> 'REFUSED'"#,
        tournament.uuid(),
        reservation
    )
    .fetch_one(conn)
    .await?;
    Ok(Money::from_cents(cents))
}

/// Counts the awards that were due before a time and are neither paid nor refused, but for pending
/// ones that wait for a phone.
#[statement]
pub(crate) async fn count_overdue(
    conn: &mut PgConnection,
    due_before: OffsetDateTime,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM award_given
           WHERE (state = 'REVIEW' OR state = 'PENDING' AND NOT needs_phone) AND due_at < $1"#,
        due_before
    )
    .fetch_one(conn)
    .await
}

/// Returns the awards of money that a player won in a tournament since its settlement.
#[statement]
pub(crate) async fn of_player(
    conn: &mut PgConnection,
    tournament: TournamentId,
    player: PlayerId,
) -> sqlx::Result<Vec<OwnAward>> {
    let rows = sqlx::query!(
        r#"SELECT cash_cents AS "cash!", state AS "state!", due_at AS "due_at!", needs_phone,
                  (SELECT reason FROM award_decision
                   WHERE award_id = award_given.id AND decision = 'REFUSE'
                   ORDER BY seq DESC LIMIT 1) AS reason
           FROM award_given
           WHERE tournament_id = $1 AND player_id = $2 AND state IS NOT NULL
               AND created_xid = (SELECT created_xid FROM tournament WHERE id = $1)
           ORDER BY id"#,
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
                needs_phone: row.needs_phone,
                reason: row.reason.filter(|_| state == AwardState::Refused),
            })
        })
        .collect()
}

struct Row {
    id: Uuid,
    tournament_id: Uuid,
    created_xid: i64,
    name: String,
    reservation_id: Option<Uuid>,
    source: String,
    rank: i64,
    player_id: Uuid,
    cash_cents: i64,
    due_at: OffsetDateTime,
    state: String,
}

impl Row {
    fn parse(self) -> sqlx::Result<CashAward> {
        Ok(CashAward {
            id: self.id.into(),
            tournament: self.tournament_id.into(),
            created_xid: self.created_xid,
            name: self.name,
            reservation: self.reservation_id,
            source: self.source,
            rank: self.rank.unsigned_abs(),
            player: self.player_id.into(),
            cash: Money::from_cents(self.cash_cents),
            due_at: self.due_at,
            state: decoded(self.state.parse())?,
        })
    }
}
