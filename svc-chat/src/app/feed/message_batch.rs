//! Messages that many streams send together.

use std::{
    iter,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;

use crate::domain::Message;

/// Messages of a batch at most.
const MESSAGES: usize = 16;
/// Bytes of text of a batch of several messages at most: the queues of a stream are bounded by
/// their batches.
const TEXT: usize = 16 * 1024;

/// Messages of a room that follow each other, and their encoded forms, which the first stream
/// makes for all. Never empty.
#[derive(Debug)]
pub(crate) struct MessageBatch {
    messages: Vec<Message>,
    encoded: OnceLock<Vec<Bytes>>,
}

impl MessageBatch {
    /// All the messages, which follow each other, in batches.
    pub(crate) fn split(messages: Vec<Message>) -> impl Iterator<Item = Arc<Self>> + Send {
        let mut left = messages.into_iter().peekable();
        iter::from_fn(move || {
            let first = left.next()?;
            let mut text = first.text.len();
            let mut messages = vec![first];
            while messages.len() < MESSAGES
                && let Some(next) = left.next_if(|next| text + next.text.len() <= TEXT)
            {
                text += next.text.len();
                messages.push(next);
            }
            Some(Arc::new(Self { messages, encoded: OnceLock::new() }))
        })
    }

    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The number of the first message.
    pub(crate) fn oldest(&self) -> u64 {
        self.messages.first().map_or(0, |message| message.seq)
    }

    /// The number of the last message.
    pub(crate) fn newest(&self) -> u64 {
        self.messages.last().map_or(0, |message| message.seq)
    }

    /// The encoded form of each message. All streams of a room have the same.
    pub(crate) fn encoded(&self, encode: impl FnMut(&Message) -> Bytes) -> &[Bytes] {
        self.encoded.get_or_init(|| self.messages.iter().map(encode).collect())
    }
}

#[cfg(test)]
mod tests {
    use time::OffsetDateTime;
    use types::{Clock, PlayerId, Rng};

    use super::*;
    use crate::domain::{ChatType, MessageId, RoomId};

    fn messages(texts: &[usize]) -> Vec<Message> {
        let (clock, rng) = (Clock::system(), Rng::system());
        let (room, player) = (RoomId::generate(&clock, &rng), PlayerId::generate(&clock, &rng));
        let message = |(seq, length): (u64, &usize)| Message {
            id: MessageId::generate(&clock, &rng),
            seq,
            room,
            player,
            chat_type: ChatType::Text,
            text: "x".repeat(*length),
            created_at: OffsetDateTime::UNIX_EPOCH,
            removal: None,
        };
        (1..).zip(texts).map(message).collect()
    }

    /// The numbers of each batch.
    fn batches(texts: &[usize]) -> Vec<Vec<u64>> {
        let batches = MessageBatch::split(messages(texts));
        batches.map(|batch| batch.messages().iter().map(|message| message.seq).collect()).collect()
    }

    #[test]
    fn a_batch_has_up_to_16_messages() {
        assert_eq!(batches(&[]), Vec::<Vec<u64>>::new());
        assert_eq!(batches(&[5; 16]), [Vec::from_iter(1..=16)]);
        assert_eq!(batches(&[5; 18]), [Vec::from_iter(1..=16), vec![17, 18]]);
    }

    #[test]
    fn long_texts_are_in_batches_of_16_kib_or_alone() {
        assert_eq!(batches(&[TEXT + 1, 5, TEXT - 5, 1]), [vec![1], vec![2, 3], vec![4]]);
    }
}
