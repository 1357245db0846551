//! A page of a room's messages.

use mesh::instrument;
use types::PlayerId;

use super::{Cx, find_room::find_room};
use crate::{
    domain::{Message, MessagePage, RoomId},
    error::{Error, Refused},
    store::message_page::{AskedPage, Page},
};

/// A page of messages, and the number of the room's newest message.
pub(crate) struct Messages {
    pub(crate) room: RoomId,
    /// The page's messages, without removed ones and without those of players whom the reader
    /// blocked.
    pub(crate) content: Vec<Message>,
    pub(crate) total_pages: u32,
    /// The number of the newest message.
    pub(crate) newest: u64,
}

/// A page of the room's messages, in their order, for a member.
#[instrument(name = "chat.list_messages", skip_all, fields(player.id = %player))]
pub(crate) async fn list_messages(
    cx: &Cx,
    player: PlayerId,
    room: &str,
    page: MessagePage,
) -> Result<Messages, Error> {
    let room = find_room(cx, room).await?;
    let asked = AskedPage { room, reader: player, range: page.range() };
    let found = cx.message_reader.call(asked).await?;
    let Page { messages, newest } = found.ok_or(Refused::NotAMember)?;
    Ok(Messages { room, content: messages, total_pages: page.total(newest), newest })
}
