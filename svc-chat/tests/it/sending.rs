//! Sending messages: their numbers, repeats and limits.

use std::time::Duration;

use proto::{chat::v1::SendMessageRequest, types::v1::ChatType};
use tonic::Code;
use types::PlayerId;

use crate::{
    harness::{Service, reason},
    talk::text,
};

#[tokio::test]
async fn fifty_senders_at_two_replicas_get_numbers_without_gaps_and_readers_their_order() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    service.open_room("lobby").await;
    let (_, reader) = service.member("lobby").await;
    let mut streams = [
        service.watch_room(&reader, "lobby", 0).await.unwrap(),
        other.watch_room(&reader, "lobby", 0).await.unwrap(),
    ];
    let mut senders = Vec::new();
    for _ in 0..50 {
        senders.push(service.member("lobby").await.1);
    }
    let sends = senders.iter().enumerate().map(|(number, token)| {
        let service = if number % 2 == 0 { &service } else { &other };
        async move {
            let mut seqs = Vec::new();
            for id in ["1", "2", "3", "4"] {
                seqs.push(service.send(token, text("lobby", "Habari", id)).await.unwrap().seq);
            }
            assert!(seqs.is_sorted(), "a sender's messages are in their order: {seqs:?}");
            seqs
        }
    });
    let mut seqs = futures_util::future::join_all(sends).await.concat();
    seqs.sort_unstable();
    let expected: Vec<u64> = (1..=200).collect();
    assert_eq!(seqs, expected);
    for stream in &mut streams {
        assert_eq!(stream.numbers(200).await, expected);
    }
}

#[tokio::test]
async fn a_repeat_returns_the_first_message() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let repeats = (0..12).map(|number| {
        let service = if number % 2 == 0 { &service } else { &other };
        service.send(&token, text("lobby", "Habari", "once"))
    });
    let messages = futures_util::future::join_all(repeats).await;
    let first = messages[0].clone().unwrap();
    for message in messages {
        assert_eq!(message.unwrap(), first);
    }
    let refused = service.send(&token, text("lobby", "Kwaheri", "once")).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED");
    // The same client_message_id of another player, or in another room, names another message.
    let (_, friend) = service.member("lobby").await;
    assert_eq!(service.send(&friend, text("lobby", "Habari", "once")).await.unwrap().seq, 2);
    assert_eq!(service.page(&token, "lobby", 0).await.unwrap().total_elements, 2);
}

#[tokio::test]
async fn a_message_that_breaks_a_limit_is_refused() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (player, token) = service.member("lobby").await;
    let file = |owner: PlayerId, extension: &str| {
        format!("/media/chat/{owner}/0123456789abcdef0123456789abcdef.{extension}")
    };
    let media = |url: String, chat_type: ChatType| SendMessageRequest {
        chat_type: chat_type.into(),
        ..text("lobby", &url, "media")
    };
    let stranger = service.tokens.player().0;
    for (request, expected) in [
        (text("lobby", "  \n", "1"), "EMPTY_MESSAGE"),
        (text("lobby", &"x".repeat(4_001), "1"), "INVALID_ARGUMENT"),
        (text("lobby", "Habari", ""), "INVALID_ARGUMENT"),
        (text("lobby", "Habari", "a b"), "INVALID_ARGUMENT"),
        (media("Habari".into(), ChatType::Unspecified), "INVALID_ARGUMENT"),
        (media("https://evil.example/a.jpg".into(), ChatType::Image), "MEDIA_NOT_ALLOWED"),
        (media(file(stranger, "jpg"), ChatType::Image), "MEDIA_NOT_ALLOWED"),
        (media(file(player, "pdf"), ChatType::Image), "MEDIA_NOT_ALLOWED"),
    ] {
        let refused = service.send(&token, request.clone()).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{request:?}");
        assert_eq!(reason(&refused), expected, "{request:?}");
    }
    let sent = service.send(&token, media(file(player, "jpg"), ChatType::Image)).await.unwrap();
    assert_eq!((sent.seq, sent.chat_type()), (1, ChatType::Image));
}

#[tokio::test]
async fn a_player_who_sends_too_fast_waits() {
    let service = Service::start_args(|args| {
        args.messages_per_room = 3;
        args.messages_per_player = 4;
    })
    .await;
    service.open_room("lobby").await;
    service.open_room("ajua").await;
    let (_, token) = service.member("lobby").await;
    service.join(&token, "ajua").await.unwrap();
    service.send_many(&token, "lobby", 0..3).await;
    let refused = service.send(&token, text("lobby", "Habari", "4")).await.unwrap_err();
    assert_eq!((refused.code(), &*reason(&refused)), (Code::ResourceExhausted, "RATE_LIMITED"));
    let fault = mesh::Fault::from_status(&refused);
    assert_eq!(fault.retry_after, Some(Duration::from_secs(10)));
    service.send(&token, text("ajua", "Habari", "1")).await.unwrap();
    let refused = service.send(&token, text("ajua", "Habari", "2")).await.unwrap_err();
    assert_eq!(reason(&refused), "RATE_LIMITED");
    // Other players are not limited, and the limit ends.
    let (_, other) = service.member("lobby").await;
    service.send(&other, text("lobby", "Habari", "1")).await.unwrap();
    service.clock.advance(Duration::from_secs(10));
    service.send(&token, text("lobby", "Habari", "4")).await.unwrap();
}
