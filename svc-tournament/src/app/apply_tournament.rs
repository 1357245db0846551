//! Applies the tournaments that operators publish.

use std::cmp::Reverse;

use mesh::{
    content::{self, Application, Audited},
    instrument,
};
use sqlx::PgConnection;
use time::Duration;
use types::{Change, InvalidContent, Key, Money};

use super::{
    Cx,
    reserve_cash::{RESERVATION_TOPIC, Reserved, put_reserved, reserve_ahead},
};
use crate::{
    domain::{PrizeClass, Proof, TournamentManifest},
    error::{Error, Refused},
    store,
};

/// The kind of a tournament in the audit.
const KIND: &str = "Tournament";

/// Creates or changes a tournament. A manifest with much cash takes effect when a second operator
/// applies it too; the call of the first operator stores a proposal, and is refused with
/// [`Refused::NeedsSecondOperator`]. Until it begins, each application fixes how its scores are proven,
/// as those of its game are then. Rules or a key by which much cash is won have to be those of two
/// operators.
#[instrument(name = "tournament.apply_tournament", skip_all,
    fields(content.key = tournament.key.as_str()))]
pub(crate) async fn apply_tournament(
    cx: &Cx,
    by: &Application,
    mut tournament: TournamentManifest,
) -> Result<Change, Error> {
    tournament.validate().map_err(Refused::from)?;
    let prizes = validate_game(cx, &tournament).await?;
    let of_game = cx.games.proof(store::content::game_id(&tournament.game)).await?;
    tournament.awards.sort_by_key(|award| (award.position, Reverse(award.tier)));
    let ahead = reserve_ahead(cx, by, &tournament).await?;
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let id = store::content::tournament_id(&tournament.key);
    let locked = store::content::lock_tournament(&mut tx, id).await?;
    let known = store::content::manifests(&mut tx, Some(id), "", 1).await?.pop();
    let now = cx.clock.now();
    let is_closed = locked.as_ref().is_some_and(|locked| locked.closed);
    let has_begun = is_closed || known.as_ref().is_some_and(|known| known.starts <= now);
    let before = locked.as_ref().map(|locked| locked.proof.clone()).unwrap_or_default();
    // A tournament of an earlier release has no proof: the next application gives it one.
    let is_bound = has_begun && before != Proof::default();
    let proof = if is_bound { before.clone() } else { of_game.proof };
    if proof != before || known.as_ref().is_none_or(|known| !known.has_prizes_of(&tournament)) {
        let is_witnessed = of_game.is_live || proof.score_key.is_some();
        tournament.validate_prizes(prizes, is_witnessed).map_err(Refused::from)?;
    }
    if !is_bound && tournament.cash() > Money::ZERO && proof == Proof::default() {
        return Err(unproven_game().into());
    }
    let change = match &known {
        None => Change::Created,
        Some(known) if *known == tournament && proof == before => Change::Unchanged,
        Some(known) => {
            if is_closed {
                tournament.validate_change_after_close(known).map_err(Refused::from)?;
            } else if has_begun {
                tournament.validate_change_after_start(known, now).map_err(Refused::from)?;
            }
            Change::Updated
        }
    };
    if change == Change::Unchanged || by.dry_run {
        return Ok(change);
    }
    let manifest = Some(store::content::audited(&tournament, &proof));
    let audited = Audited { kind: KIND, key: tournament.key.as_str(), manifest };
    let refusal = if may_apply_alone(cx, &mut tx, by, &tournament).await? {
        None
    } else if !content::confirm_or_propose(&mut tx, &cx.clock, &cx.rng, by, &audited).await? {
        Some(Refused::NeedsSecondOperator)
    } else if is_bound || of_game.is_confirmed {
        None
    } else {
        Some(unconfirmed_game())
    };
    if let Some(refusal) = refusal {
        if let Some(ahead) = ahead {
            ahead.ended(cx, &mut tx).await?;
        }
        tx.commit().await?;
        cx.outbox.notify(RESERVATION_TOPIC);
        return Err(refusal.into());
    }
    let reservation = locked.and_then(|locked| locked.reservation);
    let reservation = reservation.or(ahead.as_ref().map(|ahead| ahead.reserved.reservation));
    let secret = cx.rng.bytes::<32>();
    store::content::put(&mut tx, &tournament, &secret, reservation, &proof).await?;
    content::audit(&mut tx, &cx.clock, &cx.rng, by, change, &audited).await?;
    let is_cash_changed = known.as_ref() != Some(&tournament) && !is_closed;
    match ahead {
        Some(ahead) => ahead.ended(cx, &mut tx).await?,
        // Another application or removal came in between, so nothing is reserved for this one.
        None if tournament.cash() > Money::ZERO && is_cash_changed => {
            return Err(Error::Conflict);
        }
        None => {}
    }
    tx.commit().await?;
    cx.outbox.notify(RESERVATION_TOPIC);
    Ok(change)
}

