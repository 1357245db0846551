//! Applies the tournaments that operators publish.

use std::cmp::Reverse;

use mesh::{auth::Operator, instrument};
use serde_json::Value;
use sqlx::PgConnection;
use time::Duration;
use types::{Change, InvalidContent, Key, Money};

use super::Cx;
use crate::{
    domain::{TournamentManifest, total_cash},
    error::{Error, Refused},
    store::{self, content::Audited},
};

/// How long a proposal can be confirmed.
const PROPOSED_FOR: Duration = Duration::days(7);

/// The operator who applies a manifest, and whether the call is a dry run.
pub(crate) struct Application {
    pub(crate) operator: Operator,
    pub(crate) dry_run: bool,
}

/// Creates or changes a tournament. A manifest with much cash takes effect when a second operator
/// applies it too; the call of the first operator stores a proposal, and is refused with
/// [`Refused::NeedsSecondOperator`].
#[instrument(name = "tournament.apply_tournament", skip_all,
    fields(content.key = tournament.key.as_str()))]
pub(crate) async fn apply_tournament(
    cx: &Cx,
    by: &Application,
    mut tournament: TournamentManifest,
) -> Result<Change, Error> {
    tournament.validate().map_err(Refused::from)?;
    validate_game(cx, &tournament).await?;
    tournament.awards.sort_by_key(|award| (award.position, Reverse(award.tier)));
    let mut tx = cx.db.begin().await?;
    store::content::lock(&mut tx).await?;
    let id = store::content::tournament_id(&tournament.key);
    let locked = store::content::lock_tournament(&mut tx, id).await?;
    let known = store::content::manifests(&mut tx, Some(id), "", 1).await?.pop();
    let now = cx.clock.now();
    let change = match &known {
        None => Change::Created,
        Some(known) if *known == tournament => Change::Unchanged,
        Some(known) => {
            if locked.is_some_and(|(closed, _)| closed) {
                tournament.validate_change_after_close(known).map_err(Refused::from)?;
            } else if known.starts <= now {
                tournament.validate_change_after_start(known, now).map_err(Refused::from)?;
            }
            Change::Updated
        }
    };
    if change == Change::Unchanged || by.dry_run {
        return Ok(change);
    }
    let (key, content) = (&tournament.key, store::content::audited(&tournament));
    if !is_confirmed(cx, &mut tx, by, &tournament, &content).await? {
        store::content::propose(&mut tx, audited(cx, by, (key, change), Some(content))).await?;
        tx.commit().await?;
        return Err(Refused::NeedsSecondOperator.into());
    }
    store::content::put(&mut tx, &tournament, &cx.rng.bytes::<32>()).await?;
    store::content::audit(&mut tx, audited(cx, by, (key, change), Some(content))).await?;
    tx.commit().await?;
    Ok(change)
}

/// Whether the operator may apply the tournament: alone, because its cash and that of the operator's
/// other tournaments of a day is little; or because another operator has proposed the same.
async fn is_confirmed(
    cx: &Cx,
    conn: &mut PgConnection,
    by: &Application,
    tournament: &TournamentManifest,
    content: &Value,
) -> Result<bool, Error> {
    let (key, operator, now) = (&tournament.key, by.operator.name(), cx.clock.now());
    let cash = total_cash(&tournament.awards).0.unwrap_or_default();
    if cash == Money::ZERO {
        return Ok(true);
    }
    let others = store::content::cash_since(conn, key, operator, now - Duration::DAY).await?;
    let is_little = cash.checked_add(others).is_some_and(|day| day <= cx.cash_alone_a_day);
    if cash <= cx.cash_confirmed_over && is_little {
        return Ok(true);
    }
    Ok(store::content::is_proposed(conn, key, content, operator, now - PROPOSED_FOR).await?)
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
    store::content::lock(&mut tx).await?;
    let Some((_, settled)) = store::content::lock_tournament(&mut tx, id).await? else {
        return Ok(Change::Unchanged);
    };
    if !settled {
        store::content::lock_standings(&mut tx).await?;
        if store::standing::exists(&mut tx, id).await? {
            return Err(Refused::TournamentHasScores.into());
        }
    }
    if !by.dry_run {
        store::content::delete(&mut tx, id).await?;
        store::content::audit(&mut tx, audited(cx, by, (key, Change::Deleted), None)).await?;
        tx.commit().await?;
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

/// Refuses a game that does not exist or lacks the level.
async fn validate_game(cx: &Cx, tournament: &TournamentManifest) -> Result<(), Error> {
    let invalid =
        |field: &'static str, problem: String| Refused::from(InvalidContent::new(field, problem));
    let id = store::content::game_id(&tournament.game);
    let Some(levels) = cx.games.levels(id).await? else {
        return Err(invalid("game", "is the key of no game".to_owned()).into());
    };
    if tournament.level.unsigned_abs() >= levels {
        let problem = format!("is below {levels}, the number of the game's levels");
        return Err(invalid("level", problem).into());
    }
    Ok(())
}

fn audited<'a>(
    cx: &Cx,
    by: &'a Application,
    (key, change): (&'a Key, Change),
    content: Option<Value>,
) -> Audited<'a> {
    let at = cx.clock.now();
    let operator = by.operator.name();
    Audited { id: cx.rng.uuid_v7(at), operator, key, change, content, at }
}
