//! Messages that many streams send together.

use std::{
    iter,
    ops::Range,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;

use crate::domain::Message;

/// Messages of a batch at most.
const MESSAGES_MAX: usize = 16;
/// Bytes of text of a batch of several messages at most: the queues of a stream are bounded by
/// their batches.
const TEXT_BYTES_MAX: usize = 16 * 1024;

/// Messages of a room that follow each other, and their encoded forms, which the first stream
/// makes for all. Never empty.
#[derive(Debug)]
pub(crate) struct MessageBatch {
    messages: Vec<Message>,
    encoded: OnceLock<Vec<Bytes>>,
}

/// A part of a batch, by places in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BatchPart {
    /// Messages that the reader sees.
    Shown(Range<usize>),
    /// A message that the reader does not see.
    Hidden(usize),
}

impl MessageBatch {
    /// All the messages, which follow each other, in batches.
    pub(super) fn split(messages: Vec<Message>) -> impl Iterator<Item = Arc<Self>> + Send {
        let mut left = messages.into_iter().peekable();
        iter::from_fn(move || {
            let first = left.next()?;
            let mut text = first.text.len();
            let mut messages = vec![first];
            while messages.len() < MESSAGES_MAX
                && let Some(next) = left.next_if(|next| text + next.text.len() <= TEXT_BYTES_MAX)
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
    pub(super) fn oldest(&self) -> u64 {
        self.messages.first().map_or(0, |message| message.seq)
    }

    /// The number of the last message.
    pub(super) fn newest(&self) -> u64 {
        self.messages.last().map_or(0, |message| message.seq)
    }

    /// The messages after the cursor, in parts of at most `longest` messages.
    pub(super) fn parts_after(
        &self,
        cursor: u64,
        longest: usize,
        is_shown: impl Fn(&Message) -> bool,
    ) -> impl Iterator<Item = BatchPart> {
        let mut place = self.messages.partition_point(|message| message.seq <= cursor);
        iter::from_fn(move || {
            let left = self.messages.get(place..).filter(|left| !left.is_empty())?;
            let begin = place;
            let shown = left.iter().take(longest).take_while(|message| is_shown(message)).count();
            place += shown.max(1);
            Some(if shown == 0 { BatchPart::Hidden(begin) } else { BatchPart::Shown(begin..place) })
        })
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

    use super::{
        BatchPart::{Hidden, Shown},
        *,
    };
    use crate::domain::{ChatType, MessageId, RoomId};

    /// Messages from the number 1 on, with texts of these lengths.
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

    /// The first and the last number of each batch.
    fn batches(texts: &[usize]) -> Vec<(u64, u64)> {
        let batches = MessageBatch::split(messages(texts));
        batches.map(|batch| (batch.oldest(), batch.newest())).collect()
    }

    #[test]
    fn a_batch_has_up_to_16_messages() {
        assert_eq!(batches(&[]), []);
        assert_eq!(batches(&[5; 16]), [(1, 16)]);
        assert_eq!(batches(&[5; 18]), [(1, 16), (17, 18)]);
    }

    #[test]
    fn long_texts_are_in_batches_of_16_kib_or_alone() {
        let texts = [TEXT_BYTES_MAX + 1, 5, TEXT_BYTES_MAX - 5, 1];
        assert_eq!(batches(&texts), [(1, 1), (2, 3), (4, 4)]);
    }

    #[test]
    fn a_reader_gets_what_is_after_its_cursor_with_hidden_messages_alone() {
        let batch = MessageBatch::split(messages(&[5; 6])).next().unwrap();
        let parts = |cursor, longest, hidden: &[u64]| {
            let is_shown = |message: &Message| !hidden.contains(&message.seq);
            batch.parts_after(cursor, longest, is_shown).collect::<Vec<_>>()
        };
        assert_eq!(parts(0, 16, &[]), [Shown(0..6)]);
        assert_eq!(parts(4, 16, &[]), [Shown(4..6)]);
        assert_eq!(parts(6, 16, &[]), []);
        assert_eq!(parts(1, 16, &[1, 3, 4]), [Shown(1..2), Hidden(2), Hidden(3), Shown(4..6)]);
        assert_eq!(parts(3, 1, &[6]), [Shown(3..4), Shown(4..5), Hidden(5)]);
    }
}
