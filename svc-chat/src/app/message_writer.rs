//! Stores waiting messages in batches, across rooms. Each call gets its reply after its own message
//! is committed.

use std::collections::{HashMap, HashSet};

use mesh::{
    batch::{Batcher, Work},
    db::{self, Pool},
    instrument,
};

use crate::{
    domain::MessageId,
    error::Error,
    store::{self, message::Unstored},
};

/// Messages that wait to be stored. Cheap to clone.
///
/// A process runs one statement at a time. Senders would otherwise queue at the database for the
/// lock on a room's numbers, one transaction after the other, each with a connection. So replicas
/// wait for that lock, and not senders.
pub(crate) type MessageWriter = Batcher<NewMessages>;

/// Stores messages, with the outbox rows of those that mention players; see
/// [`store::message::insert`].
pub(crate) struct NewMessages(pub(crate) Pool);

impl Work for NewMessages {
    type Item = Unstored;
    /// Two messages with one id go in different batches, and the second is a repeat.
    type Joined = HashSet<MessageId>;
    /// The message's number; `None` for a message that is not new or that its sender may not send.
    type Reply = Option<u64>;
    type Error = Error;

    const NAME: &'static str = "store messages";
    const AT_ONCE: usize = 1;
    const MOST: usize = 100;

    fn join(unstored: &Unstored, joined: &mut HashSet<MessageId>) -> bool {
        joined.insert(unstored.message.id)
    }

    async fn run(&self, messages: &[Unstored]) -> Result<Vec<Option<u64>>, Error> {
        // Another replica may store one of the messages between the statement's check for repeats
        // and its insert. The second try finds that message.
        let numbers = match self.insert(messages).await {
            Err(Error::Conflict) => self.insert(messages).await,
            other => other,
        }?;
        Ok(messages.iter().map(|one| numbers.get(&one.message.id).copied()).collect())
    }

    fn is_of_one_item(error: &Error) -> bool {
        matches!(error, Error::Conflict)
    }
}

impl NewMessages {
    #[instrument(name = "chat.store_messages", skip_all, fields(count = messages.len()))]
    async fn insert(&self, messages: &[Unstored]) -> Result<HashMap<MessageId, u64>, Error> {
        let mut conn = self.0.acquire().await?;
        let stored = if messages.iter().any(|one| one.mention.is_some()) {
            store::message::insert_with_mentions(&mut conn, messages).await
        } else {
            store::message::insert(&mut conn, messages).await
        };
        match stored {
            Ok(numbered) => Ok(numbered.into_iter().map(|one| (one.id, one.seq)).collect()),
            Err(error) if db::violated(&error) == Some("message_id") => Err(Error::Conflict),
            Err(error) => Err(error.into()),
        }
    }
}
