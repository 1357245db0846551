//! Reads concurrently requested pages of notifications in batches.

use std::{collections::HashSet, time::Duration};

use mesh::{
    batch::{Batcher, Work},
    db::Pool,
    instrument,
};
use types::PlayerId;

use crate::{
    domain::{Notification, NotificationId},
    error::Error,
    store::{self, notification_page::AskedInbox},
};

/// Batches concurrent reads of pages of notifications. Cheap to clone.
pub(crate) type InboxReader = Batcher<Inboxes>;

/// Reads pages of notifications; see [`store::notification_page::list`].
pub(crate) struct Inboxes(pub(crate) Pool);

impl Work for Inboxes {
    type Item = AskedInbox;
    /// A player's repeated read of one page goes in another batch, which costs nothing.
    type Joined = HashSet<(PlayerId, Option<NotificationId>, i64, i64)>;
    type Reply = Vec<Notification>;
    type Error = Error;

    const NAME: &'static str = "read notifications";
    const AT_ONCE: usize = 4;
    /// Several times the duration of a batch whose pages are in memory.
    const OVERLAP_AFTER: Duration = Duration::from_millis(10);
    const MOST: usize = 16;

    fn join(AskedInbox { player, before, page }: &AskedInbox, joined: &mut Self::Joined) -> bool {
        joined.insert((*player, *before, page.limit(), page.offset()))
    }

    #[instrument(name = "chat.read_notifications", skip_all, fields(count = asked.len()))]
    async fn run(&self, asked: &[AskedInbox]) -> Result<Vec<Vec<Notification>>, Error> {
        let mut conn = self.0.acquire().await?;
        Ok(store::notification_page::list(&mut conn, asked).await?)
    }

    fn is_of_one_item(error: &Error) -> bool {
        store::is_of_a_row(error)
    }
}
