//! What operators write: tables `game`, `event`, `tv_item` and `content_change`.

use mesh::db::statement;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;

use super::decoded;
use crate::domain::{
    Change, ContentKind, EventManifest, GameManifest, Key, RulesHash, TvItemManifest,
};

/// Most manifests of a kind in one reply.
const LIMIT: i64 = 1_000;

/// The id that players see. It follows from kind and key, so that content can refer to
/// other content, and is the same in every database.
pub(crate) fn id(kind: ContentKind, key: &Key) -> Uuid {
    let digest = Sha256::digest(format!("{kind}/{}", key.as_str()));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    types::uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// A manifest in the audit.
pub(crate) trait Audit {
    fn audit(&self) -> Value;
}

impl Audit for GameManifest {
    fn audit(&self) -> Value {
        json!({
            "name": self.name,
            "packageId": self.package_id,
            "description": self.description,
            "gameIcon": self.game_icon,
            "trailerLink": self.trailer_link,
            "gameUrl": self.game_url,
            "featured": self.featured,
            "world": self.world,
            "levels": self.levels,
            "rulesSha256": self.rules.map(|rules| rules.to_string()),
        })
    }
}

impl Audit for EventManifest {
    fn audit(&self) -> Value {
        json!({
            "title": self.title,
            "description": self.description,
            "eventBannerUrl": self.event_banner_url,
            "createdAt": self.created_at.unix_timestamp(),
        })
    }
}

impl Audit for TvItemManifest {
    fn audit(&self) -> Value {
        json!({
            "title": self.title,
            "channelUrl": self.channel_url,
            "primary": self.is_primary,
            "createdAt": self.created_at.unix_timestamp(),
        })
    }
}

/// A change, for the audit.
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

/// Lets one transaction at a time change content.
#[statement]
pub(crate) async fn lock(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtext('content'))").execute(conn).await?;
    Ok(())
}

#[statement]
pub(crate) async fn put_game(conn: &mut PgConnection, game: &GameManifest) -> sqlx::Result<()> {
    let bundled = || format!("/play/{}/", game.key.as_str());
    let url = game.game_url.clone().unwrap_or_else(bundled);
    sqlx::query!(
        "INSERT INTO game (id, key, name, package_id, description, game_icon, trailer_link,
             game_url, featured, world, levels, rules_sha256)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         ON CONFLICT (id) DO UPDATE
         SET name = EXCLUDED.name, package_id = EXCLUDED.package_id,
             description = EXCLUDED.description, game_icon = EXCLUDED.game_icon,
             trailer_link = EXCLUDED.trailer_link, game_url = EXCLUDED.game_url,
             featured = EXCLUDED.featured, world = EXCLUDED.world, levels = EXCLUDED.levels,
             rules_sha256 = EXCLUDED.rules_sha256",
        id(ContentKind::Game, &game.key),
        game.key.as_str(),
        game.name,
        game.package_id,
        game.description,
        game.game_icon,
        game.trailer_link,
        url,
        game.featured,
        game.world,
        game.levels,
        game.rules.map(|rules| rules.0.to_vec())
    )
    .execute(conn)
    .await?;
    Ok(())
}

#[statement]
pub(crate) async fn put_event(conn: &mut PgConnection, event: &EventManifest) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO event (id, key, title, description, event_banner_url, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO UPDATE
         SET title = EXCLUDED.title, description = EXCLUDED.description,
             event_banner_url = EXCLUDED.event_banner_url, created_at = EXCLUDED.created_at",
        id(ContentKind::Event, &event.key),
        event.key.as_str(),
        event.title,
        event.description,
        event.event_banner_url,
        event.created_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A primary video takes that from the one before.
#[statement]
pub(crate) async fn put_tv_item(
    conn: &mut PgConnection,
    item: &TvItemManifest,
) -> sqlx::Result<()> {
    let id = id(ContentKind::TvItem, &item.key);
    if item.is_primary {
        sqlx::query!("UPDATE tv_item SET is_primary = false WHERE is_primary AND id <> $1", id)
            .execute(&mut *conn)
            .await?;
    }
    sqlx::query!(
        "INSERT INTO tv_item (id, key, title, channel_url, is_primary, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO UPDATE
         SET title = EXCLUDED.title, channel_url = EXCLUDED.channel_url,
             is_primary = EXCLUDED.is_primary, created_at = EXCLUDED.created_at",
        id,
        item.key.as_str(),
        item.title,
        item.channel_url,
        item.is_primary,
        item.created_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a thing; false if there is none.
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

struct GameRow {
    key: String,
    name: String,
    package_id: String,
    description: String,
    game_icon: String,
    trailer_link: Option<String>,
    game_url: String,
    featured: bool,
    world: String,
    levels: i32,
    rules_sha256: Option<Vec<u8>>,
}

impl TryFrom<GameRow> for GameManifest {
    type Error = sqlx::Error;

    fn try_from(row: GameRow) -> sqlx::Result<Self> {
        let rules = row.rules_sha256.map(|hash| decoded(hash.as_slice().try_into()));
        Ok(Self {
            key: decoded(Key::parse(&row.key))?,
            name: row.name,
            package_id: row.package_id,
            description: row.description,
            game_icon: row.game_icon,
            trailer_link: row.trailer_link,
            game_url: (!row.game_url.starts_with('/')).then_some(row.game_url),
            featured: row.featured,
            world: row.world,
            levels: row.levels,
            rules: rules.transpose()?.map(RulesHash),
        })
    }
}

/// The games as operators write them, or the one with this id.
#[statement]
pub(crate) async fn games(
    conn: &mut PgConnection,
    id: Option<Uuid>,
) -> sqlx::Result<Vec<GameManifest>> {
    let rows = sqlx::query_as!(
        GameRow,
        "SELECT key, name, package_id, description, game_icon, trailer_link, game_url, featured,
             world, levels, rules_sha256
         FROM game WHERE id = COALESCE($1, id) ORDER BY key LIMIT $2",
        id,
        LIMIT
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// The events as operators write them, or the one with this id.
#[statement]
pub(crate) async fn events(
    conn: &mut PgConnection,
    id: Option<Uuid>,
) -> sqlx::Result<Vec<EventManifest>> {
    let rows = sqlx::query!(
        "SELECT key, title, description, event_banner_url, created_at
         FROM event WHERE id = COALESCE($1, id) ORDER BY key LIMIT $2",
        id,
        LIMIT
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(EventManifest {
                key: decoded(Key::parse(&row.key))?,
                title: row.title,
                description: row.description,
                event_banner_url: row.event_banner_url,
                created_at: row.created_at,
            })
        })
        .collect()
}

/// The videos as operators write them, or the one with this id.
#[statement]
pub(crate) async fn tv_items(
    conn: &mut PgConnection,
    id: Option<Uuid>,
) -> sqlx::Result<Vec<TvItemManifest>> {
    let rows = sqlx::query!(
        "SELECT key, title, channel_url, is_primary, created_at
         FROM tv_item WHERE id = COALESCE($1, id) ORDER BY key LIMIT $2",
        id,
        LIMIT
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(TvItemManifest {
                key: decoded(Key::parse(&row.key))?,
                title: row.title,
                channel_url: row.channel_url,
                is_primary: row.is_primary,
                created_at: row.created_at,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_follows_from_kind_and_key() {
        let key = Key::parse("ajua").expect("a key");
        assert_eq!(id(ContentKind::Game, &key), id(ContentKind::Game, &key));
        assert_ne!(id(ContentKind::Game, &key), id(ContentKind::Event, &key));
    }
}
