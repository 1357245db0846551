//! Reads concurrently requested pages of messages in batches.

use std::{collections::HashSet, time::Duration};

use mesh::{
    batch::{Batcher, Work},
    db::Pool,
    instrument,
};
use types::PlayerId;

use crate::{
    domain::RoomId,
    error::Error,
    store::{
        self,
        message_page::{AskedPage, Page},
    },
};

/// Batches concurrent reads of pages of messages. Cheap to clone.
pub(crate) type MessageReader = Batcher<MessagePages>;

/// Reads pages of messages; see [`store::message_page::list`].
pub(crate) struct MessagePages(pub(crate) Pool);

impl Work for MessagePages {
    type Item = AskedPage;
    /// A reader's repeated read of one page goes in another batch, which costs nothing.
    type Joined = HashSet<(RoomId, PlayerId, u64, u64)>;
    /// `None` for a reader who is no member.
    type Reply = Option<Page>;
    type Error = Error;

    const NAME: &'static str = "read messages";
    const AT_ONCE: usize = 4;
    /// Several times the duration of a batch whose pages are in memory.
    const OVERLAP_AFTER: Duration = Duration::from_millis(10);
    const MOST: usize = 16;

    fn join(asked: &AskedPage, joined: &mut Self::Joined) -> bool {
        joined.insert((asked.room, asked.reader, *asked.range.start(), *asked.range.end()))
    }

    #[instrument(name = "chat.read_messages", skip_all, fields(count = asked.len()))]
    async fn run(&self, asked: &[AskedPage]) -> Result<Vec<Option<Page>>, Error> {
        let mut conn = self.0.acquire().await?;
        Ok(store::message_page::list(&mut conn, asked).await?)
    }

    fn is_of_one_item(error: &Error) -> bool {
        store::is_of_a_row(error)
    }
}
