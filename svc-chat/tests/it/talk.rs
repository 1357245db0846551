//! Helpers for tests: rooms, members and messages.

use std::{collections::VecDeque, time::Duration};

use bytes::Bytes;
use prost::Message as _;
use proto::{
    chat::v1::{
        EncodedMessages, JoinRoomRequest, LeaveRoomRequest, ListMessagesRequest,
        ListMessagesResponse, Message, RoomCursor, SendMessageRequest, WatchRoomsRequest,
        WatchRoomsResponse, watch_rooms_response::Event,
    },
    live::v1::{ChatMessage, LiveEvent, live_event},
    types::v1::ChatType,
};
use tokio::time::timeout;
use tonic::{Status, Streaming};
use types::{PlayerId, Rng};

use crate::harness::{Service, signed};

/// The time limit for expected events: three beats of presence, because a count whose hint was lost
/// comes with the next beat. Without Redis events arrive within 3 s.
const SOON: Duration = Duration::from_secs(36);

/// A text message.
pub(crate) fn text(room: &str, text: &str, client_message_id: &str) -> SendMessageRequest {
    SendMessageRequest {
        chat_room_id: room.into(),
        text: text.into(),
        chat_type: ChatType::Text.into(),
        client_message_id: client_message_id.into(),
    }
}

impl Service {
    /// Opens a room; returns its id.
    pub(crate) async fn open_room(&self, uid: &str) -> String {
        let id = Rng::system().uuid_v7(self.clock.now());
        sqlx::query("INSERT INTO room (id, chat_room_uid, name, icon) VALUES ($1, $2, $2, '/i')")
            .bind(id)
            .bind(uid)
            .execute(&self.database.pool)
            .await
            .unwrap();
        id.to_string()
    }

    /// A new player who has joined a room.
    pub(crate) async fn member(&self, room: &str) -> (PlayerId, String) {
        let (player, token) = self.tokens.player();
        self.join(&token, room).await.unwrap();
        (player, token)
    }

    pub(crate) async fn join(&self, token: &str, room: &str) -> Result<(), Status> {
        let request = JoinRoomRequest { chat_room_id: room.into() };
        self.client.clone().join_room(signed(token, request)).await.map(drop)
    }

    pub(crate) async fn leave(&self, token: &str, room: &str) -> Result<(), Status> {
        let request = LeaveRoomRequest { chat_room_id: room.into() };
        self.client.clone().leave_room(signed(token, request)).await.map(drop)
    }

    pub(crate) async fn send(
        &self,
        token: &str,
        request: SendMessageRequest,
    ) -> Result<Message, Status> {
        let reply = self.client.clone().send_message(signed(token, request)).await?;
        Ok(reply.into_inner().message.unwrap())
    }

    /// Sends a number of messages, one after the other, with their numbers as idempotency keys.
    pub(crate) async fn send_many(&self, token: &str, room: &str, numbers: std::ops::Range<u32>) {
        for number in numbers {
            let number = format!("m{number}");
            self.send(token, text(room, &number, &number)).await.unwrap();
        }
    }

    pub(crate) async fn page(
        &self,
        token: &str,
        room: &str,
        page: u32,
    ) -> Result<ListMessagesResponse, Status> {
        let request = ListMessagesRequest { chat_room_id: room.into(), page, page_size: 0 };
        Ok(self.client.clone().list_messages(signed(token, request)).await?.into_inner())
    }

    /// Watches one room.
    pub(crate) async fn watch_room(
        &self,
        token: &str,
        room: &str,
        after_seq: u64,
    ) -> Result<RoomStream, Status> {
        self.watch_rooms(token, &[(room, after_seq)]).await
    }

    pub(crate) async fn watch_rooms(
        &self,
        token: &str,
        rooms: &[(&str, u64)],
    ) -> Result<RoomStream, Status> {
        let cursor = |&(uid, after_seq): &(&str, u64)| RoomCursor {
            chat_room_uid: uid.to_owned(),
            after_seq,
        };
        let rooms = rooms.iter().map(cursor).collect();
        self.open_stream(token, WatchRoomsRequest { rooms, takes_batches: true }).await
    }

    /// Watches a room from its first message on as an older gateway does, without batches.
    pub(crate) async fn watch_room_without_batches(&self, token: &str, room: &str) -> RoomStream {
        let rooms = vec![RoomCursor { chat_room_uid: room.to_owned(), after_seq: 0 }];
        let request = WatchRoomsRequest { rooms, takes_batches: false };
        self.open_stream(token, request).await.unwrap()
    }

    async fn open_stream(
        &self,
        token: &str,
        request: WatchRoomsRequest,
    ) -> Result<RoomStream, Status> {
        let updates = self.client.clone().watch_rooms(signed(token, request)).await?.into_inner();
        Ok(RoomStream { updates, split: VecDeque::new() })
    }
}

/// A message of a stream as the browser reads it.
pub(crate) fn in_browser(live_event: &Bytes) -> ChatMessage {
    match LiveEvent::decode(live_event.clone()).unwrap().event {
        Some(live_event::Event::Message(message)) => message,
        other => panic!("instead of a message: {other:?}"),
    }
}

/// An open stream.
pub(crate) struct RoomStream {
    updates: Streaming<WatchRoomsResponse>,
    /// The messages of an update, each split into its own update.
    split: VecDeque<(String, Event)>,
}

impl RoomStream {
    /// The next update as it was sent, with all its messages.
    pub(crate) async fn next_update(&mut self) -> Result<(String, Event), Status> {
        let next = timeout(SOON, self.updates.message()).await.expect("an update")?;
        let update = next.expect("an open stream");
        Ok((update.chat_room_uid, update.event.unwrap()))
    }

    /// The next event, with one message at most.
    pub(crate) async fn next(&mut self) -> Result<(String, Event), Status> {
        if let Some(split) = self.split.pop_front() {
            return Ok(split);
        }
        let (uid, event) = self.next_update().await?;
        let Event::Messages(messages) = event else { return Ok((uid, event)) };
        let newest = messages.live_events.last().map(in_browser);
        assert_eq!(newest.map(|newest| newest.seq), Some(messages.seq));
        self.split.extend(messages.live_events.into_iter().map(|live_event| {
            let seq = in_browser(&live_event).seq;
            let one = EncodedMessages { seq, live_events: vec![live_event] };
            (uid.clone(), Event::Messages(one))
        }));
        Ok(self.split.pop_front().expect("a message"))
    }

    /// The next message or removal.
    pub(crate) async fn next_of_messages(&mut self) -> Event {
        loop {
            match self.next().await.unwrap().1 {
                Event::Counts(_) => {}
                event => return event,
            }
        }
    }

    /// The numbers of the next messages.
    pub(crate) async fn numbers(&mut self, count: usize) -> Vec<u64> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            match self.next_of_messages().await {
                Event::Messages(message) => numbers.push(message.seq),
                other => panic!("instead of a message: {other:?}"),
            }
        }
        numbers
    }

    /// Reads until the counts are these.
    pub(crate) async fn counts(&mut self, members: u32, online: u32) {
        loop {
            match self.next().await.unwrap().1 {
                Event::Counts(counts) if (counts.members, counts.online) == (members, online) => {
                    return;
                }
                _ => {}
            }
        }
    }

    /// Reads until the stream ends with an error.
    pub(crate) async fn end(&mut self) -> Status {
        loop {
            if let Err(status) = self.next().await {
                return status;
            }
        }
    }
}
