//! Settles tournaments: freezes the board, gives the awards and writes the hall of fame.
//!
//! ```text
//! ended, no run unfinished ─► closed ─► all writers ended, tiers known ─► settled ─► everyone notified
//! ```
//!
//! No settlement waits for a held run: once an operator releases it, `record_late_score.rs` gives its
//! award.
//!
//! Each arrow is one transaction, found by the state of the row, so a process that dies at any
//! statement leaves what the next round, of any replica, continues.

use std::collections::HashMap;

use mesh::{instrument, jobs::Round};
use time::OffsetDateTime;
use types::{LocalText, PlayerId};

use super::{
    Cx,
    get_podium::PODIUM,
    give_award::{AwardsOf, give_award},
    notify::{NOTIFY_TOPIC, source},
    reserve_cash::{RESERVATION_TOPIC, Reserved, put_reserved},
    tiers::tiers_of,
};
use crate::{
    domain::{Award, AwardCause, FameEntry, GRACE, Tier, TournamentId, award_won},
    error::Error,
    store::{
        self,
        settlement::{Place, Unsettled},
    },
};

/// Continues the settlement of each tournament that is over, as far as possible.
#[instrument(name = "tournament.settle", skip_all)]
pub(crate) async fn settle(cx: &Cx) -> Result<Round, Error> {
    let ended_before = cx.clock.now() - GRACE;
    let unsettled =
        store::settlement::unsettled(&mut *cx.db.acquire().await?, ended_before).await?;
    let (mut first_error, mut failed) = (None, FailedUpstreams::default());
    for tournament in unsettled {
        // A tournament that cannot be settled does not stop the others.
        if let Err(error) = settle_one(cx, &tournament, ended_before, &mut failed).await {
            first_error.get_or_insert(error);
        }
    }
    first_error.map_or(Ok(Round::Done), Err)
}

/// The upstreams that a round no longer calls, because each call to one that is out of reach costs
/// time.
#[derive(Debug, Default)]
struct FailedUpstreams {
    games: bool,
    wallet: bool,
}

#[instrument(name = "tournament.settle_one", skip_all, fields(tournament.id = %tournament.id))]
async fn settle_one(
    cx: &Cx,
    tournament: &Unsettled,
    ended_before: OffsetDateTime,
    failed: &mut FailedUpstreams,
) -> Result<(), Error> {
    let id = tournament.id;
    if !tournament.closed {
        if failed.games {
            return Ok(());
        }
        let open = cx.games.open_runs(id).await;
        if open.inspect_err(|_| failed.games = true)? > 0 {
            return Ok(());
        }
        let (conn, now) = (&mut *cx.db.acquire().await?, cx.clock.now());
        store::settlement::close(conn, id, ended_before, now).await?;
    }
    store::settlement::mark_horizon(&mut *cx.db.acquire().await?, id).await?;
    let Some(tiers) = find_tiers(cx, tournament, failed).await? else { return Ok(()) };
    if freeze(cx, id, &tiers).await? {
        cx.boards.remove(id);
        cx.outbox.notify(RESERVATION_TOPIC);
        cx.outbox.notify(NOTIFY_TOPIC);
        cx.standings.publish_changed(id);
    }
    Ok(())
}

/// The tiers of the players who win awards, by the packages that they held when their winning runs
/// began, from svc-wallet. A package that is bought later, by a winner who is known, counts for
/// nothing.
#[derive(Debug)]
enum Tiers {
    /// All awards are bronze ones, so the tiers do not matter.
    Bronze,
    /// The tier of each player who was queried, with the start of the run.
    Of(HashMap<(PlayerId, OffsetDateTime), Tier>),
}

impl Tiers {
    /// The tier of a player whose run began at this time; `None` where this was not queried.
    fn of(&self, player: PlayerId, began_at: OffsetDateTime) -> Option<Tier> {
        match self {
            Self::Bronze => Some(Tier::Bronze),
            Self::Of(tiers) => tiers.get(&(player, began_at)).copied(),
        }
    }
}

/// Queries svc-wallet for the tiers of the leading players. Call it outside of the transaction that
/// gives the awards, which checks that the leaders are still the same. `None` when svc-wallet is
/// not to be called in this round.
async fn find_tiers(
    cx: &Cx,
    tournament: &Unsettled,
    failed: &mut FailedUpstreams,
) -> Result<Option<Tiers>, Error> {
    let id = tournament.id;
    let mut conn = cx.db.acquire().await?;
    let awards = store::award::list(&mut conn, &[id.uuid()]).await?;
    if awards.iter().all(|(_, award)| award.tier == Tier::Bronze) {
        return Ok(Some(Tiers::Bronze));
    }
    if failed.wallet {
        return Ok(None);
    }
    let positions = awards.iter().map(|(_, award)| i64::from(award.position)).max().unwrap_or(0);
    let leaders = store::settlement::leaders(&mut conn, id, positions).await?;
    drop(conn);
    let tiers = tiers_of(cx, &leaders).await.inspect_err(|_| failed.wallet = true)?;
    Ok(Some(Tiers::Of(tiers)))
}

/// Makes the board final and gives the awards, in one transaction; false if it is too early, if
/// another replica does it, or if the leaders are not the players who were queried.
async fn freeze(cx: &Cx, id: TournamentId, tiers: &Tiers) -> Result<bool, Error> {
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
    let first = store::settlement::places(&mut tx, id, positions.max(PODIUM)).await?;
    let of = AwardsOf {
        id,
        created_xid: tournament.created_xid,
        name: &tournament.name,
        reservation: tournament.reservation_id,
        cause: AwardCause::Place,
        in_review: tournament.review_winners,
    };
    for Place { standing, trust, began_at } in &first {
        let Some(tier) = tiers.of(standing.player, *began_at) else {
            if i64::try_from(standing.rank).is_ok_and(|rank| rank > positions) {
                continue;
            }
            tx.rollback().await?;
            return Ok(false);
        };
        if let Some(award) = award_won(&awards, standing.rank, *trust, tier) {
            let source = source(id, tournament.created_xid, standing.player);
            give_award(cx, &mut tx, of, source, (*standing, award), now).await?;
        }
    }
    if let Some(reservation) = tournament.reservation_id {
        // Cash that was not won is free for others.
        let reserved = Reserved { reservation, tournament: tournament.key.clone() };
        put_reserved(cx, &mut tx, &reserved).await?;
    }
    let podium = first.iter().zip(0..PODIUM).map(|(place, _)| place.standing.player);
    let members: Vec<_> = podium.collect();
    if !members.is_empty() {
        let entry = FameEntry {
            id: cx.rng.uuid_v7(now).into(),
            title: LocalText { en: tournament.fame_title, sw: tournament.fame_title_sw },
            description: LocalText {
                en: tournament.fame_description,
                sw: tournament.fame_description_sw,
            },
            members,
            created_at: now,
        };
        store::fame::insert(&mut tx, id, &entry).await?;
    }
    store::settlement::finish(&mut tx, id, players, now).await?;
    tx.commit().await?;
    Ok(true)
}
