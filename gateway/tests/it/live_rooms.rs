//! Rooms in live streams.

use std::time::Duration;

use mesh::Fault;
use proto::{
    chat::v1::{
        EncodedMessages, MessageRemoval, RoomCounts, RoomCursor as Cursor, WatchRoomsRequest,
        WatchRoomsResponse, watch_rooms_response::Event as Update,
    },
    encode,
    live::v1::{
        ChatMessage, LiveEvent, MessageRemoved, RoomCursor, RoomPresence, SubscribeRequest,
        TopicKind, live_event::Event,
    },
    timestamp,
    types::v1::ChatType,
};
use reqwest::RequestBuilder;
use tonic::{Code, Status};

use crate::{
    grpc_web::{Next, Stream, open, refused_topics, subscribe_to},
    stub::AT,
    world::World,
};

/// A world without heartbeats: the events are compared one by one.
async fn quiet_world() -> World {
    World::with(|args| args.live.live_heartbeat = Duration::from_hours(1)).await
}

fn watching(world: &World, rooms: &[(&str, u64)]) -> RequestBuilder {
    let rooms = rooms
        .iter()
        .map(|&(uid, after_seq)| RoomCursor { chat_room_uid: uid.into(), after_seq })
        .collect();
    let request = SubscribeRequest { rooms, ..SubscribeRequest::default() };
    subscribe_to(world, &request).bearer_auth(world.tokens.player().1)
}

fn update(uid: &str, event: Update) -> WatchRoomsResponse {
    WatchRoomsResponse { chat_room_uid: uid.into(), event: Some(event) }
}

fn counts(seq: u64) -> WatchRoomsResponse {
    update("lobby", Update::Counts(RoomCounts { members: 3, online: 2, seq }))
}

/// A message as svc-chat encodes it for browsers.
fn message(seq: u64) -> ChatMessage {
    ChatMessage {
        id: format!("m-{seq}"),
        user_id: "u-1".into(),
        chat_room_id: "r-1".into(),
        chat_room_uid: "lobby".into(),
        message: "Habari".into(),
        chat_type: ChatType::Text.into(),
        created_at: Some(timestamp(AT)),
        seq,
    }
}

fn sent(seq: u64) -> WatchRoomsResponse {
    sent_together([seq])
}

fn sent_together(numbers: impl IntoIterator<Item = u64>) -> WatchRoomsResponse {
    let mut messages = EncodedMessages::default();
    for seq in numbers {
        messages.seq = seq;
        messages.live_events.push(encode(&LiveEvent { event: Some(Event::Message(message(seq))) }));
    }
    update("lobby", Update::Messages(messages))
}

async fn event(stream: &mut Stream) -> Event {
    match stream.next().await {
        Next::Event(event) => event,
        end => panic!("instead of an event: {end:?}"),
    }
}

fn cursors(world: &World, at: usize) -> Vec<(String, u64)> {
    let rooms = world.stub.received::<WatchRoomsRequest>()[at].1.rooms.clone();
    let pair = |Cursor { chat_room_uid, after_seq }| (chat_room_uid, after_seq);
    rooms.into_iter().map(pair).collect()
}

#[tokio::test]
async fn messages_removals_and_counts_of_a_room_arrive() {
    let world = quiet_world().await;
    let rooms = world.stub.next_room_watch();
    let mut stream = open(watching(&world, &[("lobby", 7), ("ajua", 0)])).await;
    assert_eq!(cursors(&world, 0), [("ajua".to_owned(), 0), ("lobby".to_owned(), 7)]);
    assert!(world.stub.received::<WatchRoomsRequest>()[0].1.takes_batches);

    rooms.send(Ok(counts(7))).await.unwrap();
    let presence = RoomPresence {
        chat_room_uid: "lobby".into(),
        member_count: 3,
        online_member_count: 2,
        seq: 7,
    };
    assert_eq!(event(&mut stream).await, Event::Presence(presence));
    // An event that only a newer svc-chat knows.
    let unknown = WatchRoomsResponse { chat_room_uid: "lobby".into(), event: None };
    rooms.send(Ok(unknown)).await.unwrap();
    rooms.send(Ok(sent(8))).await.unwrap();
    assert_eq!(event(&mut stream).await, Event::Message(message(8)));
    let removal = MessageRemoval { id: "m-8".into(), seq: 8 };
    rooms.send(Ok(update("lobby", Update::Removal(removal)))).await.unwrap();
    let removed = MessageRemoved { chat_room_uid: "lobby".into(), id: "m-8".into(), seq: 8 };
    assert_eq!(event(&mut stream).await, Event::MessageRemoved(removed));
}

