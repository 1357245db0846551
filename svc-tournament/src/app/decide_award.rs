//! What operators decide about an award of money: a review, an approval, a refusal.
//!
//! After a refusal the players below move up: each gets what the award of the better place has more
//! than what the player got. No award that was given is changed, so it does not matter which of them
//! are paid already.

use std::collections::HashMap;

use mesh::{auth::Operator, content::PROPOSED_FOR, instrument};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use types::{Change, PlayerId};

use super::{
    Cx,
    give_award::{AwardsOf, give_award, pay},
    notify::{NOTIFY_TOPIC, TournamentEnded, Won, source},
    pay_award::AWARD_TOPIC,
    reserve_cash::{RESERVATION_TOPIC, Reserved, put_reserved},
};
use crate::{
    domain::{Award, AwardDecision, AwardState, Finalist, GivenAwardId, Tier, moved_up},
    error::{Error, Refused},
    store::{
        self,
        given_award::{CashAwardGiven, Decided, FinalPlace, Listed},
        settlement::FinalTournament,
    },
};

/// The decision of an operator whose approval waits for a second one.
const PROPOSED: &str = "PROPOSED";

/// Returns a page of the awards in a state, the oldest first.
#[instrument(name = "tournament.list_given_awards", skip_all)]
pub(crate) async fn list_given_awards(
    cx: &Cx,
    state: AwardState,
    after: Option<GivenAwardId>,
    limit: i64,
) -> Result<Vec<Listed>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::given_award::list(&mut conn, state, after, limit).await?)
}

/// Carries out a decision. A repeat changes nothing. The approval of an award above
/// [`Cx::cash_confirmed_over`] is a proposal until a second operator approves it, too.
#[instrument(name = "tournament.decide_award", skip_all,
    fields(award.id = %id, decision = %decision))]
pub(crate) async fn decide_award(
    cx: &Cx,
    by: &Operator,
    id: GivenAwardId,
    decision: AwardDecision,
    reason: &str,
) -> Result<Change, Error> {
    let mut conn = cx.db.acquire().await?;
    let award = store::given_award::find(&mut conn, id).await?.ok_or(Refused::AwardNotFound)?;
    drop(conn);
    let next = match decision {
        AwardDecision::Refuse => Some(next_in_line(cx, &award).await?),
        AwardDecision::Review | AwardDecision::Approve => None,
    };
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // One decision and one late score of a tournament at a time. It may have been removed.
    let tournament = store::settlement::lock_settled(&mut tx, award.tournament).await?;
    let state = store::given_award::lock(&mut tx, id).await?.ok_or(Refused::AwardNotFound)?;
    let after = state.after(decision).ok_or(Refused::AwardPaid)?;
    if after == state {
        return Ok(Change::Unchanged);
    }
    let decided = |decision: &str| Decided {
        operator: by.name().to_owned(),
        decision: decision.to_owned(),
        reason: reason.to_owned(),
        at: now,
    };
    if decision == AwardDecision::Approve
        && award.cash > cx.cash_confirmed_over
        && !is_confirmed(&mut tx, by, id, now).await?
    {
        let proposal = decided(PROPOSED);
        store::given_award::insert_decision(&mut tx, cx.rng.uuid_v7(now), id, &proposal).await?;
        tx.commit().await?;
        return Err(Refused::NeedsSecondOperator.into());
    }
    let row = decided(&decision.to_string());
    store::given_award::insert_decision(&mut tx, cx.rng.uuid_v7(now), id, &row).await?;
    match after {
        AwardState::Paid => pay(cx, &mut tx, &award, now).await?,
        AwardState::Refused => {
            refuse(cx, &mut tx, &award, reason, now).await?;
            if let Some((tournament, next)) = tournament.zip(next) {
                move_up(cx, &mut tx, &award, &tournament, &next, now).await?;
            }
        }
        AwardState::Pending | AwardState::Review => {
            store::given_award::set_state(&mut tx, id, after).await?;
        }
    }
    tx.commit().await?;
    cx.outbox.notify(AWARD_TOPIC);
    cx.outbox.notify(NOTIFY_TOPIC);
    cx.outbox.notify(RESERVATION_TOPIC);
    Ok(Change::Updated)
}

/// Whether the last decision is another operator's proposal to approve the award.
async fn is_confirmed(
    conn: &mut PgConnection,
    by: &Operator,
    id: GivenAwardId,
    now: OffsetDateTime,
) -> Result<bool, Error> {
    let last = store::given_award::last_decision(conn, id).await?;
    Ok(last.is_some_and(|last| {
        last.decision == PROPOSED && last.operator != by.name() && now - last.at < PROPOSED_FOR
    }))
}

