//! Safety in rooms over HTTP.

use mesh::Fault;
use proto::chat::v1::{
    BlockPlayerRequest, GetSendingRulesRequest, ReportMessageRequest, ReportReason,
    UnblockPlayerRequest,
};
use serde_json::json;
use tonic::Code;

use crate::world::{World, read};

#[tokio::test]
async fn a_message_is_reported_with_a_reason() {
    let world = World::new().await;
    let body = r#"{"reason":"SCAM","note":"Asks for my PIN"}"#;
    let answer = read(world.send_signed_in("POST", "/api/chats/m-1/report", body)).await;
    assert!(answer.payload().is_null());
    let request = world.stub.received::<ReportMessageRequest>().remove(0).1;
    assert_eq!((&*request.message_id, &*request.note), ("m-1", "Asks for my PIN"));
    assert_eq!(request.reason(), ReportReason::Scam);
    // An unknown reason becomes unspecified, which svc-chat refuses.
    let body = r#"{"reason":"scam"}"#;
    read(world.send_signed_in("POST", "/api/chats/m-1/report", body)).await;
    let request = world.stub.received::<ReportMessageRequest>().remove(1).1;
    assert_eq!(request.reason(), ReportReason::Unspecified);
}

#[tokio::test]
async fn players_are_blocked_listed_and_unblocked() {
    let world = World::new().await;
    let path = "/api/profile/blocked-players";
    let answer = read(world.send_signed_in("POST", path, r#"{"userId":"u-2"}"#)).await;
    assert!(answer.payload().is_null());
    assert_eq!(world.stub.received::<BlockPlayerRequest>()[0].1.player_id, "u-2");
    let answer = read(world.get_signed_in(path)).await.payload();
    let ids: Vec<_> = answer.as_array().unwrap().iter().map(|one| one["userId"].clone()).collect();
    assert_eq!(ids, [json!("u-2"), json!("gone")]);
    assert_eq!(answer[1]["former"], true);
    read(world.send_signed_in("DELETE", "/api/profile/blocked-players/u-2", "")).await;
    assert_eq!(world.stub.received::<UnblockPlayerRequest>()[0].1.player_id, "u-2");
    world.stub.refuse(Fault::invalid_field("player_id", "BLOCKED_SELF"));
    let answer = read(world.send_signed_in("POST", path, r#"{"userId":"u-1"}"#)).await;
    assert_eq!(answer.wrong_fields(), ["userId"]);
}

#[tokio::test]
async fn a_player_reads_what_keeps_the_player_from_sending() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/chat-rooms/lobby/sending")).await;
    assert_eq!(
        answer.payload(),
        json!({"closed": false, "mutedSeconds": 0, "slowModeSeconds": 30, "waitSeconds": 12})
    );
    assert_eq!(world.stub.received::<GetSendingRulesRequest>()[0].1.chat_room_id, "lobby");
    let body = r#"{"chatRoomId":"r-1","message":"Sasa?","chatType":"TEXT"}"#;
    for (code, reason, status) in [
        (Code::PermissionDenied, "ROOM_CLOSED", 403),
        (Code::PermissionDenied, "MUTED", 403),
        (Code::ResourceExhausted, "SLOW_MODE", 429),
        (Code::InvalidArgument, "WORD_NOT_ALLOWED", 400),
    ] {
        world.stub.refuse(Fault::new(code, reason));
        let answer = read(world.send_signed_in("POST", "/api/chats/send", body)).await;
        assert_eq!(answer.refusal(), (status, reason.to_owned()));
    }
}
