//! Content that operators write: tables `game`, `event`, `tv_item` and `content_change`, the three
//! kinds in files of their own.

mod event;
mod game;
mod tv_item;

use mesh::db::statement;
use serde_json::Value;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::{Change, Key, content_id};

use crate::domain::ContentKind;

pub(crate) use self::{
    event::{events, put_event},
    game::{games, put_game},
    tv_item::{put_tv_item, tv_items},
};

/// Most manifests of a kind in one reply.
const LIMIT: i64 = 1_000;

/// The id that players see.
pub(crate) fn id(kind: ContentKind, key: &Key) -> Uuid {
    content_id(kind.into(), key.as_str())
}

/// A manifest that is written to the audit.
pub(crate) trait Audit {
    fn audit(&self) -> Value;
}

/// A change that is written to the audit.
pub(crate) struct Audited<'a> {
    pub(crate) id: Uuid,
    pub(crate) operator: &'a str,
    pub(crate) kind: ContentKind,
    pub(crate) key: &'a Key,
    pub(crate) change: Change,
    /// The manifest after the change.
    pub(crate) content: Option<Value>,
    pub(crate) at: OffsetDateTime,
}

#[statement]
pub(crate) async fn audit(conn: &mut PgConnection, change: Audited<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO content_change (id, operator, kind, key, change, content, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        change.id,
        change.operator,
        change.kind.to_string(),
        change.key.as_str(),
        change.change.to_string(),
        change.content,
        change.at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes an advisory lock, so that one transaction at a time changes content.
#[statement]
pub(crate) async fn lock(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtext('content'))").execute(conn).await?;
    Ok(())
}

/// Removes a game, an event or a video; false if it does not exist.
#[statement]
pub(crate) async fn delete(
    conn: &mut PgConnection,
    kind: ContentKind,
    id: Uuid,
) -> sqlx::Result<bool> {
    let deleted = match kind {
        ContentKind::Game => sqlx::query!("DELETE FROM game WHERE id = $1", id).execute(conn).await,
        ContentKind::Event => {
            sqlx::query!("DELETE FROM event WHERE id = $1", id).execute(conn).await
        }
        ContentKind::TvItem => {
            sqlx::query!("DELETE FROM tv_item WHERE id = $1", id).execute(conn).await
        }
    };
    Ok(deleted?.rows_affected() == 1)
}
