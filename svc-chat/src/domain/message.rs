//! The message of a room.

use std::ops::RangeInclusive;

use thiserror::Error;
use time::OffsetDateTime;
use types::{
    PlayerId, derived_id,
    writing::{self, WritingError},
};

use super::{ChatType, RoomId, chat_media};

types::id! {
    /// Identifies a message.
    pub(crate) MessageId: "message"
}

/// Longest text, in characters.
pub(crate) const TEXT_MAX: usize = 4_000;
/// Longest idempotency key of a message, in bytes.
const CLIENT_ID_MAX: usize = 255;
/// Largest page size, and the default.
const PAGE_MAX: u32 = 100;
const PAGE_DEFAULT: u32 = 50;

/// The content of a message: a text, or the URL of a file that its sender uploaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MessageContent {
    chat_type: ChatType,
    text: String,
}

/// Why a message is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum MessageError {
    #[error("the message is empty")]
    Empty,
    #[error("the message is too long")]
    TooLong,
    #[error("the message has control characters")]
    Control,
    #[error("the URL is not that of a file of its type that the sender uploaded")]
    Media,
    #[error("the device's name of the message is not 1 to 255 visible ASCII characters")]
    ClientId,
}

/// A message that is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewMessage {
    pub(crate) id: MessageId,
    pub(crate) player: PlayerId,
    pub(crate) content: MessageContent,
    pub(crate) created_at: OffsetDateTime,
}

/// A message of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) id: MessageId,
    pub(crate) room: RoomId,
    /// The message's number in the room, from 1.
    pub(crate) seq: u64,
    pub(crate) player: PlayerId,
    pub(crate) chat_type: ChatType,
    /// Empty once the message is removed.
    pub(crate) text: String,
    pub(crate) created_at: OffsetDateTime,
    /// The number of the message's removal in the room, from 1.
    pub(crate) removal: Option<u64>,
}

/// A page of a room's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MessagePage {
    number: u32,
    size: u32,
}

impl MessageContent {
    /// Refuses an empty or too long text, and files that the player may not send.
    pub(crate) fn parse(
        chat_type: ChatType,
        text: &str,
        player: PlayerId,
    ) -> Result<Self, MessageError> {
        let text = writing::lines(text, TEXT_MAX).map_err(|error| match error {
            WritingError::Empty => MessageError::Empty,
            WritingError::TooLong => MessageError::TooLong,
            WritingError::NotPlain => MessageError::Control,
        })?;
        if chat_type != ChatType::Text && !chat_media::is_own(chat_type, &text, player) {
            return Err(MessageError::Media);
        }
        Ok(Self { chat_type, text })
    }

    pub(crate) const fn chat_type(&self) -> ChatType {
        self.chat_type
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl MessageId {
    /// The id of the message that a player's device calls `client_id` in a room: the same
    /// for each repeat of the call (a UUID of version 8, from a SHA-256).
    pub(crate) fn of_client(
        room: RoomId,
        player: PlayerId,
        client_id: &str,
    ) -> Result<Self, MessageError> {
        let is_plain = !client_id.is_empty()
            && client_id.len() <= CLIENT_ID_MAX
            && client_id.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plain {
            return Err(MessageError::ClientId);
        }
        let (room, player) = (room.uuid(), player.uuid());
        let parts = [room.as_bytes().as_slice(), player.as_bytes(), client_id.as_bytes()];
        Ok(derived_id(&parts).into())
    }
}

impl Message {
    pub(crate) const fn is_removed(&self) -> bool {
        self.removal.is_some()
    }

    /// Whether a repeated call has the same content. A removed message has no content to compare.
    pub(crate) fn is_repeated_by(&self, new: &NewMessage) -> bool {
        self.is_removed()
            || (self.chat_type == new.content.chat_type && self.text == new.content.text)
    }
}

impl MessagePage {
    /// Messages of the largest page.
    pub(crate) const MOST: u32 = PAGE_MAX;

    /// Page `number` of `size` messages; a size of 0 means 50. `None` for a size that is too large.
    pub(crate) fn parse(number: u32, size: u32) -> Option<Self> {
        let size = if size == 0 { PAGE_DEFAULT } else { size };
        (size <= PAGE_MAX).then_some(Self { number, size })
    }

    /// The numbers of the page's messages. The page is one range of an index, however many messages
    /// precede it.
    pub(crate) fn range(self) -> RangeInclusive<u64> {
        let first = u64::from(self.number) * u64::from(self.size);
        first..=first + u64::from(self.size) - 1
    }

    /// How many pages of this size there are when the newest message has this number.
    pub(crate) fn total(self, newest: u64) -> u32 {
        if newest == 0 {
            return 0;
        }
        u32::try_from(newest / u64::from(self.size) + 1).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    fn player() -> PlayerId {
        PlayerId::generate(&Clock::system(), &Rng::system())
    }

    fn room() -> RoomId {
        RoomId::generate(&Clock::system(), &Rng::system())
    }

    #[test]
    fn a_text_has_1_to_4000_characters() {
        let parse = |text: &str| MessageContent::parse(ChatType::Text, text, player());
        assert_eq!(parse(" Habari?\n").unwrap().text(), "Habari?");
        assert!(parse(&"ñ".repeat(TEXT_MAX)).is_ok());
        assert_eq!(parse(&"x".repeat(TEXT_MAX + 1)), Err(MessageError::TooLong));
        for empty in ["", " \n\t"] {
            assert_eq!(parse(empty), Err(MessageError::Empty));
        }
        assert_eq!(parse("a\0b"), Err(MessageError::Control));
    }

    #[test]
    fn the_id_of_a_message_follows_from_the_devices_name_for_it() {
        let (room, player) = (room(), player());
        let id = MessageId::of_client(room, player, "m-1").unwrap();
        assert_eq!(MessageId::of_client(room, player, "m-1"), Ok(id));
        assert_ne!(MessageId::of_client(room, player, "m-2"), Ok(id));
        assert_ne!(MessageId::of_client(room, self::player(), "m-1"), Ok(id));
        assert_ne!(MessageId::of_client(self::room(), player, "m-1"), Ok(id));
        for bad in ["", "a b", "é", &"x".repeat(256)] {
            assert_eq!(MessageId::of_client(room, player, bad), Err(MessageError::ClientId));
        }
    }

    #[test]
    fn a_page_is_a_range_of_numbers() {
        let page = |number| MessagePage::parse(number, 0).unwrap();
        assert_eq!(page(0).range(), 0..=49);
        assert_eq!(page(3).range(), 150..=199);
        assert_eq!(MessagePage::parse(0, 101), None);
        for (newest, pages) in [(0, 0), (1, 1), (49, 1), (50, 2), (99, 2), (100, 3)] {
            assert_eq!(page(0).total(newest), pages, "{newest}");
        }
        assert_eq!(MessagePage::parse(u32::MAX, 100).unwrap().range().count(), 100);
    }
}
