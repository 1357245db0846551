//! Live streams with topics of more than one service.

use std::time::Duration;

use mesh::Fault;
use proto::{
    chat::v1::{WatchNotificationsRequest, WatchNotificationsResponse},
    live::v1::{
        NotificationsUpdate, RoomCursor, StandingUpdate, SubscribeRequest, TopicKind,
        live_event::Event,
    },
    tournament::v1::{Standing, WatchStandingsRequest, WatchStandingsResponse},
    types::v1::PaymentStatus,
    wallet::v1::WatchPaymentsResponse,
};
use reqwest::RequestBuilder;
use tonic::{Code, Status};

use crate::{
    grpc_web::{Next, Stream, open, refused, refused_topics, subscribe_to},
    world::{NOWHERE, World},
};

/// A world without heartbeats: the events are compared one by one.
async fn quiet_world() -> World {
    World::with(|args| args.live.live_heartbeat = Duration::from_hours(1)).await
}

fn watching(world: &World, payments: &[&str], rooms: &[&str]) -> RequestBuilder {
    let request = SubscribeRequest {
        payment_ids: payments.iter().map(ToString::to_string).collect(),
        rooms: rooms
            .iter()
            .map(|uid| RoomCursor { chat_room_uid: (*uid).to_owned(), after_seq: 0 })
            .collect(),
        notifications: true,
        tournament_ids: Vec::new(),
    };
    subscribe_to(world, &request).bearer_auth(world.tokens.player().1)
}

fn state(unread: u32) -> WatchNotificationsResponse {
    WatchNotificationsResponse { unread, newest_id: format!("n-{unread}") }
}

fn completed() -> WatchPaymentsResponse {
    WatchPaymentsResponse {
        payment_id: "p-1".into(),
        status: PaymentStatus::Completed.into(),
        text: None,
        held_until: None,
    }
}

async fn event(stream: &mut Stream) -> Event {
    match stream.next().await {
        Next::Event(event) => event,
        end => panic!("instead of an event: {end:?}"),
    }
}

#[tokio::test]
async fn one_stream_carries_payments_and_notifications_and_outlives_the_payments() {
    let world = quiet_world().await;
    let (payments, notifications) = (world.stub.next_watch(), world.stub.next_notification_watch());
    let mut stream = open(watching(&world, &["p-1"], &[])).await;
    assert_eq!(world.stub.received::<WatchNotificationsRequest>().len(), 1);

    notifications.send(Ok(state(1))).await.unwrap();
    let update = NotificationsUpdate { unread: 1, newest_id: "n-1".into() };
    assert_eq!(event(&mut stream).await, Event::Notifications(update));
    payments.send(Ok(completed())).await.unwrap();
    assert_eq!(stream.payment().await.payment_id, "p-1");
    drop(payments);
    notifications.send(Ok(state(2))).await.unwrap();
    assert!(matches!(event(&mut stream).await, Event::Notifications(_)));
}

#[tokio::test]
async fn payments_go_on_while_svc_chat_is_out() {
    let world = World::with(|args| {
        args.live.live_heartbeat = Duration::from_hours(1);
        args.upstreams.chat_url = NOWHERE.into();
    })
    .await;
    let payments = world.stub.next_watch();
    let mut stream = open(watching(&world, &["p-1"], &[])).await;
    match event(&mut stream).await {
        Event::Paused(paused) => assert_eq!(paused.topics(), TopicKind::Notifications),
        other => panic!("instead of Paused: {other:?}"),
    }
    payments.send(Ok(completed())).await.unwrap();
    assert_eq!(stream.payment().await.payment_id, "p-1");
}