/// Money cannot be won by scores that are the players' claims.
fn unproven_game() -> Refused {
    let problem = "has neither rules nor a key, and cash needs scores that are proven";
    Refused::from(InvalidContent::new("game", problem.to_owned()))
}

/// Much cash depends on rules or a key that one operator applied alone.
fn unconfirmed_game() -> Refused {
    let problem = "has rules or a key that one operator applied alone: apply the game, too";
    Refused::from(InvalidContent::new("game", problem.to_owned()))
}

/// Whether one operator may apply the tournament, because its cash and that of the operator's other
/// tournaments of a day is little.
async fn may_apply_alone(
    cx: &Cx,
    conn: &mut PgConnection,
    by: &Application,
    tournament: &TournamentManifest,
) -> Result<bool, Error> {
    let cash = tournament.cash();
    if cash == Money::ZERO {
        return Ok(true);
    }
    let (key, operator, a_day_ago) =
        (&tournament.key, by.operator.name(), cx.clock.now() - Duration::DAY);
    let others = store::content::cash_since(conn, key, operator, a_day_ago).await?;
    let is_little = cash.checked_add(others).is_some_and(|day| day <= cx.cash_alone_a_day);
    Ok(cash <= cx.cash_confirmed_over && is_little)
}

/// Removes a tournament with its board.
#[instrument(name = "tournament.delete_tournament", skip_all, fields(content.key = key.as_str()))]
pub(crate) async fn delete_tournament(
    cx: &Cx,
    by: &Application,
    key: &Key,
) -> Result<Change, Error> {
    let id = store::content::tournament_id(key);
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let Some(locked) = store::content::lock_tournament(&mut tx, id).await? else {
        return Ok(Change::Unchanged);
    };
    if !locked.settled {
        store::content::lock_standings(&mut tx).await?;
        if store::standing::exists(&mut tx, id).await? {
            return Err(Refused::TournamentHasScores.into());
        }
    }
    if !by.dry_run {
        store::content::delete(&mut tx, id).await?;
        let audited = Audited { kind: KIND, key: key.as_str(), manifest: None };
        content::audit(&mut tx, &cx.clock, &cx.rng, by, Change::Deleted, &audited).await?;
        // The awards of a settled tournament may not be paid yet.
        if let Some(reservation) = locked.reservation.filter(|_| !locked.settled) {
            let tournament = key.as_str().to_owned();
            put_reserved(cx, &mut tx, &Reserved { reservation, tournament }).await?;
        }
        tx.commit().await?;
        cx.outbox.notify(RESERVATION_TOPIC);
        cx.boards.remove(id);
        cx.final_boards.remove(&id);
    }
    Ok(Change::Deleted)
}

/// A page of the tournaments as operators write them, by key.
#[instrument(name = "tournament.list_manifests", skip_all)]
pub(crate) async fn list_manifests(
    cx: &Cx,
    after_key: &str,
    limit: i64,
) -> Result<Vec<TournamentManifest>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::content::manifests(&mut conn, None, after_key, limit).await?)
}

/// Refuses a game that does not exist or lacks the level. Returns which prizes the game may have.
async fn validate_game(cx: &Cx, tournament: &TournamentManifest) -> Result<PrizeClass, Error> {
    let invalid =
        |field: &'static str, problem: String| Refused::from(InvalidContent::new(field, problem));
    let id = store::content::game_id(&tournament.game);
    let Some(game) = cx.games.find(id).await? else {
        return Err(invalid("game", "is the key of no game".to_owned()).into());
    };
    if tournament.level.unsigned_abs() >= game.levels {
        let problem = format!("is below {}, the number of the game's levels", game.levels);
        return Err(invalid("level", problem).into());
    }
    Ok(game.prize_class)
}
