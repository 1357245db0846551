//! A page of a room's messages.

use mesh::{
    Fault,
    batch::{Batcher, Work},
    db::Pool,
    instrument,
};
use types::PlayerId;

use super::{Cx, find_room::find_room};
use crate::{
    domain::{Message, MessagePage, RoomId},
    error::{Error, Refused},
    store::{
        self,
        message_page::{AskedPage, Page},
    },
};

/// A page, and what there is in all.
pub(crate) struct Messages {
    pub(crate) room: RoomId,
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
    let asked = AskedPage { room, reader: player, range: page.range() };
    let found = cx.message_reader.call(asked).await?;
    let Page { messages, newest } = found.ok_or(Refused::NotAMember)?;
    Ok(Messages { room, content: messages, total_pages: page.total(newest), newest })
}

/// Pages of messages that are asked for at the same time, read together. Cheap to clone.
pub(crate) type MessageReader = Batcher<MessagePages>;

/// Reads pages of messages; see [`store::message_page::list`].
pub(crate) struct MessagePages(pub(crate) Pool);

impl Work for MessagePages {
    type Item = AskedPage;
    /// A reader's second look at a page is in another batch, which costs nothing.
    type Key = (RoomId, PlayerId, u64, u64);
    /// `None` for one who is no member.
    type Reply = Option<Page>;
    type Error = Error;

    const NAME: &'static str = "read messages";
    const AT_ONCE: usize = 1;
    const MOST: usize = 16;

    fn key(asked: &AskedPage) -> Self::Key {
        (asked.room, asked.reader, *asked.range.start(), *asked.range.end())
    }

    #[instrument(name = "chat.read_messages", skip_all, fields(count = asked.len()))]
    async fn run(&self, asked: &[AskedPage]) -> Result<Vec<Option<Page>>, Error> {
        let mut conn = self.0.acquire().await?;
        Ok(store::message_page::list(&mut conn, asked).await?)
    }

    fn is_of_one_item(_: &Error) -> bool {
        false
    }

    /// The first call has the cause, for its log line.
    fn for_another(_: &Error) -> Error {
        Fault::unavailable().into()
    }
}
