//! Pages of table `notification`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use types::{Page, PlayerId};

use crate::domain::{Kind, Notification, NotificationId};

/// A page of a player's notifications that is asked for.
pub(crate) struct AskedInbox {
    pub(crate) player: PlayerId,
    /// The page begins before this one; before none, with the newest.
    pub(crate) before: Option<NotificationId>,
    pub(crate) page: Page,
}

/// Pages of notifications, newest first: one for each that was asked for, in their order.
///
/// One statement for all, because the statement costs more than the notifications of one page.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    asked: &[AskedInbox],
) -> sqlx::Result<Vec<Vec<Notification>>> {
    let players: Vec<Uuid> = asked.iter().map(|inbox| inbox.player.uuid()).collect();
    let before = |inbox: &AskedInbox| inbox.before.map_or(Uuid::max(), NotificationId::uuid);
    let before: Vec<Uuid> = asked.iter().map(before).collect();
    let limits: Vec<i64> = asked.iter().map(|inbox| inbox.page.limit()).collect();
    let offsets: Vec<i64> = asked.iter().map(|inbox| inbox.page.offset()).collect();
    let rows = sqlx::query!(
        r#"SELECT place AS "place!", id, kind, params::text AS "params_json!",
                  occurred_at, read_at IS NOT NULL AS "read!"
           FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[])
                   WITH ORDINALITY AS asked (player_id, before, most, skipped, place)
               CROSS JOIN LATERAL (
                   SELECT id, kind, params, occurred_at, read_at FROM notification
                   WHERE notification.player_id = asked.player_id AND id < before
                   ORDER BY id DESC LIMIT most OFFSET skipped
               ) AS notification"#,
        &players,
        &before,
        &limits,
        &offsets
    )
    .fetch_all(conn)
    .await?;
    let mut inboxes: Vec<Vec<Notification>> = asked.iter().map(|_| Vec::new()).collect();
    for row in rows {
        let place = usize::try_from(row.place - 1).unwrap_or(usize::MAX);
        let Some(inbox) = inboxes.get_mut(place) else { continue };
        inbox.push(Notification {
            id: row.id.into(),
            kind: row.kind.parse::<Kind>().ok(),
            params_json: row.params_json,
            occurred_at: row.occurred_at,
            read: row.read,
        });
    }
    // They come in the order of the key, but no statement without ORDER BY promises it.
    for inbox in &mut inboxes {
        inbox.sort_by_key(|notification| std::cmp::Reverse(notification.id.uuid()));
    }
    Ok(inboxes)
}
