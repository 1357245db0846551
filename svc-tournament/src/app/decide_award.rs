//! What operators decide about an award of money: a review, an approval, a refusal.
//!
//! After a refusal the players below move up: each gets what the award of the better place has more
//! than what the player got. No award that was given is changed, so it does not matter which of them
//! are paid already.

use mesh::{auth::Operator, content::PROPOSED_FOR, instrument};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use types::{Change, Money};

use super::{
    Cx,
    give_award::{AwardsOf, give_award, pay},
    notify::{NOTIFY_TOPIC, TournamentEnded, Won, source},
    pay_award::AWARD_TOPIC,
    reserve_cash::{RESERVATION_TOPIC, Reserved, put_reserved},
    tiers::tiers_of,
};
use crate::{
    domain::{
        Award, AwardCause, AwardDecision, AwardState, CashAward, DecidedAward, Finalist,
        GivenAwardId, ListedAward, Tier, moved_up,
    },
    error::{Error, Refused},
    store::{self, given_award::FinalPlace, settlement::FinalTournament},
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
) -> Result<Vec<ListedAward>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::given_award::list(&mut conn, state, after, limit).await?)
}

/// Carries out a decision about the awards of money that the player of an award won in its
/// tournament: all of those that it can still change. A repeat changes nothing. An approval is a
/// proposal until a second operator approves it, too, where the player then has more than
/// [`Cx::cash_confirmed_over`], and where it takes a refusal back.
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
        AwardDecision::Refuse if award.state != AwardState::Refused => {
            Some(next_in_line(cx, &award).await?)
        }
        AwardDecision::Refuse | AwardDecision::Review | AwardDecision::Approve => None,
    };
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // One decision and one late score of a tournament at a time. The tournament may have been
    // removed, and another applied in its place.
    let tournament = store::settlement::lock_settled(&mut tx, award.tournament).await?;
    let tournament = tournament.filter(|one| one.created_xid == award.created_xid);
    let all = store::given_award::lock_all_of_player(&mut tx, &award).await?;
    let named = all.iter().find(|one| one.id == id).ok_or(Refused::AwardNotFound)?;
    named.state.after(decision).ok_or(Refused::AwardDecided)?;
    let changed: Vec<&CashAward> = all
        .iter()
        .filter(|one| one.state.after(decision).is_some_and(|after| after != one.state))
        .collect();
    if changed.is_empty() {
        return Ok(Change::Unchanged);
    }
    let decided = |decision: &str| DecidedAward {
        operator: by.name().to_owned(),
        decision: decision.to_owned(),
        reason: reason.to_owned(),
        at: now,
    };
    let is_much = total(&all) > cx.cash_confirmed_over
        || changed.iter().any(|one| one.state == AwardState::Refused);
    if decision == AwardDecision::Approve
        && is_much
        && !is_confirmed(&mut tx, by, &changed, now).await?
    {
        for one in &changed {
            store::given_award::insert_decision(&mut tx, one.id, &decided(PROPOSED)).await?;
        }
        tx.commit().await?;
        return Err(Refused::NeedsSecondOperator.into());
    }
    change_all(cx, &mut tx, &changed, decision, &decided(&decision.to_string())).await?;
    if let Some(tournament) = tournament {
        if let Some(next) = next {
            move_up(cx, &mut tx, &award, &tournament, &next, now).await?;
        }
        // The money of all awards that are not refused stays reserved for another week.
        if let Some(reservation) = tournament.reservation_id {
            let reserved = Reserved { reservation, tournament: tournament.key };
            put_reserved(cx, &mut tx, &reserved).await?;
        }
    }
    tx.commit().await?;
    cx.outbox.notify(AWARD_TOPIC);
    cx.outbox.notify(NOTIFY_TOPIC);
    cx.outbox.notify(RESERVATION_TOPIC);
    Ok(Change::Updated)
}

/// Changes the states of awards that the caller has locked, and keeps the decision with each.
async fn change_all(
    cx: &Cx,
    conn: &mut PgConnection,
    awards: &[&CashAward],
    decision: AwardDecision,
    decided: &DecidedAward,
) -> Result<(), Error> {
    let now = decided.at;
    for award in awards {
        store::given_award::insert_decision(conn, award.id, decided).await?;
        match decision {
            AwardDecision::Approve => pay(cx, conn, award, now).await?,
            AwardDecision::Refuse => refuse(cx, conn, award, &decided.reason, now).await?,
            AwardDecision::Review => {
                store::given_award::set_state(conn, award.id, AwardState::Review).await?;
            }
        }
    }
    Ok(())
}

