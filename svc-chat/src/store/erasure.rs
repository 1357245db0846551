//! Table `erasure_progress`, and the rows that an erasure deletes.

use std::ops::RangeInclusive;

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use types::{ErasedPlayer, PlayerId};

use crate::domain::{MessageId, RoomId};

/// The progress of the erasure, for the replica that has the lease.
pub(crate) struct Progress {
    /// The last player who is erased in this service.
    pub(crate) last: Option<ErasedPlayer>,
    /// The page whose messages are being removed.
    pub(crate) page: Option<Page>,
}

/// A page of players whose messages are being removed.
pub(crate) struct Page {
    pub(crate) end: ErasedPlayer,
    /// The last room that was looked through.
    pub(crate) room: RoomId,
}

/// Takes the lease, for ten minutes; `None` while another replica has it.
#[statement]
pub(crate) async fn lease(conn: &mut PgConnection) -> sqlx::Result<Option<Progress>> {
    let row = sqlx::query!(
        "UPDATE erasure_progress SET leased_until = now() + interval '10 minutes'
         WHERE leased_until <= now()
         RETURNING last_id, last_at, page_end_id, page_end_at, room_id"
    )
    .fetch_optional(conn)
    .await?;
    let player = |id: Option<Uuid>, at| Some(ErasedPlayer { at: at?, id: id?.into() });
    Ok(row.map(|row| Progress {
        last: player(row.last_id, row.last_at),
        page: player(row.page_end_id, row.page_end_at)
            .zip(row.room_id)
            .map(|(end, room)| Page { end, room: room.into() }),
    }))
}

/// Renews the lease for ten minutes from now.
#[statement]
pub(crate) async fn renew_lease(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("UPDATE erasure_progress SET leased_until = now() + interval '10 minutes'")
        .execute(conn)
        .await?;
    Ok(())
}

/// Ends the lease.
#[statement]
pub(crate) async fn end_lease(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("UPDATE erasure_progress SET leased_until = now()").execute(conn).await?;
    Ok(())
}

/// Records that a room was looked through for the messages of a page.
#[statement]
pub(crate) async fn set_page(conn: &mut PgConnection, page: &Page) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE erasure_progress SET page_end_id = $1, page_end_at = $2, room_id = $3",
        page.end.id.uuid(),
        page.end.at,
        page.room.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Records that all players up to this one are erased in this service.
#[statement]
pub(crate) async fn end_page(conn: &mut PgConnection, last: ErasedPlayer) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE erasure_progress SET last_id = $1, last_at = $2, page_end_id = NULL,
             page_end_at = NULL, room_id = NULL",
        last.id.uuid(),
        last.at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes everything about a player except messages, evidence (reports, hidden messages, mutes and
/// the audit of operators), and rows that are swept within an hour; returns the rooms that the
/// player was a member of.
#[statement]
pub(crate) async fn erase(conn: &mut PgConnection, player: PlayerId) -> sqlx::Result<Vec<RoomId>> {
    // A test lists all columns with ids of players (`tests/it/erasure.rs`).
    let player = player.uuid();
    sqlx::query!("DELETE FROM push_subscription WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM notification_setting WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM notification WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM feedback WHERE player_id = $1", player).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM player_block WHERE player_id = $1 OR blocked_id = $1", player)
        .execute(&mut *conn)
        .await?;
    // Memberships are deleted last, because their trigger locks the counts of the rooms.
    let rooms = sqlx::query_scalar!(
        "DELETE FROM membership WHERE player_id = $1 RETURNING room_id",
        player
    )
    .fetch_all(conn)
    .await?;
    Ok(rooms.into_iter().map(Into::into).collect())
}

/// The next room that has messages, also a removed one, and the messages' first and last number.
#[statement]
pub(crate) async fn next_room(
    conn: &mut PgConnection,
    after: RoomId,
) -> sqlx::Result<Option<(RoomId, RangeInclusive<i64>)>> {
    let row = sqlx::query!(
        r#"SELECT room_id,
                  (SELECT min(seq) FROM message WHERE message.room_id = next.room_id) AS "first!",
                  (SELECT max(seq) FROM message WHERE message.room_id = next.room_id) AS "last!"
           FROM (SELECT room_id FROM message WHERE room_id > $1 ORDER BY room_id LIMIT 1)
               AS next"#,
        after.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.room_id.into(), row.first..=row.last)))
}

/// The messages of these players with numbers in a range, without the removed ones. The table has
/// no index by player, because each send would pay for it.
#[statement]
pub(crate) async fn messages_of(
    conn: &mut PgConnection,
    players: &[PlayerId],
    room: RoomId,
    range: RangeInclusive<i64>,
) -> sqlx::Result<Vec<(MessageId, PlayerId)>> {
    let players: Vec<Uuid> = players.iter().map(|player| player.uuid()).collect();
    let rows = sqlx::query!(
        "SELECT id, player_id FROM message
         WHERE room_id = $1 AND seq BETWEEN $2 AND $3 AND player_id = ANY ($4)
             AND removal IS NULL",
        room.uuid(),
        *range.start(),
        *range.end(),
        &players
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id.into(), row.player_id.into())).collect())
}
