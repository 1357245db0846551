//! The messages of chat rooms.

use std::sync::Arc;

use axum::extract::State;
use proto::{
    Absent,
    chat::v1::{self as rpc, DeleteMessageRequest, ListMessagesRequest, SendMessageRequest},
    types::v1::ChatType as WireType,
};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    param::{PageQuery, Segment},
    wire::At,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `POST /chats/list/`
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    PageQuery { page, page_size }: PageQuery,
    Body(body): Body<ListMessages>,
) -> HandlerResult<MessagePage> {
    let request = ListMessagesRequest { chat_room_id: body.chat_room_id, page, page_size };
    let reply = gateway.upstreams().chat().list_messages(request).await?;
    Ok(Reply::ok(MessagePage::new(page, reply.into_inner())?))
}

/// `POST /chats/send`
pub(crate) async fn send(
    State(gateway): State<Gateway>,
    Body(body): Body<SendMessage>,
) -> HandlerResult<Message> {
    // Without the client's id the message gets a new one, so that a call repeated on the way to
    // svc-chat stores it once, too.
    let client_message_id = body
        .client_message_id
        .unwrap_or_else(|| format!("{:032x}", u128::from_be_bytes(gateway.rng().bytes())));
    let request = SendMessageRequest {
        chat_room_id: body.chat_room_id,
        text: body.text,
        chat_type: ChatType::parse(&body.chat_type).into(),
        client_message_id,
    };
    let reply = gateway.upstreams().chat().send_message(request).await?;
    let message = reply.into_inner().message.ok_or(Absent("message"))?;
    let room = message.chat_room_id.as_str().into();
    Ok(Reply::ok(Message::new(&room, message)?))
}

/// `DELETE /chats/{id}`
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Segment(id): Segment,
) -> HandlerResult<()> {
    gateway.upstreams().chat().delete_message(DeleteMessageRequest { id }).await?;
    Ok(Reply::ok(()))
}

request! {
    /// A room whose messages are read.
    pub(crate) struct ListMessages {
        /// The room's id or chatRoomUid.
        chat_room_id: String = "chatRoomId",
    }
}

request! {
    /// A message.
    pub(crate) struct SendMessage {
        /// The room's id or chatRoomUid.
        chat_room_id: String = "chatRoomId",
        /// The text, of at most 4,000 characters; for a file, the URL that `/upload` gave to this
        /// player.
        text: String = "message",
        /// TEXT, IMAGE, VIDEO, AUDIO or DOCUMENT.
        chat_type: String = "chatType",
        /// The device's id for the message. Repeats with the same id store it once.
        client_message_id: Option<String> = "clientMessageId",
    }
}

payloads!(MessagePage, Message);

/// A page of a room's messages. Page k begins at the `seq` of k times the page size, so that a
/// message stays on its page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MessagePage {
    /// The messages in order, without removed ones.
    content: Vec<Message>,
    total_pages: u32,
    /// The `seq` of the newest message.
    total_elements: u64,
    pageable: Pageable,
    first: bool,
    last: bool,
    empty: bool,
}

/// The place of a page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pageable {
    /// The page's number, from 0.
    page_number: u32,
}

/// A message of a room.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Message {
    id: String,
    /// The sender's id.
    user_id: String,
    /// The room's id.
    #[schema(value_type = String)]
    #[serde(serialize_with = "serialize_text")]
    chat_room_id: Arc<str>,
    /// A text, or the URL of a file.
    message: String,
    chat_type: ChatType,
    created_at: At,
    updated_at: At,
    /// The message's number in its room, from 1.
    seq: u64,
}

/// The kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ChatType {
    Text,
    Image,
    Video,
    Audio,
    Document,
}

impl ChatType {
    /// Parses a kind; an unknown one becomes unspecified, which svc-chat refuses.
    fn parse(text: &str) -> WireType {
        match text {
            "TEXT" => WireType::Text,
            "IMAGE" => WireType::Image,
            "VIDEO" => WireType::Video,
            "AUDIO" => WireType::Audio,
            "DOCUMENT" => WireType::Document,
            _ => WireType::Unspecified,
        }
    }
}

impl MessagePage {
    fn new(page: u32, reply: rpc::ListMessagesResponse) -> Result<Self, Absent> {
        let room: Arc<str> = reply.chat_room_id.into();
        let content: Result<Vec<Message>, Absent> =
            reply.messages.into_iter().map(|message| Message::new(&room, message)).collect();
        let content = content?;
        Ok(Self {
            empty: content.is_empty(),
            content,
            total_pages: reply.total_pages,
            total_elements: reply.total_elements,
            pageable: Pageable { page_number: page },
            first: page == 0,
            last: page.saturating_add(1) >= reply.total_pages,
        })
    }
}

fn serialize_text<S: Serializer>(text: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text)
}

impl Message {
    pub(super) fn new(room: &Arc<str>, message: rpc::Message) -> Result<Self, Absent> {
        let chat_type = match message.chat_type() {
            WireType::Image => ChatType::Image,
            WireType::Video => ChatType::Video,
            WireType::Audio => ChatType::Audio,
            WireType::Document => ChatType::Document,
            WireType::Text | WireType::Unspecified => ChatType::Text,
        };
        let created_at = At::promised(message.created_at, "created_at")?;
        Ok(Self {
            id: message.id,
            user_id: message.player_id,
            chat_room_id: Arc::clone(room),
            message: message.text,
            chat_type,
            created_at,
            // A message is not changed.
            updated_at: created_at,
            seq: message.seq,
        })
    }
}
