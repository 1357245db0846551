//! Applies the manifests that operators write.

use mesh::{
    content::{self, Application, Audited},
    instrument,
};
use serde_json::Value;
use sqlx::PgConnection;
use types::{Change, InvalidContent, Key};

use super::get_game_proof::is_confirmation;
use crate::{
    app::Cx,
    domain::{ContentKind, EventManifest, GameManifest, TvItemManifest},
    error::{Error, Refused},
    store::{self, content::Audit},
};

/// Creates or changes a game, or confirms the rules or the key that another operator has applied. Its
/// rules module has to be applied before it, or with it.
#[instrument(name = "games.apply_game", skip_all, fields(content.key = game.key.as_str()))]
pub(crate) async fn apply_game(
    cx: &Cx,
    by: &Application,
    game: &GameManifest,
    rules: Option<&[u8]>,
) -> Result<Change, Error> {
    game.validate().map_err(Refused::from)?;
    if game.score_key.is_some_and(|key| !key.is_valid()) {
        let invalid = InvalidContent::new("scoreKey", "is an Ed25519 public key");
        return Err(Refused::Content(invalid).into());
    }
    let id = store::content::id(ContentKind::Game, &game.key);
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    super::apply_rules::apply_rules(cx, &mut tx, game, rules).await?;
    let known = store::content::games(&mut tx, Some(id)).await?.pop();
    let mut change = Change::between(known.as_ref(), game);
    if change == Change::Unchanged
        && is_confirmation(&mut tx, by.operator.name(), game, rules.is_some()).await?
    {
        change = Change::Confirmed;
    }
    // Without a commit, a dry run's rules module is rolled back.
    if by.dry_run {
        return Ok(change);
    }
    if change != Change::Unchanged {
        store::content::put_game(&mut tx, game).await?;
        audit(cx, &mut tx, by, (ContentKind::Game, &game.key, change), Some(game.audit())).await?;
    }
    tx.commit().await?;
    Ok(change)
}

/// Creates or changes an event.
#[instrument(name = "games.apply_event", skip_all, fields(content.key = event.key.as_str()))]
pub(crate) async fn apply_event(
    cx: &Cx,
    by: &Application,
    event: &EventManifest,
) -> Result<Change, Error> {
    event.validate().map_err(Refused::from)?;
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let id = store::content::id(ContentKind::Event, &event.key);
    let known = store::content::events(&mut tx, Some(id)).await?.pop();
    let change = Change::between(known.as_ref(), event);
    if change != Change::Unchanged && !by.dry_run {
        store::content::put_event(&mut tx, event).await?;
        audit(cx, &mut tx, by, (ContentKind::Event, &event.key, change), Some(event.audit()))
            .await?;
        tx.commit().await?;
    }
    Ok(change)
}

/// Creates or changes a video.
#[instrument(name = "games.apply_tv_item", skip_all, fields(content.key = item.key.as_str()))]
pub(crate) async fn apply_tv_item(
    cx: &Cx,
    by: &Application,
    item: &TvItemManifest,
) -> Result<Change, Error> {
    item.validate().map_err(Refused::from)?;
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let id = store::content::id(ContentKind::TvItem, &item.key);
    let known = store::content::tv_items(&mut tx, Some(id)).await?.pop();
    let change = Change::between(known.as_ref(), item);
    if change != Change::Unchanged && !by.dry_run {
        store::content::put_tv_item(&mut tx, item).await?;
        audit(cx, &mut tx, by, (ContentKind::TvItem, &item.key, change), Some(item.audit()))
            .await?;
        tx.commit().await?;
    }
    Ok(change)
}

/// Removes a game, an event or a video. A game on which much cash depends is not removed, because no
/// run could be played for it any more.
#[instrument(name = "games.delete_content", skip_all, fields(content.key = key.as_str()))]
pub(crate) async fn delete_content(
    cx: &Cx,
    by: &Application,
    kind: ContentKind,
    key: &Key,
) -> Result<Change, Error> {
    let id = store::content::id(kind, key);
    if kind == ContentKind::Game && cx.tournaments.needs_second_operator(id.into()).await? {
        return Err(Refused::GameAtStake.into());
    }
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    if !store::content::delete(&mut tx, kind, id).await? {
        return Ok(Change::Unchanged);
    }
    audit(cx, &mut tx, by, (kind, key, Change::Deleted), None).await?;
    if !by.dry_run {
        tx.commit().await?;
    }
    Ok(Change::Deleted)
}

async fn audit(
    cx: &Cx,
    conn: &mut PgConnection,
    by: &Application,
    (kind, key, change): (ContentKind, &Key, Change),
    manifest: Option<Value>,
) -> Result<(), Error> {
    let audited = Audited { kind: kind.into(), key: key.as_str(), manifest };
    Ok(content::audit(conn, &cx.clock, &cx.rng, by, change, &audited).await?)
}
