//! A message that many streams send.

use std::{ops::Deref, sync::OnceLock};

use bytes::Bytes;

use crate::domain::Message;

/// A message of a room, and its encoded form, which the first stream makes for all.
#[derive(Debug)]
pub(crate) struct SharedMessage {
    message: Message,
    encoded: OnceLock<Bytes>,
}

impl SharedMessage {
    /// The encoded form. All streams of a room have the same.
    pub(crate) fn encoded(&self, encode: impl FnOnce(&Message) -> Bytes) -> Bytes {
        self.encoded.get_or_init(|| encode(&self.message)).clone()
    }
}

impl From<Message> for SharedMessage {
    fn from(message: Message) -> Self {
        Self { message, encoded: OnceLock::new() }
    }
}

impl Deref for SharedMessage {
    type Target = Message;

    fn deref(&self) -> &Message {
        &self.message
    }
}
