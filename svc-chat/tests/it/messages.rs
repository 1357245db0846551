//! Pages of messages, and removing them.

use proto::chat::v1::{DeleteMessageRequest, watch_rooms_response::Event};
use tonic::{Code, Status};

use crate::{
    harness::{Service, reason, signed},
    talk::text,
};

impl Service {
    pub(crate) async fn delete_message(&self, token: &str, id: &str) -> Result<(), Status> {
        let request = DeleteMessageRequest { id: id.into() };
        self.client.clone().delete_message(signed(token, request)).await.map(drop)
    }

    async fn seqs(&self, token: &str, page: u32) -> Vec<u64> {
        let page = self.page(token, "lobby", page).await.unwrap();
        page.messages.into_iter().map(|message| message.seq).collect()
    }
}

#[tokio::test]
async fn a_page_holds_the_messages_with_its_numbers() {
    let service = Service::start().await;
    let id = service.open_room("lobby").await;
    let (player, token) = service.member("lobby").await;
    let empty = service.page(&token, "lobby", 0).await.unwrap();
    assert_eq!((empty.messages.len(), empty.total_pages, empty.total_elements), (0, 0, 0));

    service.send_many(&token, "lobby", 1..103).await;
    assert_eq!(service.seqs(&token, 0).await, (1..50).collect::<Vec<_>>());
    assert_eq!(service.seqs(&token, 1).await, (50..100).collect::<Vec<_>>());
    let newest = service.page(&token, &id, 2).await.unwrap();
    assert_eq!((newest.total_pages, newest.total_elements), (3, 102));
    let message = &newest.messages[2];
    assert_eq!((message.seq, &*message.text), (102, "m102"));
    assert_eq!(message.player_id, player.to_string());
    assert_eq!((newest.chat_room_id, &*message.chat_room_id), (id, ""), "once for all of them");
    assert_eq!(service.seqs(&token, 3).await, Vec::<u64>::new());
}

#[tokio::test]
async fn pages_that_are_asked_for_at_the_same_time_are_each_readers_own() {
    let service = Service::start().await;
    for room in ["lobby", "ajua"] {
        service.open_room(room).await;
    }
    let (sender, token) = service.member("lobby").await;
    let (_, reader) = service.member("lobby").await;
    let (_, blocking) = service.member("lobby").await;
    let (_, stranger) = service.member("ajua").await;
    service.send_many(&token, "lobby", 1..61).await;
    service.send_many(&reader, "lobby", 61..63).await;
    service.send_many(&stranger, "ajua", 1..3).await;
    service.block(&blocking, &sender.to_string()).await.unwrap();

    let pages = [
        (&reader, "lobby", 0, Some((1..50).collect())),
        (&reader, "lobby", 1, Some((50..63).collect())),
        (&reader, "lobby", 2, Some(vec![])),
        (&blocking, "lobby", 1, Some(vec![61, 62])),
        (&blocking, "lobby", 0, Some(vec![])),
        (&stranger, "lobby", 0, None),
        (&stranger, "ajua", 0, Some(vec![1, 2])),
    ];
    let calls = pages.iter().cycle().take(42).map(async |(token, room, page, expected)| {
        match service.page(token, room, *page).await {
            Ok(page) => {
                assert_eq!(page.total_elements, if *room == "lobby" { 62 } else { 2 });
                let seqs: Vec<u64> = page.messages.iter().map(|message| message.seq).collect();
                assert_eq!(Some(seqs), *expected);
            }
            Err(refused) => {
                assert_eq!((&*reason(&refused), expected), ("NOT_A_MEMBER", &None));
            }
        }
    });
    futures_util::future::join_all(calls).await;
}

#[tokio::test]
async fn a_removed_message_is_erased_and_keeps_its_number() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let ((_, token), (_, other)) = (service.member("lobby").await, service.member("lobby").await);
    let sent = service.send(&token, text("lobby", "A secret", "1")).await.unwrap();
    service.send_many(&token, "lobby", 2..4).await;
    let mut stream = service.watch_room(&other, "lobby", 3).await.unwrap();

    let refused = service.delete_message(&other, &sent.id).await.unwrap_err();
    assert_eq!((refused.code(), &*reason(&refused)), (Code::NotFound, "MESSAGE_NOT_FOUND"));
    assert_eq!(service.delete_message(&token, "1").await.unwrap_err().code(), Code::NotFound);
    service.delete_message(&token, &sent.id).await.unwrap();
    service.delete_message(&token, &sent.id).await.unwrap();

    assert_eq!(service.seqs(&token, 0).await, [2, 3]);
    let removal = stream.next_of_messages().await;
    assert!(matches!(removal, Event::Removal(removal) if removal.id == sent.id), "once");
    let kept: i64 =
        sqlx::query_scalar("SELECT count(*) FROM message WHERE content LIKE '%secret%'")
            .fetch_one(&service.database.pool)
            .await
            .unwrap();
    assert_eq!(kept, 0);
    // A reader who reconnects gets the removal, whether it had the message or not.
    for cursor in [0, 1, 3] {
        let mut stream = service.watch_room(&other, "lobby", cursor).await.unwrap();
        let first = stream.next_of_messages().await;
        assert!(matches!(first, Event::Removal(removal) if removal.seq == 1), "{cursor}");
        if cursor < 3 {
            assert_eq!(stream.numbers(2).await, [2, 3]);
        }
    }
}
