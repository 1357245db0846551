//! Pages of table `message`, as their readers see them.

use std::{iter::zip, ops::RangeInclusive};

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use super::{
    message::saturating,
    packed::{Listed, Packed},
};
use crate::domain::{ChatType, Message, RoomId};

/// A page of a room's messages that a player asks for.
pub(crate) struct AskedPage {
    pub(crate) room: RoomId,
    pub(crate) reader: PlayerId,
    /// The numbers of its messages.
    pub(crate) range: RangeInclusive<u64>,
}

/// A page of a room, for one of its members.
pub(crate) struct Page {
    /// In their order.
    pub(crate) messages: Vec<Message>,
    /// The number of the room's newest message; 0 without one.
    pub(crate) newest: u64,
}

/// A page as columns of its messages; `None` without any.
struct Row {
    /// Its place among those that were asked for, from 1.
    place: i64,
    newest: i64,
    seqs: Option<Packed<i64>>,
    ids: Option<Packed<Uuid>>,
    players: Option<Packed<Uuid>>,
    chat_types: Option<Listed<ChatType>>,
    contents: Option<Vec<String>>,
    times: Option<Packed<OffsetDateTime>>,
}

/// What readers see of their rooms' messages: not the removed ones, and not those of players whom
/// the reader blocked. One page for each that was asked for, in their order; `None` for one who
/// is no member.
///
/// One statement for all, because the statement costs more than the messages of one page, and one
/// row for each page, because sqlx takes longer for 50 rows than PostgreSQL for columns of them.
/// The members are found first: messages are read through their key whatever the size of the
/// table when the statement was planned, and none are for a stranger.
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
           SELECT place AS "place!", newest AS "newest!", seqs AS "seqs: Packed<i64>",
                  ids AS "ids: Packed<Uuid>", players AS "players: Packed<Uuid>",
                  chat_types AS "chat_types: Listed<ChatType>", contents,
                  times AS "times: Packed<OffsetDateTime>"
           FROM asked CROSS JOIN LATERAL (
               SELECT string_agg(int8send(seq), '') AS seqs,
                      string_agg(uuid_send(id), '') AS ids,
                      string_agg(uuid_send(player_id), '') AS players,
                      string_agg(chat_type, ',') AS chat_types,
                      array_agg(content) AS contents,
                      string_agg(timestamptz_send(created_at), '') AS times
               FROM message
               WHERE message.room_id = asked.room_id AND seq BETWEEN first AND last
                   AND removal IS NULL
                   AND message.player_id <> ALL (ARRAY(
                       SELECT blocked_id FROM player_block
                       WHERE player_block.player_id = asked.reader))
           ) AS page
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
        *page = Some(row.into_page(asked.room));
    }
    Ok(pages)
}

impl Row {
    fn into_page(self, room: RoomId) -> Page {
        let newest = self.newest.unsigned_abs();
        let (Some(seqs), Some(ids), Some(players), Some(chat_types), Some(texts), Some(times)) =
            (self.seqs, self.ids, self.players, self.chat_types, self.contents, self.times)
        else {
            return Page { messages: Vec::new(), newest };
        };
        let places = zip(seqs.0, ids.0);
        let origins = zip(players.0, times.0);
        let contents = zip(chat_types.0, texts);
        let mut messages = Vec::with_capacity(contents.len());
        // All columns have one length, because none is null for a message.
        for (((seq, id), (player, created_at)), (chat_type, text)) in
            zip(zip(places, origins), contents)
        {
            messages.push(Message {
                id: id.into(),
                room,
                seq: seq.unsigned_abs(),
                player: player.into(),
                chat_type,
                text,
                created_at,
                removal: None,
            });
        }
        // PostgreSQL reads them in the order of their rows, and would take longer to sort them.
        messages.sort_by_key(|message| message.seq);
        Page { messages, newest }
    }
}
