//! Presence: the online counts of rooms.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use proto::chat::v1::{ListRoomsRequest, watch_rooms_response::Event};
use tokio::{runtime::Runtime, task::spawn_blocking};

use crate::harness::{Service, signed};

impl Service {
    async fn online(&self, token: &str) -> u32 {
        let request = signed(token, ListRoomsRequest {});
        let rooms = self.client.clone().list_rooms(request).await.unwrap().into_inner().rooms;
        rooms[0].online_member_count
    }

    async fn until_online(&self, token: &str, expected: u32) {
        testkit::eventually("who is online", async || {
            (self.online(token).await == expected).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn members_with_a_stream_at_any_replica_are_online_once() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    service.open_room("lobby").await;
    let (_, amina) = service.member("lobby").await;
    let (_, juma) = service.member("lobby").await;
    let mut amina_here = service.watch_room(&amina, "lobby", 0).await.unwrap();
    amina_here.counts(2, 1).await;
    let amina_there = other.watch_room(&amina, "lobby", 0).await.unwrap();
    let juma_there = other.watch_room(&juma, "lobby", 0).await.unwrap();
    amina_here.counts(2, 2).await;
    // One of the player's two streams ends; the player stays online by the other.
    drop(amina_there);
    drop(juma_there);
    amina_here.counts(2, 1).await;
    service.until_online(&juma, 1).await;
    drop(amina_here);
    service.until_online(&juma, 0).await;
}

#[tokio::test]
async fn a_burst_of_changes_is_at_most_one_count_a_second() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let mut stream = service.watch_room(&token, "lobby", 0).await.unwrap();
    stream.counts(1, 1).await;
    let begin = Instant::now();
    for _ in 0..100 {
        service.member("lobby").await;
    }
    let (mut updates, mut members) = (0, 1);
    while members < 101 {
        if let (_, Event::Counts(counts)) = stream.next().await.unwrap() {
            (updates, members) = (updates + 1, counts.members);
        }
    }
    // At most one count at the beginning, and one for each second that the test took.
    let most = begin.elapsed().as_secs() + 1;
    assert!(updates <= most, "{updates} updates, not {most}");
}

#[tokio::test]
async fn joining_changes_the_count_of_members_at_every_replica() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let mut stream = other.watch_room(&token, "lobby", 0).await.unwrap();
    stream.counts(1, 1).await;
    let (_, friend) = service.member("lobby").await;
    stream.counts(2, 1).await;
    service.leave(&friend, "lobby").await.unwrap();
    stream.counts(1, 1).await;
}

#[tokio::test]
async fn members_at_a_replica_that_crashed_leave_the_counts_of_open_streams() {
    let interval = Duration::from_secs(1);
    let service = Arc::new(Service::start_args(|args| args.presence_interval = interval).await);
    service.open_room("lobby").await;
    let (_, amina) = service.member("lobby").await;
    let (_, juma) = service.member("lobby").await;
    let mut stream = service.watch_room(&amina, "lobby", 0).await.unwrap();
    // The replica has its own runtime, whose shutdown acts like a killed process: Redis is not
    // updated.
    let first = Arc::clone(&service);
    let start = move || {
        let runtime = Runtime::new().unwrap();
        let replica = runtime.block_on(async {
            let replica = first.start_replica().await;
            let stream = replica.watch_room(&juma, "lobby", 0).await.unwrap();
            (replica, stream)
        });
        (runtime, replica)
    };
    let (runtime, _replica) = spawn_blocking(start).await.unwrap();
    stream.counts(2, 2).await;
    spawn_blocking(move || runtime.shutdown_timeout(Duration::from_secs(5))).await.unwrap();
    assert_eq!(service.online(&amina).await, 2);
    service.clock.advance(interval * 3);
    // The next beat names the players at this replica again, and counts.
    stream.counts(2, 1).await;
}

#[tokio::test]
async fn who_is_not_named_for_three_intervals_is_offline() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let mut stream = service.watch_room(&token, "lobby", 0).await.unwrap();
    stream.counts(1, 1).await;
    assert_eq!(service.online(&token).await, 1);
    service.clock.advance(Duration::from_secs(35));
    assert_eq!(service.online(&token).await, 1);
    // The state after a crash, which removes nothing from Redis. The room's feed names its players
    // once when it begins, perhaps only after the clock was moved.
    let mut online = 1;
    for _ in 0..3 {
        service.clock.advance(Duration::from_secs(37));
        online = service.online(&token).await;
    }
    assert_eq!(online, 0);
}
