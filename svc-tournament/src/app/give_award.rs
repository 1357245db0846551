//! Giving an award, and paying one of money once its hold is over.
//!
//! ```text
//! given ─► PENDING, screened, due after the hold ─► PAID: outbox(wallet.award, chat.notify)
//!              └─► REVIEW (screen_awards.rs, decide_award.rs), REFUSED (decide_award.rs)
//! ```

use mesh::{instrument, jobs::Round};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::uuid::Uuid;

use super::{
    Cx,
    notify::{NOTIFY_TOPIC, TournamentEnded, Won},
    pay_award::{AWARD_TOPIC, CashWon},
};
use crate::{
    domain::{Award, AwardCause, AwardState, CashAward, Standing, TournamentId},
    error::Error,
    store::{self, given_award::NewAward},
};

/// Awards of one transaction.
const BATCH: i64 = 50;

/// The tournament whose awards are given.
#[derive(Debug, Clone, Copy)]
pub(super) struct AwardsOf<'a> {
    pub(super) id: TournamentId,
    /// The transaction that created the tournament.
    pub(super) created_xid: i64,
    pub(super) name: &'a str,
    /// The reservation that cash is paid from.
    pub(super) reservation: Option<Uuid>,
    pub(super) cause: AwardCause,
    /// Whether cash waits for a review.
    pub(super) in_review: bool,
}

/// Gives an award of a place, and writes the outbox row that notifies its player, whose
/// notification has this source. An award of money is paid after [`Cx::award_hold`]; without a hold
/// its player is notified when it is paid.
pub(super) async fn give_award(
    cx: &Cx,
    conn: &mut PgConnection,
    of: AwardsOf<'_>,
    source: String,
    (standing, award): (Standing, &Award),
    at: OffsetDateTime,
) -> Result<(), Error> {
    let now = cx.clock.now();
    let new = NewAward {
        id: cx.rng.uuid_v7(at).into(),
        tournament: of.id,
        created_xid: of.created_xid,
        name: of.name,
        cause: of.cause,
        reservation: of.reservation,
        source: &source,
        standing,
        award,
        at,
        due_at: now + cx.award_hold,
        screen_at: now,
        in_review: of.in_review,
    };
    store::given_award::insert(conn, &new).await?;
    let won = match award.cash {
        None => Won::Award { name: award.name.en.clone(), name_sw: award.name.sw.clone() },
        Some(_) if cx.award_hold.is_zero() && !of.in_review => return Ok(()),
        Some(amount) => Won::Pending {
            amount: amount.to_string(),
            hours: cx.award_hold.as_secs().div_ceil(3_600).max(1),
        },
    };
    let outcome = TournamentEnded {
        source,
        player: standing.player,
        tournament: of.name.to_owned(),
        rank: standing.rank,
        won,
        at,
    };
    Ok(mesh::outbox::put(conn, &cx.clock, &cx.rng, NOTIFY_TOPIC, &outcome).await?)
}

/// Pays awards that were screened and whose hold is over.
#[instrument(name = "tournament.pay_due_awards", skip_all)]
pub(crate) async fn pay_due_awards(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let due = store::given_award::lock_due(&mut tx, now, BATCH).await?;
    for award in &due {
        pay(cx, &mut tx, award, now).await?;
    }
    tx.commit().await?;
    if due.is_empty() {
        return Ok(Round::Done);
    }
    cx.outbox.notify(AWARD_TOPIC);
    cx.outbox.notify(NOTIFY_TOPIC);
    Ok(Round::More)
}

/// Marks an award as paid, and writes the outbox rows that pay it and notify its player. The caller
/// has locked it, and notifies [`Cx::outbox`] after the commit.
pub(super) async fn pay(
    cx: &Cx,
    conn: &mut PgConnection,
    award: &CashAward,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::given_award::set_state(conn, award.id, AwardState::Paid).await?;
    let won = CashWon {
        award: award.id.uuid(),
        player: award.player,
        amount: award.cash,
        detail: format!("{}, place {}", award.name, award.rank),
        at: now,
        reservation: award.reservation,
    };
    mesh::outbox::put(conn, &cx.clock, &cx.rng, AWARD_TOPIC, &won).await?;
    let outcome = TournamentEnded {
        source: format!("{}/paid", award.source),
        player: award.player,
        tournament: award.name.clone(),
        rank: award.rank,
        won: Won::Cash { amount: award.cash.to_string() },
        at: now,
    };
    Ok(mesh::outbox::put(conn, &cx.clock, &cx.rng, NOTIFY_TOPIC, &outcome).await?)
}
