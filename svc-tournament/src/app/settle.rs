//! Settles tournaments: freezes the board, gives the awards and writes the hall of fame.
//!
//! ```text
//! ended, no run unfinished ─► closed ─► all writers ended ─► settled ─► everyone notified
//! ```
//!
//! Each arrow is one transaction, found by the state of the row, so a process that dies at any
//! statement leaves what the next round, of any replica, continues.

use mesh::{instrument, jobs::Round};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

use super::{
    Cx,
    get_podium::PODIUM,
    notify::{NOTIFY_TOPIC, Outcome, Won, source},
    pay_award::{AWARD_TOPIC, CashWon},
};
use crate::{
    domain::{Award, FameEntry, GRACE, Standing, Tier, TournamentId, Trust, award_for},
    error::Error,
    store::{
        self,
        settlement::{Closed, Given, Unsettled},
    },
};

/// How long after the end held runs postpone the settlement.
const HELD_RUNS: Duration = Duration::hours(24);

/// Takes each tournament that is over as far as it can be.
#[instrument(name = "tournament.settle", skip_all)]
pub(crate) async fn settle(cx: &Cx) -> Result<Round, Error> {
    let ended_before = cx.clock.now() - GRACE;
    let unsettled =
        store::settlement::unsettled(&mut *cx.db.acquire().await?, ended_before).await?;
    let (mut first_error, mut games_failed) = (None, false);
    for tournament in unsettled {
        // One that cannot be settled does not stop the others, but each call to an upstream
        // that is out takes its time.
        if games_failed && !tournament.closed {
            continue;
        }
        if let Err(error) = settle_one(cx, &tournament, ended_before).await {
            games_failed |= matches!(error, Error::Fault(_));
            first_error.get_or_insert(error);
        }
    }
    first_error.map_or(Ok(Round::Done), Err)
}

#[instrument(name = "tournament.settle_one", skip_all, fields(tournament.id = %tournament.id))]
async fn settle_one(
    cx: &Cx,
    tournament: &Unsettled,
    ended_before: OffsetDateTime,
) -> Result<(), Error> {
    let id = tournament.id;
    if !tournament.closed {
        if !is_complete(cx, tournament).await? {
            return Ok(());
        }
        let (conn, now) = (&mut *cx.db.acquire().await?, cx.clock.now());
        store::settlement::close(conn, id, ended_before, now).await?;
    }
    store::settlement::mark_horizon(&mut *cx.db.acquire().await?, id).await?;
    if freeze(cx, id).await? {
        cx.boards.remove(id);
        cx.outbox.notify(AWARD_TOPIC);
        cx.outbox.notify(NOTIFY_TOPIC);
        cx.standings.publish_changed(id);
    }
    Ok(())
}

/// Whether no run can change the board any more.
async fn is_complete(cx: &Cx, tournament: &Unsettled) -> Result<bool, Error> {
    let open = cx.games.open_runs(tournament.id).await?;
    let waits_for_operator = open.held > 0 && cx.clock.now() < tournament.ends + HELD_RUNS;
    Ok(open.unfinished == 0 && !waits_for_operator)
}

/// Makes the board final and gives the awards, in one transaction; false if it is too early,
/// or another replica does it.
async fn freeze(cx: &Cx, id: TournamentId) -> Result<bool, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let Some(tournament) = store::settlement::lock(&mut tx, id).await? else {
        tx.rollback().await?;
        return Ok(false);
    };
    store::settlement::extend_timeout(&mut tx).await?;
    let players = store::settlement::rank(&mut tx, id).await?;
    let awards = store::award::list(&mut tx, &[id.uuid()]).await?;
    let awards: Vec<Award> = awards.into_iter().map(|(_, award)| award).collect();
    let positions = awards.iter().map(|award| i64::from(award.position)).max().unwrap_or(0);
    let first = store::settlement::first(&mut tx, id, positions.max(PODIUM)).await?;
    for (standing, trust) in &first {
        if let Some(award) = award_won(&awards, *standing, *trust) {
            give(cx, &mut tx, (id, &tournament), *standing, award, now).await?;
        }
    }
    let podium = first.iter().zip(0..PODIUM).map(|((standing, _), _)| standing.player);
    let members: Vec<_> = podium.collect();
    if !members.is_empty() {
        let entry = FameEntry {
            id: cx.rng.uuid_v7(now).into(),
            title: tournament.fame_title,
            description: tournament.fame_description,
            members,
            created_at: now,
        };
        store::fame::insert(&mut tx, id, &entry).await?;
    }
    store::settlement::finish(&mut tx, id, players, now).await?;
    tx.commit().await?;
    Ok(true)
}

/// The award of a place. One of money needs a score that is proven or signed.
fn award_won(awards: &[Award], standing: Standing, trust: Trust) -> Option<&Award> {
    // No player has a package yet.
    let award = award_for(awards, standing.rank, Tier::of(None))?;
    (award.cash.is_none() || trust.wins_cash()).then_some(award)
}

/// Writes an award with the outbox rows that pay it and notify its player.
async fn give(
    cx: &Cx,
    conn: &mut PgConnection,
    (id, tournament): (TournamentId, &Closed),
    standing: Standing,
    award: &Award,
    at: OffsetDateTime,
) -> Result<(), Error> {
    let (player, rank) = (standing.player, standing.rank);
    let (name, cash) = (award.name.as_str(), award.cash);
    let given = Given { id: cx.rng.uuid_v7(at), standing, tier: award.tier, name, cash, at };
    store::settlement::give(conn, id, &given).await?;
    if let Some(amount) = cash {
        let detail = format!("{}, place {rank}", tournament.name);
        let won = CashWon { award: given.id, player, amount, detail, at };
        mesh::outbox::put(conn, &cx.clock, &cx.rng, AWARD_TOPIC, &won).await?;
    }
    let outcome = Outcome {
        source: source(id, tournament.created_xid, player),
        player,
        tournament: tournament.name.clone(),
        rank,
        won: match cash {
            Some(amount) => Won::Cash { amount: amount.to_string() },
            None => Won::Award { name: name.to_owned() },
        },
        at,
    };
    mesh::outbox::put(conn, &cx.clock, &cx.rng, NOTIFY_TOPIC, &outcome).await?;
    Ok(())
}
