//! Watching rooms: nothing is lost and nothing comes twice.

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
    talk::{in_browser, text},
};

/// A way to Redis that can be cut, as by killing Redis.
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
            // Aborted with the task.
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
    // Readers who come back while messages are being sent.
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

#[tokio::test]
async fn messages_come_together_and_hidden_ones_between_them_as_removals() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let (other, other_token) = service.member("lobby").await;
    service.send_many(&token, "lobby", 1..3).await;
    service.send_many(&other_token, "lobby", 3..4).await;
    service.send_many(&token, "lobby", 4..21).await;
    service.block(&token, &other.to_string()).await.unwrap();

    let mut stream = service.watch_room(&token, "lobby", 0).await.unwrap();
    let (mut shown, mut hidden) = (Vec::new(), Vec::new());
    while shown.iter().map(Vec::len).sum::<usize>() < 19 {
        match stream.next_update().await.unwrap().1 {
            Event::Messages(messages) => {
                let numbers: Vec<u64> =
                    messages.live_events.iter().map(|event| in_browser(event).seq).collect();
                assert_eq!(numbers.last(), Some(&messages.seq));
                shown.push(numbers);
            }
            Event::Removal(removal) => hidden.push(removal.seq),
            Event::Counts(_) => {}
        }
    }
    let expected = [vec![1, 2], (4..=16).collect(), (17..=20).collect()];
    assert_eq!((shown, hidden), (expected.to_vec(), vec![3]));
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
    // More than the buffers on the way hold, of which a feed's has 256 messages.
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
