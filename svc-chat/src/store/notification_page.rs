//! Pages of table `notification`.

use std::iter::zip;

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::{Page, PlayerId};

use super::{JsonText, packed::Packed};
use crate::domain::{Kind, Notification, NotificationId};

/// A page of a player's notifications that is asked for.
pub(crate) struct AskedInbox {
    pub(crate) player: PlayerId,
    /// The page begins before this one; before none, with the newest.
    pub(crate) before: Option<NotificationId>,
    pub(crate) page: Page,
}

/// A page as columns of its notifications; `None` without any.
struct Row {
    /// Its place among those that were asked for, from 1.
    place: i64,
    ids: Option<Packed<Uuid>>,
    kinds: Option<Vec<String>>,
    params: Option<Vec<JsonText>>,
    times: Option<Packed<OffsetDateTime>>,
    read: Option<Vec<bool>>,
}

/// Pages of notifications, newest first: one for each that was asked for, in their order.
///
/// One statement for all, and one row for each page, as
/// [`message_page::list`](super::message_page::list) has it.
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
        r#"SELECT place AS "place!", ids AS "ids: Packed<Uuid>", kinds,
                  params AS "params: Vec<JsonText>", times AS "times: Packed<OffsetDateTime>", read
           FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[])
                   WITH ORDINALITY AS asked (player_id, before, most, skipped, place)
               CROSS JOIN LATERAL (
                   SELECT string_agg(uuid_send(id), '') AS ids, array_agg(kind) AS kinds,
                          array_agg(params) AS params,
                          string_agg(timestamptz_send(occurred_at), '') AS times,
                          array_agg(read_at IS NOT NULL) AS read
                   FROM (SELECT id, kind, params, occurred_at, read_at FROM notification
                         WHERE notification.player_id = asked.player_id AND id < before
                         ORDER BY id DESC LIMIT most OFFSET skipped) AS notification
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
            *inbox = row.into_inbox();
        }
    }
    Ok(inboxes)
}

impl Row {
    fn into_inbox(self) -> Vec<Notification> {
        let (Some(ids), Some(kinds), Some(params), Some(times), Some(read)) =
            (self.ids, self.kinds, self.params, self.times, self.read)
        else {
            return Vec::new();
        };
        let kinds = zip(ids.0, kinds);
        let states = zip(times.0, read);
        let mut inbox = Vec::with_capacity(params.len());
        // All columns have one length, because each has a value for every notification.
        for (((id, kind), (occurred_at, read)), params) in zip(zip(kinds, states), params) {
            inbox.push(Notification {
                id: id.into(),
                kind: kind.parse::<Kind>().ok(),
                params_json: params.0,
                occurred_at,
                read,
            });
        }
        inbox
    }
}
