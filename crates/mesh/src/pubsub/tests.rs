//! Tests against a real Redis.

use std::net::SocketAddr;

use futures_util::FutureExt as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, tcp},
    sync::watch,
};

use super::{subscribers::BACKLOG, *};

/// A proxy that can stop forwarding, as a network does whose cable was pulled.
async fn proxy(redis: SocketAddr, tasks: Shutdown) -> (SocketAddr, watch::Sender<bool>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    let (stall, stalled) = watch::channel(false);
    tasks.clone().spawn_contained("proxy", async move {
        while let Ok((inner, _)) = listener.accept().await {
            let (inner_read, inner_write) = inner.into_split();
            let outer = TcpStream::connect(redis).await.unwrap();
            let (outer_read, outer_write) = outer.into_split();
            let requests = forward(inner_read, outer_write, stalled.clone());
            let replies = forward(outer_read, inner_write, stalled.clone());
            tasks.spawn_contained("requests", requests);
            tasks.spawn_contained("replies", replies);
        }
    });
    (addr, stall)
}

async fn forward(
    mut from: tcp::OwnedReadHalf,
    mut to: tcp::OwnedWriteHalf,
    mut stalled: watch::Receiver<bool>,
) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        let open = stalled.wait_for(|stalled| !stalled).await.is_ok();
        if !open || to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn a_redis_that_stalls_means_lagged_and_messages_arrive_again_afterwards() {
    let url = std::env::var("TEST_REDIS_URL").expect("a Redis for tests");
    let authority = url.strip_prefix("redis://").unwrap().trim_end_matches('/');
    let shutdown = Shutdown::new();
    let (addr, stall) = proxy(authority.parse().unwrap(), shutdown.clone()).await;
    let url = format!("redis://{addr}").parse().unwrap();
    let ping_after = Duration::from_millis(50);
    let pubsub = PubSub::start_with(ping_after, &url, "mesh.pubsub.test.*", &shutdown).unwrap();
    let id = types::Rng::system().uuid_v7(types::Clock::system().now());
    let channel = format!("mesh.pubsub.test.{id}");
    let mut subscription = pubsub.subscribe([channel.clone()]);
    receive(&pubsub, &mut subscription, &channel).await;

    stall.send(true).unwrap();
    // Nothing is published: the stall is found by a ping.
    while subscription.next().await.unwrap() != Event::Lagged {}

    stall.send(false).unwrap();
    receive(&pubsub, &mut subscription, &channel).await;
    shutdown.stop();
}

#[tokio::test]
async fn messages_that_are_published_together_arrive_each_in_its_channel() {
    let url = std::env::var("TEST_REDIS_URL").expect("a Redis for tests").parse().unwrap();
    let shutdown = Shutdown::new();
    let pubsub = PubSub::start(&url, "mesh.pubsub.test.*", &shutdown).unwrap();
    let id = types::Rng::system().uuid_v7(types::Clock::system().now());
    let channels = ["one", "other"].map(|name| format!("mesh.pubsub.test.{id}.{name}"));
    let [one, other] = channels.clone();
    let mut subscription = pubsub.subscribe(channels);
    receive(&pubsub, &mut subscription, &one).await;

    pubsub.publish_all(&[(other.clone(), "a".into()), (one.clone(), "b".into())]).await.unwrap();
    let mut received = Vec::new();
    while received.len() < 2 {
        match subscription.next().await.unwrap() {
            Event::Message { channel, payload } if &*payload != "changed" => {
                received.push((channel.to_string(), payload.to_string()));
            }
            Event::Message { .. } | Event::Lagged => {}
        }
    }
    assert_eq!(received, [(other, "a".to_owned()), (one, "b".to_owned())]);
    shutdown.stop();
}

/// Publishes until the subscription receives it.
async fn receive(pubsub: &PubSub, subscription: &mut Subscription, channel: &str) {
    loop {
        let _ = pubsub.publish(channel, "changed").await;
        let event = tokio::time::timeout(Duration::from_secs(1), subscription.next()).await;
        if let Ok(Some(Event::Message { channel: received, .. })) = event
            && &*received == channel
        {
            return;
        }
    }
}

#[tokio::test]
async fn a_message_wakes_the_subscribers_of_its_channel_and_no_others() {
    let subscribers = Arc::<Subscribers>::default();
    let mut all: Vec<Subscription> =
        (0..20_000).map(|n| subscribers.add(vec![format!("room.{n}").into()])).collect();

    assert_eq!(subscribers.dispatch("room.7", "hello"), 1, "one wake-up");
    assert_eq!(subscribers.dispatch("room.none", "hello"), 0);

    let woken = all.iter_mut().map(|subscription| subscription.next().now_or_never());
    assert_eq!(woken.flatten().count(), 1);
    drop(all);
    assert_eq!(subscribers.channels(), 0, "dropped subscriptions leave nothing behind");
}

#[tokio::test]
async fn a_slow_subscriber_lags_and_holds_nobody_up() {
    let subscribers = Arc::<Subscribers>::default();
    let mut slow = subscribers.add(vec!["room".into()]);
    for _ in 0..=BACKLOG {
        subscribers.dispatch("room", "hello");
    }
    assert_eq!(slow.next().await, Some(Event::Lagged));
    subscribers.dispatch("room", "again");
    assert!(matches!(slow.next().await, Some(Event::Message { .. })));
}

#[tokio::test]
async fn a_stop_ends_every_subscription() {
    let subscribers = Arc::<Subscribers>::default();
    let mut subscription = subscribers.add(vec!["room".into()]);
    subscribers.stop();
    assert_eq!(subscription.next().await, None);
    assert_eq!(subscribers.add(vec!["room".into()]).next().await, None);
}
