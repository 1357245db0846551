//! Records the score of a run that an operator released after the end of its tournament.
//!
//! Nobody waits for a run that is held: the board is settled without it, and all others get their
//! awards. When the run is released, its player gets the award of the place that it would have had,
//! beside the player who has that place.

use mesh::{Fault, instrument};
use time::OffsetDateTime;
use types::{Money, PlayerId};

use super::{
    Cx,
    notify::{NOTIFY_TOPIC, source},
    pay_award::AWARD_TOPIC,
    record_score::RecordedScore,
    settle::{award_won, give},
};
use crate::{
    domain::{Award, GRACE, LATE_SCORES, NewScore, Standing, Tier},
    error::{Error, Refused},
    store::{self, settlement::Given},
};

/// Gives the player the award of the place that the score would have on the final board. A player
/// who has an award of the tournament gets what this one has more in cash. The board stays as it was
/// settled. A repeat gives nothing.
#[instrument(name = "tournament.record_late_score", skip_all,
    fields(tournament.id = %new.tournament, player.id = %new.player))]
pub(super) async fn record_late_score(cx: &Cx, new: &NewScore) -> Result<RecordedScore, Error> {
    let NewScore { tournament: id, player, score, trust, began_at } = *new;
    let awards = store::award::list(&mut *cx.db.acquire().await?, &[id.uuid()]).await?;
    let awards: Vec<Award> = awards.into_iter().map(|(_, award)| award).collect();
    let tier = find_tier(cx, &awards, player, began_at).await?;
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // A tournament that is closed and not settled is being settled: the caller repeats the call.
    let tournament = store::settlement::lock_settled(&mut tx, id).await?;
    let tournament = tournament.ok_or(Error::Conflict)?;
    if now >= tournament.ends + LATE_SCORES {
        return Err(Refused::TournamentClosed.into());
    }
    if score.reached_at < tournament.starts || score.reached_at >= tournament.ends + GRACE {
        return Err(Fault::invalid_field("reached_at", "SCORE_OUTSIDE_TOURNAMENT").into());
    }
    let place = store::final_standing::place_of(&mut tx, id, player, score.points).await?;
    if place.best.is_some_and(|best| best >= score.points) {
        return Ok(RecordedScore { best: place.best.unwrap_or_default(), rank: None });
    }
    let standing = Standing { player, rank: place.rank, points: score.points };
    let before = store::award::given_since(&mut tx, id, player, tournament.settled_at).await?;
    let award = award_won(&awards, standing, trust, tier)
        .filter(|_| before.best_rank.is_none_or(|rank| rank > standing.rank))
        .and_then(|award| without_cash_of(award, before.cash));
    if let Some(award) = &award {
        let source = source(id, tournament.created_xid, player);
        let source = format!("{source}/place/{}", standing.rank);
        let given = Given { id: cx.rng.uuid_v7(now), standing, award, at: now };
        give(cx, &mut tx, (id, &tournament.name), source, &given).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(AWARD_TOPIC);
    cx.outbox.notify(NOTIFY_TOPIC);
    Ok(RecordedScore { best: score.points, rank: None })
}

/// The award less the cash that the player got before; `None` if nothing is left of its cash.
fn without_cash_of(award: &Award, before: Money) -> Option<Award> {
    let cash = match award.cash {
        Some(cash) => Some(cash.checked_sub(before).filter(|left| *left > Money::ZERO)?),
        None => None,
    };
    Some(Award { cash, ..award.clone() })
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
    let held = cx.wallets.held_packages(&[(player, began_at)]).await?;
    Ok(Tier::of(held.get(&player).copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_award_of_cash_has_what_was_not_given_before() {
        let award = |shillings: Option<i64>| Award {
            position: 1,
            tier: Tier::Bronze,
            name: "Cup".to_owned(),
            cash: shillings.map(|shillings| Money::from_cents(shillings * 100)),
        };
        let before = Money::from_cents(30_000);
        assert_eq!(without_cash_of(&award(Some(500)), Money::ZERO), Some(award(Some(500))));
        assert_eq!(without_cash_of(&award(Some(500)), before), Some(award(Some(200))));
        assert_eq!(without_cash_of(&award(Some(300)), before), None);
        assert_eq!(without_cash_of(&award(Some(200)), before), None);
        assert_eq!(without_cash_of(&award(None), before), Some(award(None)));
    }
}
