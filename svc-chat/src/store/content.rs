//! The content that operators publish: tables `room` and `contact_setting`.

use mesh::db::statement;
use serde_json::{Value, json};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Key, content_id};

use crate::domain::{ContactName, ContactSetting, ContentKind, RoomManifest};

/// Most rooms in one reply.
const LIMIT: i64 = 1_000;

/// A manifest in the audit.
pub(crate) trait Audit {
    fn audit(&self) -> Value;
}

impl Audit for RoomManifest {
    fn audit(&self) -> Value {
        json!({"name": self.name, "icon": self.icon, "game": self.game.as_ref().map(Key::as_str)})
    }
}

impl Audit for ContactSetting {
    fn audit(&self) -> Value {
        json!({"value": self.value})
    }
}

/// The rooms as operators write them, or the one with this key.
#[statement]
pub(crate) async fn rooms(
    conn: &mut PgConnection,
    key: Option<&Key>,
) -> sqlx::Result<Vec<RoomManifest>> {
    let rows = sqlx::query!(
        "SELECT chat_room_uid, name, icon, game FROM room
         WHERE chat_room_uid = COALESCE($1, chat_room_uid) ORDER BY chat_room_uid LIMIT $2",
        key.map(Key::as_str),
        LIMIT
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let key =
                |text: String| Key::parse(&text).map_err(|error| sqlx::Error::Decode(error.into()));
            Ok(RoomManifest {
                key: key(row.chat_room_uid)?,
                name: row.name,
                icon: row.icon,
                game: row.game.map(key).transpose()?,
            })
        })
        .collect()
}

/// Opens or changes a room. A room that was removed before has its messages again.
#[statement]
pub(crate) async fn put_room(conn: &mut PgConnection, room: &RoomManifest) -> sqlx::Result<()> {
    let id = content_id(ContentKind::ChatRoom.into(), room.key.as_str());
    sqlx::query!("DELETE FROM removed_room WHERE room_id = $1", id).execute(&mut *conn).await?;
    sqlx::query!(
        "INSERT INTO room (id, chat_room_uid, name, icon, game) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT ON CONSTRAINT room_uid
         DO UPDATE SET name = EXCLUDED.name, icon = EXCLUDED.icon, game = EXCLUDED.game",
        id,
        room.key.as_str(),
        room.name,
        room.icon,
        room.game.as_ref().map(Key::as_str)
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a room with its memberships; false if there is none. The room's messages are kept in
/// case it is opened again.
#[statement]
pub(crate) async fn delete_room(
    conn: &mut PgConnection,
    key: &Key,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    // A player who joins meanwhile waits for the lock on the room's row, and then finds no row.
    let find = sqlx::query_scalar!(
        "SELECT id FROM room WHERE chat_room_uid = $1 FOR UPDATE",
        key.as_str()
    );
    let Some(id) = find.fetch_optional(&mut *conn).await? else { return Ok(false) };
    sqlx::query!("DELETE FROM membership WHERE room_id = $1", id).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM room WHERE id = $1", id).execute(&mut *conn).await?;
    sqlx::query!(
        "INSERT INTO removed_room (room_id, removed_at) VALUES ($1, $2)
         ON CONFLICT (room_id) DO UPDATE SET removed_at = excluded.removed_at",
        id,
        now
    )
    .execute(conn)
    .await?;
    Ok(true)
}

/// The contact settings, in the order to show them.
#[statement]
pub(crate) async fn contact_settings(conn: &mut PgConnection) -> sqlx::Result<Vec<ContactSetting>> {
    let rows = sqlx::query!("SELECT name, value FROM contact_setting").fetch_all(conn).await?;
    let mut settings = Vec::with_capacity(rows.len());
    for row in rows {
        let name = ContactName::parse(&row.name);
        let name = name.map_err(|error| sqlx::Error::Decode(error.into()))?;
        settings.push(ContactSetting { name, value: row.value });
    }
    settings.sort_unstable_by_key(|setting| setting.name);
    Ok(settings)
}

#[statement]
pub(crate) async fn put_contact_setting(
    conn: &mut PgConnection,
    setting: &ContactSetting,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO contact_setting (name, value) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value",
        <&str>::from(setting.name),
        setting.value
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes a contact setting; false if there is none.
#[statement]
pub(crate) async fn delete_contact_setting(
    conn: &mut PgConnection,
    name: ContactName,
) -> sqlx::Result<bool> {
    let deleted = sqlx::query!("DELETE FROM contact_setting WHERE name = $1", <&str>::from(name))
        .execute(conn)
        .await?;
    Ok(deleted.rows_affected() == 1)
}