#[tokio::test]
async fn a_stream_that_broke_goes_on_after_the_last_message() {
    let world = quiet_world().await;
    let first = world.stub.next_room_watch();
    // The cursor is beyond the newest message; svc-chat replies with the newest.
    let mut stream = open(watching(&world, &[("lobby", u64::MAX)])).await;
    let second = world.stub.next_room_watch();
    first.send(Ok(counts(4))).await.unwrap();
    event(&mut stream).await;
    first.send(Err(Status::unavailable("killed"))).await.unwrap();
    second.send(Ok(sent_together(5..8))).await.unwrap();
    for seq in 5..8 {
        assert_eq!(event(&mut stream).await, Event::Message(message(seq)));
    }
    assert_eq!(cursors(&world, 1), [("lobby".to_owned(), 4)]);
    // A stream of rooms has no end of its own.
    let third = world.stub.next_room_watch();
    drop(second);
    third.send(Ok(sent(8))).await.unwrap();
    assert!(matches!(event(&mut stream).await, Event::Message(message) if message.seq == 8));
    assert_eq!(cursors(&world, 2), [("lobby".to_owned(), 7)]);
}

#[tokio::test]
async fn a_reader_gets_many_missed_messages_at_once() {
    let world = quiet_world().await;
    let rooms = world.stub.next_room_watch();
    let mut stream = open(watching(&world, &[("lobby", 0)])).await;
    let feeding = async {
        for first in (1..=2_000).step_by(16) {
            rooms.send(Ok(sent_together(first..first + 16))).await.unwrap();
        }
    };
    let reading = async {
        for seq in 1..=2_000 {
            match event(&mut stream).await {
                Event::Message(message) => assert_eq!(message.seq, seq),
                other => panic!("instead of a message: {other:?}"),
            }
        }
    };
    tokio::join!(feeding, reading);
}

#[tokio::test]
async fn rooms_that_the_player_has_not_joined_are_refused_by_their_names() {
    let world = World::new().await;
    let fault = Fault::new(Code::PermissionDenied, "NOT_A_MEMBER").param("rooms", "ajua,nowhere");
    world.stub.refuse_room_watch(fault);
    let stream = watching(&world, &[("lobby", 0), ("ajua", 0), ("nowhere", 0)]);
    let expected = (Code::PermissionDenied, Some("room/ajua,room/nowhere".into()));
    assert_eq!(refused_topics(stream).await, expected);
}

#[tokio::test]
async fn leaving_a_room_ends_the_stream_and_names_the_room() {
    let world = quiet_world().await;
    let (rooms, _notifications) =
        (world.stub.next_room_watch(), world.stub.next_notification_watch());
    // Two rooms and the notifications: the reader gives up none of those but the lobby.
    let room = |uid: &str| RoomCursor { chat_room_uid: uid.into(), after_seq: 0 };
    let request = SubscribeRequest {
        rooms: ["ajua", "lobby"].map(room).into(),
        notifications: true,
        ..SubscribeRequest::default()
    };
    let stream = subscribe_to(&world, &request).bearer_auth(world.tokens.player().1);
    let mut stream = open(stream).await;
    let fault = Fault::new(Code::PermissionDenied, "NOT_A_MEMBER").param("rooms", "lobby");
    rooms.send(Err(fault.into())).await.unwrap();
    assert_eq!(stream.next().await, Next::End(Code::PermissionDenied));
    assert_eq!(stream.refused_topics(), Some("room/lobby"));
}

#[tokio::test]
async fn a_room_that_is_refused_after_a_break_is_named() {
    let world = quiet_world().await;
    let rooms = world.stub.next_room_watch();
    let mut stream = open(watching(&world, &[("ajua", 0), ("lobby", 0)])).await;
    let fault = Fault::new(Code::PermissionDenied, "NOT_A_MEMBER").param("rooms", "ajua");
    world.stub.refuse_room_watch(fault);
    rooms.send(Err(Status::unavailable("killed"))).await.unwrap();
    assert_eq!(stream.next().await, Next::End(Code::PermissionDenied));
    assert_eq!(stream.refused_topics(), Some("room/ajua"));
}

#[tokio::test]
async fn rooms_that_broke_are_paused_beside_other_topics() {
    let world = quiet_world().await;
    let (rooms, notifications) =
        (world.stub.next_room_watch(), world.stub.next_notification_watch());
    let lobby = RoomCursor { chat_room_uid: "lobby".into(), after_seq: 0 };
    let request =
        SubscribeRequest { rooms: vec![lobby], notifications: true, ..SubscribeRequest::default() };
    let stream = subscribe_to(&world, &request).bearer_auth(world.tokens.player().1);
    let mut stream = open(stream).await;
    rooms.send(Err(Status::unavailable("killed"))).await.unwrap();
    match event(&mut stream).await {
        Event::Paused(paused) => assert_eq!(paused.topics(), TopicKind::Rooms),
        other => panic!("instead of Paused: {other:?}"),
    }
    drop(notifications);
}
