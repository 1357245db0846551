//! Gives the award of a run that an operator released after the settlement of its tournament.
//!
//! No tournament waits for a held run: the board is settled without it, and the players on it get
//! their awards. Once the run is released, its player gets the award of a place, too, beside the
//! player who has that place on the board.

use mesh::{Fault, instrument};
use time::{Duration, OffsetDateTime};
use types::PlayerId;

use super::{
    Cx,
    give_award::{AwardsOf, give_award},
    notify::{NOTIFY_TOPIC, source},
    tiers::tiers_of,
};
use crate::{
    domain::{
        Award, AwardCause, GRACE, LATE_SCORES, NewScore, RecordedScore, Standing, Tier, late_award,
    },
    error::{Error, Refused},
    store,
};

/// Gives the player the award that [`late_award`] finds. The board stays as it was settled. A repeat
/// gives nothing.
#[instrument(name = "tournament.record_late_score", skip_all,
    fields(tournament.id = %new.tournament, player.id = %new.player))]
pub(super) async fn record_late_score(cx: &Cx, new: &NewScore) -> Result<RecordedScore, Error> {
    let NewScore { tournament: id, player, score, trust, began_at, released_at } = *new;
    let released_at = released_at.ok_or(Refused::TournamentClosed)?;
    let awards = store::award::list(&mut *cx.db.acquire().await?, &[id.uuid()]).await?;
    let awards: Vec<Award> = awards.into_iter().map(|(_, award)| award).collect();
    let tier = find_tier(cx, &awards, player, began_at).await?;
    let mut tx = cx.db.begin().await?;
    // A tournament that is closed and not settled is being settled: the caller repeats the call.
    let tournament = store::settlement::lock_settled(&mut tx, id).await?;
    let tournament = tournament.ok_or(Error::Conflict)?;
    if released_at >= tournament.ends + LATE_SCORES {
        return Err(Refused::TournamentClosed.into());
    }
    if score.reached_at < tournament.starts || score.reached_at >= tournament.ends + GRACE {
        return Err(Fault::invalid_field("reached_at", "SCORE_OUTSIDE_TOURNAMENT").into());
    }
    let place = store::final_standing::place_of(&mut tx, id, player, score.points).await?;
    if let Some(best) = place.best.filter(|best| *best >= score.points) {
        return Ok(RecordedScore { best, rank: None });
    }
    let standing = Standing { player, rank: place.rank, points: score.points };
    let given = store::award::given_since(&mut tx, id, tournament.settled_at).await?;
    // The replica that settled the tournament may have a clock that is ahead.
    let now = cx.clock.now().max(tournament.settled_at + Duration::MICROSECOND);
    if let Some((standing, award)) = late_award(&awards, &given, standing, trust, tier) {
        let source = source(id, tournament.created_xid, player);
        let source = format!("{source}/place/{}", standing.rank);
        // The reservation is for the awards of the board alone.
        let of = AwardsOf {
            id,
            created_xid: tournament.created_xid,
            name: &tournament.name,
            reservation: None,
            cause: AwardCause::Late,
            in_review: tournament.review_winners,
        };
        give_award(cx, &mut tx, of, source, (standing, &award), now).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(NOTIFY_TOPIC);
    Ok(RecordedScore { best: score.points, rank: None })
}

/// The tier of the best package that the player held when the run began.
async fn find_tier(
    cx: &Cx,
    awards: &[Award],
    player: PlayerId,
    began_at: OffsetDateTime,
) -> Result<Tier, Error> {
    if awards.iter().all(|award| award.tier == Tier::Bronze) {
        return Ok(Tier::Bronze);
    }
    let tiers = tiers_of(cx, &[(player, began_at)]).await?;
    Ok(tiers.get(&(player, began_at)).copied().unwrap_or(Tier::Bronze))
}
