//! The screening of awards of money before they are paid: a person gets one, has points in the range
//! of the board, plays as a person does, and has proven a phone.
//!
//! ```text
//! given ─► screened ─► paid after its hold
//!       ├► without a phone: screened again, until there is one
//!       ├► the winner shares a device or a phone with another winner: REVIEW (decide_award.rs)
//!       ├► the winner's points are out of the range of the board: REVIEW
//!       └► the winner's run was not played as people play (svc-games): REVIEW
//! ```

use std::collections::HashMap;

use mesh::{instrument, jobs::Round};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

use super::{
    Cx,
    notify::{NOTIFY_TOPIC, TournamentEnded, Won},
};
use crate::{
    domain::{
        AwardDecision, AwardState, DecidedAward, Outlier, SharedWithWinner, Winner, find_outlier,
        find_shared_with_winner,
    },
    error::Error,
    store::{self, screening::Unscreened},
};

/// The screening's name in the decisions about awards. Operators' names are in small letters.
const SCREENING: &str = "SCREENING";
/// What operators read of a winner without a phone.
const NO_PHONE: &str = "has proven no phone";
/// Pause before an award without a phone is screened again.
const PHONE_PAUSE: Duration = Duration::minutes(1);
/// How long an award waits for a phone of its player before operators decide about it. Its money stays
/// reserved for a day longer.
const PHONE_WITHIN: Duration = Duration::days(6);

/// Most runs that svc-games screens in one call: a replay takes half a second at most.
const RUNS_MAX: usize = 5;

/// Screens the awards of one tournament. An award waits for operators when its winner shares a device
/// or a phone with another winner, has points out of the range of the board, or has a run that a
/// person may not have played. It waits for a phone when its winner has proven none.
#[instrument(name = "tournament.screen_awards", skip_all)]
pub(crate) async fn screen_awards(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let Some((tournament, created_xid)) = store::screening::next(&mut conn, now).await? else {
        return Ok(Round::Done);
    };
    let winners = store::screening::winners(&mut conn, tournament, created_xid, now).await?;
    let board = store::screening::board_points(&mut conn, tournament, created_xid).await?;
    drop(conn);
    let players: Vec<_> = winners.iter().map(|winner| winner.player).collect();
    let compared = cx.persons.compare(&players).await?;
    let outlier = |winner: &Winner| board.and_then(|board| find_outlier(winner, board));
    // An award without a phone waits for it first, unless there is another doubt about its winner.
    let is_decided = |winner: &&Winner| {
        let has_phone = !compared.without_phone.contains(&winner.player);
        let shared = || find_shared_with_winner(winner, &winners, &compared.shared);
        winner.is_due && (has_phone || outlier(winner).is_some() || shared().is_some())
    };
    let decided: Vec<_> = winners.iter().filter(is_decided).map(|winner| winner.player).collect();
    let mut run_doubts = HashMap::new();
    for chunk in decided.chunks(RUNS_MAX) {
        run_doubts.extend(cx.games.doubts(tournament, chunk).await?);
    }
    let mut tx = cx.db.begin().await?;
    let unscreened = store::screening::lock(&mut tx, tournament, created_xid, now).await?;
    // Operators may have decided about a winner during the comparison.
    let winners = store::screening::winners(&mut tx, tournament, created_xid, now).await?;
    let mut is_any_screened = false;
    for award in &unscreened {
        let has_phone = !compared.without_phone.contains(&award.player);
        // A winner whose award was given during the comparison is compared in the next round.
        let known = if has_phone { &decided } else { &players };
        let winner = winners.iter().find(|winner| winner.player == award.player);
        let Some(winner) = winner.filter(|winner| known.contains(&winner.player)) else {
            continue;
        };
        is_any_screened = true;
        let is_overdue = award.state == AwardState::Pending && now - award.given_at >= PHONE_WITHIN;
        let shared = find_shared_with_winner(winner, &winners, &compared.shared);
        let run = run_doubts.get(&award.player).cloned();
        match doubts(shared, outlier(winner), run, has_phone) {
            Some(reason) => review(&mut tx, award, None, reason, now).await?,
            None if has_phone => {
                store::screening::screened(&mut tx, award.id, award.state, None).await?;
            }
            None if is_overdue => {
                let (again_at, reason) = (now + PHONE_PAUSE, NO_PHONE.to_owned());
                review(&mut tx, award, Some(again_at), reason, now).await?;
            }
            None => wait_for_phone(cx, &mut tx, award, now).await?,
        }
    }
    tx.commit().await?;
    cx.outbox.notify(NOTIFY_TOPIC);
    Ok(if is_any_screened { Round::More } else { Round::Done })
}

/// Returns all that operators have to know of a winner about whom there is a doubt.
fn doubts(
    shared: Option<SharedWithWinner>,
    outlier: Option<Outlier>,
    run: Option<String>,
    has_phone: bool,
) -> Option<String> {
    let found = [shared.map(|one| one.to_string()), outlier.map(|one| one.to_string()), run];
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    if found.is_empty() {
        return None;
    }
    if !has_phone {
        found.push(NO_PHONE.to_owned());
    }
    Some(found.join("; "))
}

/// Has an award wait until operators, who read the reason, have decided about it.
async fn review(
    conn: &mut PgConnection,
    award: &Unscreened,
    again_at: Option<OffsetDateTime>,
    reason: String,
    at: OffsetDateTime,
) -> Result<(), Error> {
    let (operator, decision) = (SCREENING.to_owned(), AwardDecision::Review.to_string());
    let decided = DecidedAward { operator, decision, reason, at };
    store::given_award::insert_decision(conn, award.id, &decided).await?;
    Ok(store::screening::screened(conn, award.id, AwardState::Review, again_at).await?)
}

/// Has an award wait until its player has proven a phone, and notifies the player once.
async fn wait_for_phone(
    cx: &Cx,
    conn: &mut PgConnection,
    award: &Unscreened,
    now: OffsetDateTime,
) -> Result<(), Error> {
    store::screening::screened(conn, award.id, award.state, Some(now + PHONE_PAUSE)).await?;
    if award.needs_phone {
        return Ok(());
    }
    let outcome = TournamentEnded {
        source: format!("{}/phone", award.source),
        player: award.player,
        tournament: award.name.clone(),
        rank: award.rank,
        won: Won::NeedsPhone { amount: award.cash.to_string() },
        at: now,
    };
    Ok(mesh::outbox::put(conn, &cx.clock, &cx.rng, NOTIFY_TOPIC, &outcome).await?)
}
