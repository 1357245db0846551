//! Rooms and their members, written straight into svc-chat's database.

use anyhow::{Context as _, Result};
use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};
use uuid::Uuid;

use crate::players::Players;

/// Rooms that messages are sent to.
pub(crate) const ROOMS: usize = 8;

/// The name of a room in paths.
pub(crate) fn room_uid(number: usize) -> String {
    format!("bench-{number}")
}

/// The id of a room.
pub(crate) fn room_id(number: usize) -> Uuid {
    Uuid::from_u128(0xBE << 64 | u128::try_from(number).unwrap_or_default())
}

/// A connection to svc-chat's database.
pub(crate) async fn connect(options: &PgConnectOptions) -> Result<PgConnection> {
    let conn = PgConnection::connect_with(options).await;
    conn.context("cannot connect as superuser to svc-chat's database")
}

/// Opens the rooms, with all players as members of each. A second call adds what is missing.
pub(crate) async fn open(conn: &mut PgConnection, players: &Players) -> Result<()> {
    let members: Vec<Uuid> = players.ids()?;
    for number in 0..ROOMS {
        sqlx::query(
            "INSERT INTO room (id, chat_room_uid, name, icon) VALUES ($1, $2, $2, '/icon.svg')
             ON CONFLICT DO NOTHING",
        )
        .bind(room_id(number))
        .bind(room_uid(number))
        .execute(&mut *conn)
        .await?;
        sqlx::query(
            "INSERT INTO membership (room_id, player_id, joined_at)
             SELECT $1, player, now() FROM unnest($2::uuid[]) player ON CONFLICT DO NOTHING",
        )
        .bind(room_id(number))
        .bind(&members)
        .execute(&mut *conn)
        .await?;
    }
    Ok(())
}
