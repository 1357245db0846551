//! Watching rooms with more events than a feed's buffer holds.

use std::time::Duration;

use proto::chat::v1::watch_rooms_response::Event;

use crate::{harness::Service, talk::text};

#[tokio::test]
async fn a_feed_sends_more_removals_than_it_reads_at_once() {
    // Without a beat, which reads again.
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
    // As by other replicas whose hints were lost. The hint of the last one has its own replica
    // read twice, which is not enough for all.
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
