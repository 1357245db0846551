//! Content that operators write: tables `game`, `event` and `tv_item`, the three kinds in files
//! of their own.

mod event;
mod game;
mod tv_item;

use mesh::db::statement;
use serde_json::Value;
use sqlx::{PgConnection, types::Uuid};
use types::{Key, content_id};

use crate::domain::ContentKind;

pub(crate) use self::{
    event::{events, put_event},
    game::{games, proof_operators, put_game},
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
