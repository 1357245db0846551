//! Tables `room` and `membership`.

use mesh::db::statement;
use sqlx::PgConnection;

use crate::domain::Room;

/// The first `limit` rooms by name, with the number of their members.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<Room>> {
    let rows = sqlx::query!(
        r#"SELECT id, chat_room_uid, name, icon,
                  (SELECT count(*) FROM membership WHERE room_id = room.id) AS "members!"
           FROM room ORDER BY name, id LIMIT $1"#,
        limit
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Room {
            id: row.id.into(),
            chat_room_uid: row.chat_room_uid,
            name: row.name,
            icon: row.icon,
            member_count: u32::try_from(row.members).unwrap_or(u32::MAX),
        })
        .collect())
}
