//! Room streams deliver each message exactly once.

use std::time::Duration;

use mesh::Fault;
use proto::{chat::v1::watch_rooms_response::Event, live::v1::ChatMessage};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tonic::Code;

use crate::{
    harness::{Service, reason},
    talk::{RoomStream, in_browser, text},
};

/// A proxy to Redis whose connections can be cut, as by killing Redis.
struct Redis {
    url: mesh::args::SecretUrl,
    proxy: JoinSet<()>,
}

impl Redis {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("redis://{}", listener.local_addr().unwrap()).parse().unwrap();
        let redis = std::env::var("TEST_REDIS_URL").unwrap();
        let redis = redis.trim_start_matches("redis://").trim_end_matches('/').to_owned();
        let mut proxy = JoinSet::new();
        proxy.spawn(async move {
            // The connections are aborted with the task.
            let mut connections = JoinSet::new();
            while let Ok((mut from, _)) = listener.accept().await {
                let mut to = TcpStream::connect(&redis).await.unwrap();
                connections.spawn(async move { copy_bidirectional(&mut from, &mut to).await });
            }
        });
        Self { url, proxy }
    }

    async fn kill(mut self) {
        self.proxy.shutdown().await;
    }
}

#[tokio::test]
async fn a_stream_goes_on_from_any_cursor_without_a_gap_or_a_repeat() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    service.open_room("lobby").await;
    let (_, sender) = service.member("lobby").await;
    let (_, reader) = service.member("lobby").await;
    service.send_many(&sender, "lobby", 1..121).await;
    // Readers reconnect while messages are being sent.
    let sending = service.send_many(&sender, "lobby", 121..241);
    let reading = async {
        let cursors = [0_u64, 1, 49, 50, 99, 100, 119, 120];
        let readings = cursors.into_iter().enumerate().map(|(number, cursor)| {
            let service = if number % 2 == 0 { &service } else { &other };
            let reader = &reader;
            async move {
                let mut have = cursor;
                // The connection is lost again and again.
                for count in [1_u64, 7, 240] {
                    let mut stream = service.watch_room(reader, "lobby", have).await.unwrap();
                    let count = count.min(240 - have);
                    let numbers = stream.numbers(usize::try_from(count).unwrap()).await;
                    assert_eq!(numbers, (have + 1..=have + count).collect::<Vec<_>>());
                    have += count;
                }
                assert_eq!(have, 240, "from {cursor}");
            }
        });
        futures_util::future::join_all(readings).await;
    };
    tokio::join!(sending, reading);
}

/// Reads until `count` messages have arrived; returns the numbers of each update, and the numbers
/// of removals.
async fn updates(stream: &mut RoomStream, count: usize) -> (Vec<Vec<u64>>, Vec<u64>) {
    let (mut shown, mut hidden) = (Vec::<Vec<u64>>::new(), Vec::new());
    while shown.iter().map(Vec::len).sum::<usize>() < count {
        match stream.next_update().await.unwrap().1 {
            Event::Messages(messages) => {
                let numbers = messages.live_events.iter().map(|event| in_browser(event).seq);
                shown.push(numbers.collect());
                assert_eq!(shown.last().unwrap().last(), Some(&messages.seq));
            }
            Event::Removal(removal) => hidden.push(removal.seq),
            Event::Counts(_) => {}
        }
    }
    (shown, hidden)
}

#[tokio::test]
async fn messages_that_are_read_together_come_together_and_hidden_ones_as_removals() {
    let service = Service::start().await;
    let room = service.open_room("lobby").await;
    let (player, token) = service.member("lobby").await;
    let (other, _) = service.member("lobby").await;
    service.block(&token, &other.to_string()).await.unwrap();
    let mut open = service.watch_room(&token, "lobby", 0).await.unwrap();
    open.counts(2, 1).await;
    // Inserts 19 messages as concurrent senders would; only the last message sends a hint.
    sqlx::query(
        "WITH numbers AS (UPDATE room_sequence SET messages = 19 WHERE room_id = $1::text::uuid)
         INSERT INTO message (room_id, seq, id, player_id, chat_type, content, created_at)
         SELECT $1::text::uuid, seq, gen_random_uuid(),
             CASE seq WHEN 3 THEN $3 ELSE $2 END::text::uuid, 'TEXT', 'Habari', now()
         FROM generate_series(1, 19) AS seq",
    )
    .bind(&room)
    .bind(player.to_string())
    .bind(other.to_string())
    .execute(&service.database.pool)
    .await
    .unwrap();
    service.send_many(&token, "lobby", 20..21).await;

    let expected = (vec![vec![1, 2], (4..=16).collect(), (17..=20).collect()], vec![3]);
    let (shown, hidden) = updates(&mut open, 19).await;
    // The last message may arrive alone, because the feed may have read the others before.
    assert_eq!((&shown[..2], hidden), (&expected.0[..2], vec![3]));
    assert_eq!(shown.concat(), expected.0.concat());
    let mut again = service.watch_room(&token, "lobby", 0).await.unwrap();
    assert_eq!(updates(&mut again, 19).await, expected);
    // A cursor in the middle of a batch.
    let mut later = service.watch_room(&token, "lobby", 5).await.unwrap();
    assert_eq!(updates(&mut later, 15).await, (vec![(6..=20).collect()], vec![]));
}

#[tokio::test]
async fn a_gateway_that_takes_no_batches_gets_each_message_alone() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    service.send_many(&token, "lobby", 1..4).await;
    let mut stream = service.watch_room_without_batches(&token, "lobby").await;
    assert_eq!(updates(&mut stream, 3).await.0, [[1], [2], [3]]);
}

