//! Applies the content that operators publish: chat rooms and contact settings.

use mesh::{
    content::{self, Application, Audited},
    instrument,
};
use serde_json::Value;
use sqlx::PgConnection;
use types::{Change, Key};

use super::Cx;
use crate::{
    domain::{ContactName, ContactSetting, ContentKind, RoomManifest},
    error::{Error, Refused},
    store::{self, content::Audit},
};

/// The content that an operator removes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ContentRef {
    ChatRoom(Key),
    ContactSetting(ContactName),
}

/// All content that operators applied, ordered by key.
pub(crate) struct Content {
    pub(crate) rooms: Vec<RoomManifest>,
    pub(crate) settings: Vec<ContactSetting>,
}

/// Creates or changes a chat room.
#[instrument(name = "chat.apply_chat_room", skip_all, fields(content.key = room.key.as_str()))]
pub(crate) async fn apply_chat_room(
    cx: &Cx,
    by: &Application,
    room: &RoomManifest,
) -> Result<Change, Error> {
    room.validate().map_err(Refused::from)?;
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let known = store::content::rooms(&mut tx, Some(&room.key)).await?.pop();
    let change = Change::between(known.as_ref(), room);
    if change != Change::Unchanged && !by.dry_run {
        store::content::put_room(&mut tx, room).await?;
        let of = (ContentKind::ChatRoom, room.key.as_str(), change);
        audit(cx, &mut tx, by, of, Some(room.audit())).await?;
        tx.commit().await?;
    }
    Ok(change)
}

/// Creates or changes a contact setting.
#[instrument(name = "chat.apply_contact_setting", skip_all, fields(content.key = %setting.name))]
pub(crate) async fn apply_contact_setting(
    cx: &Cx,
    by: &Application,
    setting: &ContactSetting,
) -> Result<Change, Error> {
    setting.validate().map_err(Refused::from)?;
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let known = store::content::contact_settings(&mut tx).await?;
    let known = known.iter().find(|known| known.name == setting.name);
    let change = Change::between(known, setting);
    if change != Change::Unchanged && !by.dry_run {
        store::content::put_contact_setting(&mut tx, setting).await?;
        let of = (ContentKind::ContactSetting, setting.name.into(), change);
        audit(cx, &mut tx, by, of, Some(setting.audit())).await?;
        tx.commit().await?;
    }
    Ok(change)
}

/// Removes a contact setting, or a room with its memberships.
#[instrument(name = "chat.delete_content", skip_all, fields(content = ?content))]
pub(crate) async fn delete_content(
    cx: &Cx,
    by: &Application,
    content: &ContentRef,
) -> Result<Change, Error> {
    let mut tx = cx.db.begin().await?;
    content::lock(&mut tx).await?;
    let (is_deleted, kind, key) = match content {
        ContentRef::ChatRoom(key) => {
            let is_deleted = store::content::delete_room(&mut tx, key, cx.clock.now()).await?;
            (is_deleted, ContentKind::ChatRoom, key.as_str())
        }
        ContentRef::ContactSetting(name) => {
            let is_deleted = store::content::delete_contact_setting(&mut tx, *name).await?;
            (is_deleted, ContentKind::ContactSetting, name.into())
        }
    };
    if !is_deleted {
        return Ok(Change::Unchanged);
    }
    audit(cx, &mut tx, by, (kind, key, Change::Deleted), None).await?;
    if !by.dry_run {
        tx.commit().await?;
    }
    Ok(Change::Deleted)
}

/// Returns all applied content.
#[instrument(name = "chat.list_content", skip_all)]
pub(crate) async fn list_content(cx: &Cx) -> Result<Content, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(Content {
        rooms: store::content::rooms(&mut conn, None).await?,
        settings: store::content::contact_settings(&mut conn).await?,
    })
}

async fn audit(
    cx: &Cx,
    conn: &mut PgConnection,
    by: &Application,
    (kind, key, change): (ContentKind, &str, Change),
    manifest: Option<Value>,
) -> Result<(), Error> {
    let audited = Audited { kind: kind.into(), key, manifest };
    Ok(content::audit(conn, &cx.clock, &cx.rng, by, change, &audited).await?)
}