#[tokio::test]
async fn notifications_that_broke_are_paused_and_resumed_beside_payments() {
    let world = quiet_world().await;
    let (payments, first) = (world.stub.next_watch(), world.stub.next_notification_watch());
    let mut stream = open(watching(&world, &["p-1"], &[])).await;
    // More tries than a stream of one service makes; the client repeats a call twice.
    for _ in 0..6 {
        world.stub.refuse_notification_watch(Status::unavailable("still away"));
    }
    let second = world.stub.next_notification_watch();
    first.send(Err(Status::unavailable("killed"))).await.unwrap();
    match event(&mut stream).await {
        Event::Paused(paused) => assert_eq!(paused.topics(), TopicKind::Notifications),
        other => panic!("instead of Paused: {other:?}"),
    }
    payments.send(Ok(completed())).await.unwrap();
    assert_eq!(stream.payment().await.payment_id, "p-1");
    second.send(Ok(state(1))).await.unwrap();
    match event(&mut stream).await {
        Event::Resumed(resumed) => assert_eq!(resumed.topics(), TopicKind::Notifications),
        other => panic!("instead of Resumed: {other:?}"),
    }
    assert!(matches!(event(&mut stream).await, Event::Notifications(_)));
}

#[tokio::test]
async fn without_any_service_of_its_topics_a_stream_is_unavailable() {
    let world = World::with(|args| {
        args.upstreams.chat_url = NOWHERE.into();
        args.upstreams.wallet_url = NOWHERE.into();
    })
    .await;
    assert_eq!(refused(watching(&world, &["p-1"], &[])).await, Code::Unavailable);
    assert_eq!(refused(watching(&world, &[], &[])).await, Code::Unavailable);
}

#[tokio::test]
async fn a_refusal_names_the_topics_that_are_to_blame() {
    let world = World::new().await;
    let fault = Fault::new(Code::PermissionDenied, "NOT_YOUR_PAYMENT").param("payments", "p-2");
    world.stub.refuse_watch(fault);
    let _notifications = world.stub.next_notification_watch();
    let refused = refused_topics(watching(&world, &["p-1", "p-2"], &[])).await;
    assert_eq!(refused, (Code::PermissionDenied, Some("payment/p-2".into())));

    let _payments = world.stub.next_watch();
    world.stub.refuse_notification_watch(Fault::unimplemented());
    let refused = refused_topics(watching(&world, &["p-1"], &[])).await;
    assert_eq!(refused, (Code::Unimplemented, Some("notifications".into())));

    let guest = subscribe_to(
        &world,
        &SubscribeRequest { notifications: true, ..SubscribeRequest::default() },
    );
    assert_eq!(refused_topics(guest).await, (Code::Unauthenticated, None));
}

#[tokio::test]
async fn a_players_places_arrive_beside_the_notifications() {
    let world = quiet_world().await;
    let (standings, notifications) =
        (world.stub.next_standing_watch(), world.stub.next_notification_watch());
    let request = SubscribeRequest {
        notifications: true,
        tournament_ids: vec!["t-1".into(), "t-1".into()],
        ..SubscribeRequest::default()
    };
    let mut stream =
        open(subscribe_to(&world, &request).bearer_auth(world.tokens.player().1)).await;
    assert_eq!(world.stub.received::<WatchStandingsRequest>()[0].1.tournament_ids, ["t-1"]);
    let own = Standing { player_id: "p-1".into(), rank: 4, points: 70 };
    let state = WatchStandingsResponse {
        tournament_id: "t-1".into(),
        own: Some(own),
        players: 212,
        best_points: 90,
        settled: false,
    };
    standings.send(Ok(state)).await.unwrap();
    let update = StandingUpdate {
        tournament_id: "t-1".into(),
        rank: 4,
        points: 70,
        players: 212,
        best_points: 90,
        settled: false,
    };
    assert_eq!(event(&mut stream).await, Event::Standing(update));
    // The other topics outlive a tournament that is settled.
    drop(standings);
    notifications.send(Ok(self::state(1))).await.unwrap();
    assert!(matches!(event(&mut stream).await, Event::Notifications(_)));
}

#[tokio::test]
async fn a_tournament_that_is_unknown_is_refused_by_its_name() {
    let world = World::new().await;
    let fault = Fault::new(Code::InvalidArgument, "INVALID_ARGUMENT").param("tournaments", "t-2");
    world.stub.refuse_standing_watch(fault);
    let request = SubscribeRequest {
        tournament_ids: vec!["t-1".into(), "t-2".into()],
        ..SubscribeRequest::default()
    };
    let stream = subscribe_to(&world, &request).bearer_auth(world.tokens.player().1);
    let refused = refused_topics(stream).await;
    assert_eq!(refused, (Code::InvalidArgument, Some("tournament/t-2".into())));
}