fn total(awards: &[CashAward]) -> Money {
    let add = |sum: Money, one: &CashAward| sum.checked_add(one.cash).unwrap_or(sum);
    awards.iter().fold(Money::ZERO, add)
}

/// Whether the last decision about each of the awards is another operator's proposal to approve it.
async fn is_confirmed(
    conn: &mut PgConnection,
    by: &Operator,
    awards: &[&CashAward],
    now: OffsetDateTime,
) -> Result<bool, Error> {
    for award in awards {
        let last = store::given_award::last_decision(conn, award.id).await?;
        let is_proposed = last.is_some_and(|last| {
            last.decision == PROPOSED && last.operator != by.name() && now - last.at < PROPOSED_FOR
        });
        if !is_proposed {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Refuses an award, and notifies its player.
async fn refuse(
    cx: &Cx,
    conn: &mut PgConnection,
    award: &CashAward,
    reason: &str,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::given_award::set_state(conn, award.id, AwardState::Refused).await?;
    let outcome = TournamentEnded {
        // An award is refused once: after an appeal it is paid, and stays so.
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
async fn next_in_line(cx: &Cx, award: &CashAward) -> Result<NextInLine, Error> {
    let id = award.tournament;
    let mut conn = cx.db.acquire().await?;
    let awards = store::award::list(&mut conn, &[id.uuid()]).await?;
    let awards: Vec<Award> = awards.into_iter().map(|(_, award)| award).collect();
    let positions = awards.iter().map(|award| i64::from(award.position)).max().unwrap_or(0);
    let places = store::given_award::first_without_refused(&mut conn, award, positions).await?;
    drop(conn);
    let is_bronze = awards.iter().all(|award| award.tier == Tier::Bronze);
    let runs = places.iter().filter_map(|place| Some((place.standing.player, place.began_at?)));
    let runs: Vec<_> = if is_bronze { Vec::new() } else { runs.collect() };
    let tiers = tiers_of(cx, &runs).await?;
    let finalists = places
        .into_iter()
        .map(|FinalPlace { standing, trust, began_at }| {
            // A player of a board that was settled before starts were kept counts as one without a
            // package.
            let tier = began_at.and_then(|began_at| tiers.get(&(standing.player, began_at)));
            Finalist { standing, trust, tier: tier.copied().unwrap_or(Tier::Bronze) }
        })
        .collect();
    Ok(NextInLine { awards, finalists })
}

/// Gives the players below a refused winner what their better places have more, from the
/// reservation of the tournament. What they get together waits for a review where it is more than
/// one operator may give away.
async fn move_up(
    cx: &Cx,
    conn: &mut PgConnection,
    refused: &CashAward,
    tournament: &FinalTournament,
    NextInLine { awards, finalists }: &NextInLine,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let id = refused.tournament;
    let first = i64::try_from(finalists.len()).unwrap_or(i64::MAX);
    let still = store::given_award::first_without_refused(conn, refused, first).await?;
    let still = still.iter().map(|place| place.standing.player);
    if !still.eq(finalists.iter().map(|finalist| finalist.standing.player)) {
        // Another winner was refused meanwhile: the caller repeats the call.
        return Err(Error::Conflict);
    }
    let given = store::award::given_since(conn, id, tournament.settled_at).await?;
    // The replica that settled the tournament may have a clock that is ahead.
    let at = now.max(tournament.settled_at + Duration::MICROSECOND);
    let up = moved_up(awards, &given, finalists);
    let cash = up.iter().filter_map(|(_, award)| award.cash);
    let cash = cash.fold(Money::ZERO, |sum, one| sum.checked_add(one).unwrap_or(sum));
    let of = AwardsOf {
        id,
        created_xid: tournament.created_xid,
        name: &tournament.name,
        reservation: tournament.reservation_id,
        cause: AwardCause::MovedUp,
        in_review: tournament.review_winners || cash > cx.cash_confirmed_over,
    };
    for (standing, award) in up {
        let source = source(id, tournament.created_xid, standing.player);
        let source = format!("{source}/moved-up/{}", standing.rank);
        give_award(cx, conn, of, source, (standing, &award), at).await?;
    }
    Ok(())
}
