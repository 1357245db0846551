//! Pages of table `message`, as their readers see them.

use std::ops::RangeInclusive;

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use super::{Parsed, message::saturating};
use crate::domain::{ChatType, Message, RoomId};

/// A page of a room's messages that a player asks for.
pub(crate) struct AskedPage {
    pub(crate) room: RoomId,
    pub(crate) reader: PlayerId,
    /// The numbers of the page's messages.
    pub(crate) range: RangeInclusive<u64>,
}

/// A page of a room, for one of its members.
pub(crate) struct Page {
    /// The page's messages, in their order.
    pub(crate) messages: Vec<Message>,
    /// The number of the room's newest message; 0 without messages.
    pub(crate) newest: u64,
}

/// A message of a page, or the single row of an empty page.
struct Row {
    /// The place of the row's page among the requested pages, from 1.
    place: i64,
    newest: i64,
    seq: Option<i64>,
    id: Option<Uuid>,
    player_id: Option<Uuid>,
    chat_type: Option<Parsed<ChatType>>,
    content: Option<String>,
    created_at: Option<OffsetDateTime>,
}

/// Reads pages of messages as their readers see them: without removed messages, and without those
/// of players whom the reader blocked. Returns one page for each request, in order; `None` for a
/// reader who is no member.
///
/// One statement for all, because the statement costs more than the messages of one page. The
/// members are found first, and each page has a limit: messages are read through their key whatever
/// the size of the table when the statement was planned, and none are read for a player who is no
/// member.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    asked: &[AskedPage],
) -> sqlx::Result<Vec<Option<Page>>> {
    let rooms: Vec<Uuid> = asked.iter().map(|page| page.room.uuid()).collect();
    let readers: Vec<Uuid> = asked.iter().map(|page| page.reader.uuid()).collect();
    let first: Vec<i64> = asked.iter().map(|page| saturating(*page.range.start())).collect();
    let last: Vec<i64> = asked.iter().map(|page| saturating(*page.range.end())).collect();
    let rows = sqlx::query_as!(
        Row,
        r#"WITH asked AS MATERIALIZED (
               SELECT one.*, (SELECT messages FROM room_sequence AS room
                              WHERE room.room_id = one.room_id AND EXISTS (
                                  SELECT FROM membership
                                  WHERE membership.room_id = one.room_id
                                      AND membership.player_id = one.reader)) AS newest
               FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[])
                   WITH ORDINALITY AS one (room_id, reader, first, last, place)
           )
           SELECT place AS "place!", newest AS "newest!", seq AS "seq?", id AS "id?",
                  player_id AS "player_id?", chat_type AS "chat_type?: Parsed<ChatType>",
                  content AS "content?", created_at AS "created_at?"
           FROM asked LEFT JOIN LATERAL (
               SELECT seq, id, player_id, chat_type, content, created_at
               FROM message
               WHERE message.room_id = asked.room_id AND seq BETWEEN first AND last
                   AND removal IS NULL
                   AND message.player_id <> ALL (ARRAY(
                       SELECT blocked_id FROM player_block
                       WHERE player_block.player_id = asked.reader))
               ORDER BY seq LIMIT last - first + 1
           ) AS page ON true
           WHERE newest IS NOT NULL"#,
        &rooms,
        &readers,
        &first,
        &last
    )
    .fetch_all(conn)
    .await?;
    let mut pages: Vec<Option<Page>> = asked.iter().map(|_| None).collect();
    for row in rows {
        let place = usize::try_from(row.place - 1).unwrap_or(usize::MAX);
        let (Some(asked), Some(page)) = (asked.get(place), pages.get_mut(place)) else { continue };
        let newest = row.newest.unsigned_abs();
        let page = page.get_or_insert_with(|| Page { messages: Vec::new(), newest });
        page.messages.extend(row.into_message(asked.room));
    }
    for page in pages.iter_mut().flatten() {
        page.messages.sort_by_key(|message| message.seq);
    }
    Ok(pages)
}

impl Row {
    /// The row's message; `None` for an empty page.
    fn into_message(self, room: RoomId) -> Option<Message> {
        Some(Message {
            id: self.id?.into(),
            room,
            seq: self.seq?.unsigned_abs(),
            player: self.player_id?.into(),
            chat_type: self.chat_type?.0,
            text: self.content?,
            created_at: self.created_at?,
            removal: None,
        })
    }
}
