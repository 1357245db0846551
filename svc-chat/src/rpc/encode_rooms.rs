//! Encodes rooms and messages as wire types.

use bytes::Bytes;
use proto::{
    chat::v1::{
        EncodedMessages, ListMessagesResponse, Membership as WireMembership,
        Message as WireMessage, MessageRemoval, Room as WireRoom, RoomCounts as WireCounts,
        WatchRoomsResponse, watch_rooms_response::Event,
    },
    encode,
    live::v1::{ChatMessage, LiveEvent, live_event},
    timestamp,
    types::v1::ChatType as WireType,
};

use crate::{
    app::{Messages, RoomEvent, RoomUpdate},
    domain::{ChatType, Message, Room, RoomCounts},
};

pub(super) fn room((room, counts): (Room, RoomCounts)) -> WireRoom {
    WireRoom {
        id: room.id.to_string(),
        chat_room_uid: room.chat_room_uid,
        name: room.name,
        icon: room.icon,
        member_count: counts.members,
        online_member_count: counts.online,
        game_id: room.game.map(|game| game.to_string()),
        membership: room.membership.map(|membership| WireMembership {
            unread_count: membership.unread_count,
            last_message: membership.last_message.map(Into::into),
        }),
    }
}

impl From<Message> for WireMessage {
    fn from(message: Message) -> Self {
        Self { chat_room_id: message.room.to_string(), ..message_of_page(message) }
    }
}

/// Encodes a message without its room, which the page has once for all.
fn message_of_page(message: Message) -> WireMessage {
    WireMessage {
        id: message.id.to_string(),
        player_id: message.player.to_string(),
        chat_room_id: String::new(),
        text: message.text,
        chat_type: WireType::from(message.chat_type).into(),
        created_at: Some(timestamp(message.created_at)),
        seq: message.seq,
    }
}

impl From<ChatType> for WireType {
    fn from(chat_type: ChatType) -> Self {
        match chat_type {
            ChatType::Text => Self::Text,
            ChatType::Image => Self::Image,
            ChatType::Video => Self::Video,
            ChatType::Audio => Self::Audio,
            ChatType::Document => Self::Document,
        }
    }
}

impl From<Messages> for ListMessagesResponse {
    fn from(Messages { room, content, total_pages, newest }: Messages) -> Self {
        Self {
            messages: content.into_iter().map(message_of_page).collect(),
            total_pages,
            total_elements: newest,
            chat_room_id: room.to_string(),
        }
    }
}

/// The message as an encoded `LiveEvent`, which the gateway sends to the browser unchanged.
fn live_event(chat_room_uid: &str, message: &Message) -> Bytes {
    let message = ChatMessage {
        id: message.id.to_string(),
        user_id: message.player.to_string(),
        chat_room_id: message.room.to_string(),
        chat_room_uid: chat_room_uid.to_owned(),
        message: message.text.clone(),
        chat_type: WireType::from(message.chat_type).into(),
        created_at: Some(timestamp(message.created_at)),
        seq: message.seq,
    };
    encode(&LiveEvent { event: Some(live_event::Event::Message(message)) })
}

impl From<RoomUpdate> for WatchRoomsResponse {
    fn from(RoomUpdate { chat_room_uid, event }: RoomUpdate) -> Self {
        let event = match event {
            RoomEvent::Messages(batch, places) => {
                let encoded = batch.encoded(|message| live_event(&chat_room_uid, message));
                Event::Messages(EncodedMessages {
                    seq: batch.messages()[..places.end].last().map_or(0, |last| last.seq),
                    live_events: encoded[places].to_vec(),
                })
            }
            RoomEvent::Removed(id, seq) => {
                Event::Removal(MessageRemoval { id: id.to_string(), seq })
            }
            RoomEvent::Counts(RoomCounts { members, online }, seq) => {
                Event::Counts(WireCounts { members, online, seq })
            }
        };
        Self { chat_room_uid: chat_room_uid.to_string(), event: Some(event) }
    }
}
