//! A player's notifications over HTTP.

use proto::chat::v1::{ListNotificationsRequest, MarkNotificationsReadRequest};
use serde_json::json;
use tonic::Status;

use crate::world::{World, read};

#[tokio::test]
async fn the_list_has_the_words_of_each_kind_that_there_are_words_for() {
    let world = World::new().await;
    let call = world.get_signed_in("/api/profile/notifications?page=2&pageSize=10&before=n-9");
    let answer = read(call).await;
    assert_eq!(
        answer.payload(),
        json!([
            {
                "id": "n-2", "kind": "BOOST_RECEIVED", "title": "A friend boosted you",
                "body": "amina sent you KES 75.00. Asante, amina!",
                "createdAt": "2026-11-20T09:00:00.500Z", "read": false, "chatRoomUid": null,
            },
            {
                "id": "n-1", "kind": "TOP_UP_COMPLETED", "title": "Money in your wallet",
                "body": "Your top-up of KES 1,000.00 is in. Time to play!",
                "createdAt": "2026-11-20T09:00:00.500Z", "read": true, "chatRoomUid": null,
            },
        ])
    );
    let request = world.stub.received::<ListNotificationsRequest>().remove(0).1;
    let expected = ListNotificationsRequest { page: 2, page_size: 10, before_id: "n-9".into() };
    assert_eq!(request, expected);
}

#[tokio::test]
async fn the_list_is_in_the_language_of_the_call() {
    let world = World::new().await;
    let call = world.get_signed_in("/api/profile/notifications").header("accept-language", "sw-KE");
    let answer = read(call).await;
    assert_eq!(answer.payload()[0]["title"], "Rafiki amekupa pesa");
    assert_eq!(answer.payload()[0]["body"], "amina amekupa KES 75.00. Asante, amina!");
}

#[tokio::test]
async fn the_number_of_unread_ones_is_a_call_of_its_own() {
    let world = World::new().await;
    let answer = read(world.get_signed_in("/api/profile/notifications/unread")).await;
    assert_eq!(answer.payload(), json!({"unread": 3}));
}

#[tokio::test]
async fn reads_are_marked_by_id_or_all_without_ids_and_none_for_an_empty_list() {
    let world = World::new().await;
    for (body, ids) in [
        (r#"{"ids":["n-1","n-2"]}"#, Some(vec!["n-1", "n-2"])),
        ("{}", Some(vec![])),
        (r#"{"ids":null}"#, Some(vec![])),
        (r#"{"ids":[]}"#, None),
    ] {
        let before = world.stub.received::<MarkNotificationsReadRequest>().len();
        let call = world.send_signed_in("POST", "/api/profile/notifications/read", body);
        let answer = read(call).await;
        assert_eq!((answer.status.as_u16(), answer.payload()), (200, json!(null)), "{body}");
        let sent = world.stub.received::<MarkNotificationsReadRequest>().into_iter().skip(before);
        let sent: Vec<_> = sent.map(|(_, request)| request.ids).collect();
        let expected: Vec<Vec<String>> =
            ids.into_iter().map(|ids| ids.into_iter().map(str::to_owned).collect()).collect();
        assert_eq!(sent, expected, "{body}");
    }
    let body = r#"{"ids":"n-1"}"#;
    let call = world.send_signed_in("POST", "/api/profile/notifications/read", body);
    assert_eq!(read(call).await.refusal(), (400, "INVALID_ARGUMENT".into()));
}

#[tokio::test]
async fn guests_have_none_and_without_svc_chat_it_says_so() {
    let world = World::new().await;
    let answer = read(world.get("/api/profile/notifications")).await;
    assert_eq!(answer.refusal(), (401, "UNAUTHENTICATED".into()));
    world.stub.refuse(Status::unavailable("killed"));
    let answer = read(world.get_signed_in("/api/profile/notifications")).await;
    assert_eq!(answer.refusal(), (503, "CHAT_UNAVAILABLE".into()));
}
