//! Room streams whose readers fall further behind than a feed's buffer.

use std::time::Duration;

use proto::chat::v1::watch_rooms_response::Event;

use crate::{harness::Service, talk::text};

#[tokio::test]
async fn a_reader_who_lags_gets_removals_and_counts_that_its_feed_dropped() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let (_, witness) = service.member("lobby").await;
    let mut slow = service.watch_room(&token, "lobby", 0).await.unwrap();
    let mut witness = service.watch_room(&witness, "lobby", 0).await.unwrap();
    slow.counts(2, 2).await;
    let mut ids = Vec::new();
    // The first 300 messages are 5 MB, more than the connection and the queues on the way hold, so
    // the reader takes none of the following ones.
    let long = "\u{1f3b2}".repeat(4_000);
    for number in 1..=300 {
        let sent = service.send(&token, text("lobby", &long, &number.to_string())).await.unwrap();
        ids.push(sent.id);
        assert_eq!(witness.numbers(1).await, [number]);
    }
    service.delete_message(&token, &ids[0]).await.unwrap();
    assert!(
        matches!(witness.next_of_messages().await, Event::Removal(removed) if removed.seq == 1)
    );
    service.member("lobby").await;
    witness.counts(3, 2).await;
    // Enough messages to push both events out of the feed's buffer, and the first of these messages
    // as well.
    for number in 301..=600 {
        let sent = service.send(&token, text("lobby", "Habari", &number.to_string())).await;
        ids.push(sent.unwrap().id);
        assert_eq!(witness.numbers(1).await, [number]);
    }
    service.delete_message(&token, &ids[309]).await.unwrap();
    let removed = witness.next_of_messages().await;
    assert!(matches!(removed, Event::Removal(removed) if removed.seq == 310));

    let (mut messages, mut removals, mut members) = (Vec::new(), Vec::new(), 0);
    while messages.last() != Some(&600) || members != 3 {
        match slow.next().await.unwrap().1 {
            Event::Messages(message) => messages.push(message.seq),
            Event::Removal(removed) => removals.push(removed.seq),
            Event::Counts(counts) => members = counts.members,
        }
    }
    // The next message comes after all that the reader has missed.
    service.send_many(&token, "lobby", 601..602).await;
    loop {
        match slow.next_of_messages().await {
            Event::Removal(removed) => removals.push(removed.seq),
            Event::Messages(message) => {
                assert_eq!(message.seq, 601);
                break;
            }
            Event::Counts(_) => {}
        }
    }
    let expected: Vec<u64> = (1..=600).filter(|seq| *seq != 310).collect();
    assert_eq!(messages, expected);
    assert_eq!(removals, [1, 310], "each once");
}

#[tokio::test]
async fn a_feed_sends_more_removals_than_it_reads_at_once() {
    // The presence interval is long, so that no beat reads again during the test.
    let service =
        Service::start_args(|args| args.presence_interval = Duration::from_hours(1)).await;
    let room = service.open_room("lobby").await;
    let (player, token) = service.member("lobby").await;
    let execute = async |statement: &'static str| {
        let query = sqlx::query(statement).bind(&room).bind(player.to_string());
        query.execute(&service.database.pool).await.unwrap();
    };
    execute(
        "WITH numbers AS (UPDATE room_sequence SET messages = 1000 WHERE room_id = $1::text::uuid)
         INSERT INTO message (room_id, seq, id, player_id, chat_type, content, created_at)
         SELECT $1::text::uuid, seq, gen_random_uuid(), $2::text::uuid, 'TEXT', 'Habari', now()
         FROM generate_series(1, 1000) AS seq",
    )
    .await;
    let last = service.send(&token, text("lobby", "Habari", "last")).await.unwrap();
    let mut stream = service.watch_room(&token, "lobby", 0).await.unwrap();
    assert_eq!(stream.numbers(1_001).await.len(), 1_001);
    // Inserts messages as other replicas whose hints were lost. The hint of the last message makes
    // the replica read twice, which is not enough for all of them.
    execute(
        "WITH numbers AS (UPDATE room_sequence SET removals = 1000 WHERE room_id = $1::text::uuid)
         UPDATE message SET content = '', removal = seq
         WHERE room_id = $1::text::uuid AND player_id = $2::text::uuid AND seq <= 1000",
    )
    .await;
    service.delete_message(&token, &last.id).await.unwrap();
    for seq in 1..=1_001 {
        match stream.next_of_messages().await {
            Event::Removal(removed) => assert_eq!(removed.seq, seq),
            other => panic!("instead of a removal: {other:?}"),
        }
    }
}
