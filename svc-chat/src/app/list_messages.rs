//! A page of a room's messages.

use mesh::instrument;
use types::PlayerId;

use super::{Cx, find_room::find_room};
use crate::{
    domain::{Message, MessagePage},
    error::{Error, Refused},
    store,
};

/// A page, and what there is in all.
pub(crate) struct Messages {
    /// Without the removed ones, and without those of players whom the reader blocked.
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
    let mut conn = cx.db.acquire().await?;
    let (is_member, blocked) = store::safety::member_and_blocked(&mut conn, room, player).await?;
    if !is_member {
        return Err(Refused::NotAMember.into());
    }
    // Read first: a message that comes in between is on a page that this total has, or on
    // the next one.
    let state = store::room::state(&mut conn, room).await?.ok_or(Refused::RoomNotFound)?;
    let mut content =
        store::message::range(&mut conn, room, page.range(), MessagePage::MOST).await?;
    let newest = state.messages.max(content.last().map_or(0, |message| message.seq));
    content.retain(|message| !message.is_removed() && !blocked.contains(&message.player));
    Ok(Messages { content, total_pages: page.total(newest), newest })
}
