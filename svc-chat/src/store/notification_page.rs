//! Pages of table `notification`.

use std::cmp::Reverse;

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::{Page, PlayerId};

use super::JsonText;
use crate::domain::{Notification, NotificationId, NotificationKind};

/// A request for a page of a player's notifications.
pub(crate) struct AskedInbox {
    pub(crate) player: PlayerId,
    /// The page begins after this notification, with older ones; without it, with the newest.
    pub(crate) before: Option<NotificationId>,
    pub(crate) page: Page,
}

/// A notification of a page.
struct Row {
    /// The place of the row's page among the requested pages, from 1.
    place: i64,
    id: Uuid,
    kind: String,
    params: JsonText,
    occurred_at: OffsetDateTime,
    read: bool,
}

/// Reads pages of notifications, newest first: one page for each request, in order.
///
/// One statement reads all pages, as in [`message_page::list`](super::message_page::list).
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
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT place AS "place!", id, kind, params AS "params: JsonText", occurred_at,
                  read AS "read!"
           FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[])
                   WITH ORDINALITY AS asked (player_id, before, most, skipped, place)
               CROSS JOIN LATERAL (
                   SELECT id, kind, params, occurred_at, read_at IS NOT NULL AS read
                   FROM notification
                   WHERE notification.player_id = asked.player_id AND id < before
                   ORDER BY id DESC LIMIT most OFFSET skipped
               ) AS page"#,
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
        if let Some(inbox) = inboxes.get_mut(place) {
            inbox.push(row.into_notification());
        }
    }
    for inbox in &mut inboxes {
        inbox.sort_by_key(|notification| Reverse(notification.id));
    }
    Ok(inboxes)
}

impl Row {
    fn into_notification(self) -> Notification {
        Notification {
            id: self.id.into(),
            kind: self.kind.parse::<NotificationKind>().ok(),
            params_json: self.params.0,
            occurred_at: self.occurred_at,
            read: self.read,
        }
    }
}