/// Refuses an award, and notifies its player.
async fn refuse(
    cx: &Cx,
    conn: &mut PgConnection,
    award: &CashAwardGiven,
    reason: &str,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::given_award::set_state(conn, award.id, AwardState::Refused).await?;
    let outcome = TournamentEnded {
        // An award that was approved after an appeal is not refused again.
        source: format!("{}/refused", award.source),
        player: award.player,
        tournament: award.name.clone(),
        rank: award.rank,
        won: Won::Refused { amount: award.cash.to_string(), reason: reason.to_owned() },
        at: now,
    };
    Ok(mesh::outbox::put(conn, &cx.clock, &cx.rng, NOTIFY_TOPIC, &outcome).await?)
}

/// The players who may move up, and the awards of their tournament.
struct NextInLine {
    awards: Vec<Award>,
    finalists: Vec<Finalist>,
}

/// Finds the first players of the board without the winner who is refused, with their tiers, which
/// svc-wallet knows. Call it outside of the transaction.
async fn next_in_line(cx: &Cx, award: &CashAwardGiven) -> Result<NextInLine, Error> {
    let id = award.tournament;
    let mut conn = cx.db.acquire().await?;
    let awards = store::award::list(&mut conn, &[id.uuid()]).await?;
    let awards: Vec<Award> = awards.into_iter().map(|(_, award)| award).collect();
    let positions = awards.iter().map(|award| i64::from(award.position)).max().unwrap_or(0);
    let places =
        store::given_award::first_without_refused(&mut conn, id, award.player, positions).await?;
    drop(conn);
    let tiers = find_tiers(cx, &awards, &places).await?;
    let finalists = places
        .into_iter()
        .map(|FinalPlace { standing, trust, .. }| {
            let tier = tiers.get(&standing.player).copied().unwrap_or(Tier::Bronze);
            Finalist { standing, trust, tier }
        })
        .collect();
    Ok(NextInLine { awards, finalists })
}

/// Returns the tiers of players by the packages that they held when their runs began. A player of a
/// board that was settled before that time was kept counts as one without a package.
async fn find_tiers(
    cx: &Cx,
    awards: &[Award],
    places: &[FinalPlace],
) -> Result<HashMap<PlayerId, Tier>, Error> {
    if awards.iter().all(|award| award.tier == Tier::Bronze) {
        return Ok(HashMap::new());
    }
    let began = places.iter().filter_map(|place| Some((place.standing.player, place.began_at?)));
    let began: Vec<_> = began.collect();
    let mut tiers = HashMap::new();
    // The contract's limit of players in one query to svc-wallet.
    for batch in began.chunks(100) {
        let held = cx.wallets.held_packages(batch).await?;
        tiers.extend(batch.iter().map(|(player, _)| {
            let tier = Tier::of(held.get(player).copied());
            (*player, tier)
        }));
    }
    Ok(tiers)
}

/// Gives the players below a refused award what their better places have more, from the same
/// reservation, and has that compared with what is won now.
async fn move_up(
    cx: &Cx,
    conn: &mut PgConnection,
    refused: &CashAwardGiven,
    tournament: &FinalTournament,
    NextInLine { awards, finalists }: &NextInLine,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let id = refused.tournament;
    let first = i64::try_from(finalists.len()).unwrap_or(i64::MAX);
    let now_first =
        store::given_award::first_without_refused(conn, id, refused.player, first).await?;
    let is_same = now_first.iter().map(|place| place.standing.player);
    if !is_same.eq(finalists.iter().map(|finalist| finalist.standing.player)) {
        // Another winner was refused meanwhile: the caller repeats the call.
        return Err(Error::Conflict);
    }
    let given = store::award::given_since(conn, id, tournament.settled_at).await?;
    // The replica that settled the tournament may have a clock that is ahead.
    let at = now.max(tournament.settled_at + Duration::MICROSECOND);
    let of = AwardsOf { id, name: &tournament.name, reservation: refused.reservation };
    for (standing, award) in moved_up(awards, &given, finalists) {
        let source = source(id, tournament.created_xid, standing.player);
        let source = format!("{source}/moved-up/{}", standing.rank);
        give_award(cx, conn, of, source, (standing, &award), at).await?;
    }
    if let Some(reservation) = refused.reservation {
        let reserved = Reserved { reservation, tournament: tournament.key.clone() };
        put_reserved(cx, conn, &reserved).await?;
    }
    Ok(())
}
