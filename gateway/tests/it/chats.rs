//! Chat rooms and their messages over HTTP.

use mesh::Fault;
use proto::{
    chat::v1::{
        DeleteMessageRequest, JoinRoomRequest, LeaveRoomRequest, ListMessagesRequest,
        MarkRoomReadRequest, SendMessageRequest,
    },
    types::v1::ChatType,
};
use serde_json::json;
use tonic::Code;

use crate::world::{NOWHERE, World, read};

#[tokio::test]
async fn rooms_are_joined_and_left_by_their_uid() {
    let world = World::new().await;
    let joined = read(world.get_signed_in("/api/profile/chatrooms")).await;
    assert_eq!(joined.payload(), json!(["ajua", "lobby"]));
    let joined = read(world.get_signed_in("/api/profile/chatroom-join/lobby")).await;
    assert!(joined.payload().is_null());
    assert_eq!(world.stub.received::<JoinRoomRequest>()[0].1.chat_room_id, "lobby");
    let left = read(world.get_signed_in("/api/profile/chatroom-leave/ajua")).await;
    assert!(left.payload().is_null());
    assert_eq!(world.stub.received::<LeaveRoomRequest>()[0].1.chat_room_id, "ajua");
}

#[tokio::test]
async fn a_player_says_how_far_a_room_was_read() {
    let world = World::new().await;
    let mark = |body| read(world.send_signed_in("POST", "/api/chats/read", body));
    assert!(mark(r#"{"chatRoomId":"lobby","seq":52}"#).await.payload().is_null());
    let request = world.stub.received::<MarkRoomReadRequest>().remove(0).1;
    assert_eq!(request, MarkRoomReadRequest { chat_room_id: "lobby".into(), seq: 52 });
    for wrong in [r#"{"chatRoomId":"lobby"}"#, r#"{"chatRoomId":"lobby","seq":-1}"#] {
        let refused = mark(wrong).await;
        assert_eq!((refused.status.as_u16(), refused.wrong_fields()), (400, vec!["seq".into()]));
    }
}

#[tokio::test]
async fn a_profile_has_the_joined_rooms_and_none_without_svc_chat() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/auth/login")).await;
    assert_eq!(answer.payload()["chatRooms"], json!(["ajua", "lobby"]));
    let world = World::with(|args| args.upstreams.chat_url = NOWHERE.into()).await;
    let answer = read(world.get_signed_in("/api/auth/login")).await;
    assert_eq!(answer.payload()["chatRooms"], json!([]));
}

#[tokio::test]
async fn a_page_has_messages_and_its_place() {
    let world = World::new().await;
    let path = "/api/chats/list/?page=1&pageSize=50";
    let answer = read(world.send_signed_in("POST", path, r#"{"chatRoomId":"lobby"}"#)).await;
    let message = |seq: u64| {
        json!({
            "id": format!("m-{seq}"), "userId": "u-1", "chatRoomId": "r-1", "message": "Habari",
            "chatType": "TEXT", "createdAt": "2026-11-20T09:00:00.500Z",
            "updatedAt": "2026-11-20T09:00:00.500Z", "seq": seq,
        })
    };
    assert_eq!(
        answer.payload(),
        json!({
            "content": [message(50), message(52)], "totalPages": 2, "totalElements": 52,
            "pageable": {"pageNumber": 1}, "first": false, "last": true, "empty": false,
        })
    );
    let request = world.stub.received::<ListMessagesRequest>().remove(0).1;
    let expected = ListMessagesRequest { chat_room_id: "lobby".into(), page: 1, page_size: 50 };
    assert_eq!(request, expected);
}

#[tokio::test]
async fn a_message_is_sent_under_the_devices_name_for_it_or_one_of_its_own() {
    let world = World::new().await;
    let body =
        r#"{"chatRoomId":"r-1","message":"Sasa?","chatType":"TEXT","clientMessageId":"c-1"}"#;
    let answer = read(world.send_signed_in("POST", "/api/chats/send", body)).await;
    assert_eq!(answer.payload()["message"], "Sasa?");
    assert_eq!(answer.payload()["seq"], 53);
    let body = r#"{"chatRoomId":"r-1","message":"/media/chat/x.jpg","chatType":"IMAGE"}"#;
    for _ in 0..2 {
        let answer = read(world.send_signed_in("POST", "/api/chats/send", body)).await;
        assert_eq!(answer.payload()["chatType"], "IMAGE");
    }
    let requests = world.stub.received::<SendMessageRequest>();
    let expected = SendMessageRequest {
        chat_room_id: "r-1".into(),
        text: "Sasa?".into(),
        chat_type: ChatType::Text.into(),
        client_message_id: "c-1".into(),
    };
    assert_eq!(requests[0].1, expected);
    let ids: Vec<_> =
        requests[1..].iter().map(|(_, request)| &*request.client_message_id).collect();
    assert!(ids[0].len() == 32 && ids[0] != ids[1], "{ids:?}");
}

#[tokio::test]
async fn a_refusal_has_the_status_and_the_text_of_its_reason() {
    let world = World::new().await;
    let body = r#"{"chatRoomId":"r-1","message":"Sasa?","chatType":"TEXT"}"#;
    for (code, reason, status) in [
        (Code::PermissionDenied, "NOT_A_MEMBER", 403),
        (Code::InvalidArgument, "EMPTY_MESSAGE", 400),
        (Code::NotFound, "ROOM_NOT_FOUND", 404),
        (Code::FailedPrecondition, "IDEMPOTENCY_KEY_REUSED", 422),
    ] {
        world.stub.refuse(Fault::new(code, reason));
        let answer = read(world.send_signed_in("POST", "/api/chats/send", body)).await;
        assert_eq!(answer.refusal(), (status, reason.to_owned()));
    }
    world.stub.refuse(Fault::new(Code::AlreadyExists, "ALREADY_SUBSCRIBED"));
    let answer = read(world.get_signed_in("/api/profile/chatroom-join/lobby")).await;
    assert_eq!(answer.refusal(), (409, "ALREADY_SUBSCRIBED".to_owned()));
    assert_eq!(answer.envelope()["statusMessage"], "You are already subscribed to this chat room");
    world.stub.refuse(Fault::invalid_field("text", "MESSAGE_NOT_PLAIN"));
    let answer = read(world.send_signed_in("POST", "/api/chats/send", body)).await;
    assert_eq!(answer.wrong_fields(), ["message"]);
}

#[tokio::test]
async fn a_message_is_deleted_by_its_id() {
    let world = World::new().await;
    let answer = read(world.send_signed_in("DELETE", "/api/chats/m-1", "")).await;
    assert!(answer.payload().is_null());
    assert_eq!(world.stub.received::<DeleteMessageRequest>()[0].1.id, "m-1");
}
