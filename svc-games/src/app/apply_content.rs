//! Applies the manifests that operators write.

use mesh::{auth::Operator, instrument};
use serde_json::Value;
use sqlx::PgConnection;
use types::{Change, InvalidContent, Key};

use crate::{
    app::Cx,
    domain::{ContentKind, EventManifest, GameManifest, TvItemManifest},
    error::{Error, Refused},
    store::{
        self,
        content::{Audit, Audited},
    },
};

/// The operator who applies a manifest, and whether it is a dry run.
pub(crate) struct Application {
    pub(crate) operator: Operator,
    pub(crate) dry_run: bool,
}

/// Creates or changes a game. Its rules module has to be applied before it, or with it.
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
    let mut tx = cx.db.begin().await?;
    store::content::lock(&mut tx).await?;
    super::apply_rules::apply_rules(cx, &mut tx, game, rules).await?;
    let id = store::content::id(ContentKind::Game, &game.key);
    let known = store::content::games(&mut tx, Some(id)).await?.pop();
    let change = Change::between(known.as_ref(), game);
    if change != Change::Unchanged && !by.dry_run {
        store::content::put_game(&mut tx, game).await?;
        audit(cx, &mut tx, by, (ContentKind::Game, &game.key, change), Some(game.audit())).await?;
    }
    // Without a commit, a dry run's rules module is rolled back.
    if !by.dry_run {
        tx.commit().await?;
    }
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
    store::content::lock(&mut tx).await?;
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
    store::content::lock(&mut tx).await?;
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

/// Removes a game, an event or a video.
#[instrument(name = "games.delete_content", skip_all, fields(content.key = key.as_str()))]
pub(crate) async fn delete_content(
    cx: &Cx,
    by: &Application,
    kind: ContentKind,
    key: &Key,
) -> Result<Change, Error> {
    let mut tx = cx.db.begin().await?;
    store::content::lock(&mut tx).await?;
    if !store::content::delete(&mut tx, kind, store::content::id(kind, key)).await? {
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
    content: Option<Value>,
) -> Result<(), Error> {
    let at = cx.clock.now();
    let audited = Audited {
        id: cx.rng.uuid_v7(at),
        operator: by.operator.name(),
        kind,
        key,
        change,
        content,
        at,
    };
    Ok(store::content::audit(conn, audited).await?)
}