#[tokio::test]
async fn a_cursor_beyond_the_newest_message_is_from_now_on() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    service.send_many(&token, "lobby", 1..4).await;
    let mut stream = service.watch_room(&token, "lobby", u64::MAX).await.unwrap();
    stream.counts(1, 1).await;
    service.send_many(&token, "lobby", 4..5).await;
    assert_eq!(stream.numbers(1).await, [4]);
}

#[tokio::test]
async fn one_stream_has_several_rooms() {
    let service = Service::start().await;
    for room in ["lobby", "ajua"] {
        service.open_room(room).await;
    }
    let (_, token) = service.member("lobby").await;
    let refused = service.watch_rooms(&token, &[("lobby", 0), ("ajua", 0), ("nowhere", 0)]).await;
    let fault = Fault::from_status(&refused.err().unwrap());
    assert_eq!(fault.params, [("rooms".into(), "ajua,nowhere".into())]);
    service.join(&token, "ajua").await.unwrap();
    let mut stream = service.watch_rooms(&token, &[("lobby", 0), ("ajua", 0)]).await.unwrap();
    for room in ["ajua", "lobby", "ajua"] {
        let sent = service.send(&token, text(room, "Habari", room)).await;
        if sent.as_ref().is_ok_and(|message| message.seq == 1) {
            loop {
                let (uid, event) = stream.next().await.unwrap();
                if let Event::Messages(message) = event {
                    let sent = sent.as_ref().unwrap();
                    let expected = ChatMessage {
                        id: sent.id.clone(),
                        user_id: sent.player_id.clone(),
                        chat_room_id: sent.chat_room_id.clone(),
                        chat_room_uid: uid,
                        message: "Habari".into(),
                        chat_type: sent.chat_type,
                        created_at: sent.created_at,
                        seq: 1,
                    };
                    assert_eq!(in_browser(&message.live_events[0]), expected);
                    assert_eq!(expected.chat_room_uid, room);
                    break;
                }
            }
            if room == "lobby" {
                break;
            }
        }
    }
}

#[tokio::test]
async fn a_reader_who_waits_long_gets_all_messages() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let mut stream = service.watch_room(&token, "lobby", 0).await.unwrap();
    // More messages than the buffers on the way hold; a feed's buffer has 256.
    let long = "x".repeat(4_000);
    for number in 0..600 {
        service.send(&token, text("lobby", &long, &number.to_string())).await.unwrap();
    }
    assert_eq!(stream.numbers(600).await, (1..=600).collect::<Vec<_>>());
}

#[tokio::test]
async fn without_redis_messages_go_in_and_readers_get_them() {
    let redis = Redis::new().await;
    let url = redis.url.clone();
    let service = Service::start_args(|args| args.redis_url = url).await;
    let other = service.start_replica().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let mut streams = [
        service.watch_room(&token, "lobby", 0).await.unwrap(),
        other.watch_room(&token, "lobby", 0).await.unwrap(),
    ];
    service.send_many(&token, "lobby", 1..11).await;
    for stream in &mut streams {
        assert_eq!(stream.numbers(10).await, (1..=10).collect::<Vec<_>>());
    }
    redis.kill().await;
    service.send_many(&token, "lobby", 11..21).await;
    for stream in &mut streams {
        assert_eq!(stream.numbers(10).await, (11..=20).collect::<Vec<_>>());
    }
    let mut new = other.watch_room(&token, "lobby", 5).await.unwrap();
    assert_eq!(new.numbers(15).await, (6..=20).collect::<Vec<_>>());
}

#[tokio::test]
async fn leaving_a_room_ends_its_streams_at_every_replica() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let (_, friend) = service.member("lobby").await;
    let mut streams = [
        service.watch_room(&token, "lobby", 0).await.unwrap(),
        other.watch_room(&token, "lobby", 0).await.unwrap(),
    ];
    let mut kept = other.watch_room(&friend, "lobby", 0).await.unwrap();
    service.leave(&token, "lobby").await.unwrap();
    for stream in &mut streams {
        let end = stream.end().await;
        assert_eq!((end.code(), &*reason(&end)), (Code::PermissionDenied, "NOT_A_MEMBER"));
        assert_eq!(Fault::from_status(&end).params, [("rooms".into(), "lobby".into())]);
    }
    service.send(&friend, text("lobby", "Habari", "1")).await.unwrap();
    assert_eq!(kept.numbers(1).await, [1]);
}

#[tokio::test]
async fn a_stop_ends_the_stream_with_unavailable() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let mut stream = service.watch_room(&token, "lobby", 0).await.unwrap();
    service.shutdown.stop();
    assert_eq!(stream.end().await.code(), Code::Unavailable);
}

#[tokio::test]
async fn old_messages_are_removed_and_numbers_go_on() {
    let service = Service::start_args(|args| args.message_retention = Duration::from_mins(5)).await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    service.send_many(&token, "lobby", 1..3).await;
    service.clock.advance(Duration::from_mins(6));
    // Jobs run at the start.
    let other = service.start_replica().await;
    testkit::eventually("the sweep", async || {
        other.page(&token, "lobby", 0).await.unwrap().messages.is_empty().then_some(())
    })
    .await;
    service.send_many(&token, "lobby", 3..4).await;
    let mut stream = other.watch_room(&token, "lobby", 0).await.unwrap();
    assert_eq!(stream.numbers(1).await, [3]);
}
