//! Live streams, as a browser reads them.

use std::{convert::Infallible, time::Duration};

use axum::body::Bytes;
use http_body::Frame;
use http_body_util::StreamBody;
use mesh::Fault;
use proto::{
    live::v1::{PaymentUpdate, live_event::Event},
    types::v1::PaymentStatus,
    wallet::v1::{WatchPaymentsRequest, WatchPaymentsResponse},
};
use reqwest::RequestBuilder;
use tonic::{Code, Status};

use crate::{
    grpc_web::{Next, open, refused, subscribe, try_open},
    world::{NOWHERE, World, read},
};

fn watching(world: &World, payments: &[&str]) -> RequestBuilder {
    subscribe(world, payments).bearer_auth(world.tokens.player().1)
}

fn update(payment: &str, status: PaymentStatus) -> WatchPaymentsResponse {
    WatchPaymentsResponse {
        payment_id: payment.into(),
        status: status.into(),
        message: "In our words.".into(),
    }
}

fn news(payment: &str, status: PaymentStatus) -> PaymentUpdate {
    PaymentUpdate {
        payment_id: payment.into(),
        status: status.into(),
        message: "In our words.".into(),
    }
}

#[tokio::test]
async fn hello_then_what_is_then_what_changes_then_the_end() {
    // Nothing but the news itself sets the stream in motion.
    let world = World::with(|args| args.live.live_heartbeat = Duration::from_hours(1)).await;
    let feed = world.stub.next_watch();
    let (_, token) = world.tokens.player();
    let call = subscribe(&world, &["p-2", "p-1", "p-2"]).bearer_auth(&token);
    let mut stream = open(call).await;
    let (metadata, request) = world.stub.heard::<WatchPaymentsRequest>().remove(0);
    assert_eq!(request.payment_ids, ["p-1", "p-2"]);
    assert_eq!(metadata.get("authorization").unwrap().to_str().unwrap(), format!("Bearer {token}"));

    for status in [PaymentStatus::InProgress, PaymentStatus::Completed] {
        feed.send(Ok(update("p-1", status))).await.unwrap();
        assert_eq!(stream.payment().await, news("p-1", status));
    }
    drop(feed);
    assert_eq!(stream.next().await, Next::End(Code::Ok));
}

#[tokio::test]
async fn it_is_refused_before_hello() {
    let world = World::new().await;
    let strangers = testkit::Tokens::new(&world.base.clock);
    let forged = subscribe(&world, &["p-1"]).bearer_auth(strangers.player().1);
    assert_eq!(refused(forged).await, Code::Unauthenticated);
    assert_eq!(refused(subscribe(&world, &["p-1"])).await, Code::Unauthenticated);
    assert!(world.stub.heard::<WatchPaymentsRequest>().is_empty());

    world.stub.refuse_watch(Fault::with_text(Code::PermissionDenied, "NOT_YOURS", "No."));
    assert_eq!(refused(watching(&world, &["p-1"])).await, Code::PermissionDenied);
    assert_eq!(refused(watching(&world, &[])).await, Code::InvalidArgument);
    let many: Vec<_> = (0..21).map(|n| format!("p-{n}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    assert_eq!(refused(watching(&world, &many)).await, Code::InvalidArgument);
}

#[tokio::test]
async fn a_request_that_never_comes_is_not_waited_for() {
    let world = World::with(|args| args.call_limit = Duration::from_millis(200)).await;
    world.await_keys().await;
    let endless = tokio_stream::pending::<Result<Frame<Bytes>, Infallible>>();
    let body = reqwest::Body::wrap(StreamBody::new(endless));
    let call = watching(&world, &["p-1"]).body(body);
    assert_eq!(refused(call).await, Code::DeadlineExceeded);
}

#[tokio::test]
async fn the_deadline_is_for_the_opening_alone() {
    let limit = Duration::from_millis(300);
    let world = World::with(|args| args.call_limit = limit).await;
    world.await_keys().await;
    let (feed, mut stream) = testkit::eventually("one that opens in its time", async || {
        world.stub.forget_watches();
        let feed = world.stub.next_watch();
        try_open(watching(&world, &["p-1"])).await.ok().map(|stream| (feed, stream))
    })
    .await;
    tokio::time::sleep(limit).await;
    let completed = update("p-1", PaymentStatus::Completed);
    feed.send(Ok(completed)).await.unwrap();
    assert_eq!(stream.payment().await, news("p-1", PaymentStatus::Completed));
}

#[tokio::test]
async fn without_the_wallet_it_is_unavailable() {
    let world = World::with(|args| args.upstreams.wallet_url = NOWHERE.into()).await;
    assert_eq!(refused(watching(&world, &["p-1"])).await, Code::Unavailable);
}

#[tokio::test]
async fn a_quiet_stream_has_a_heart_beat() {
    let world = World::with(|args| args.live.live_heartbeat = Duration::from_millis(20)).await;
    let _feed = world.stub.next_watch();
    let mut stream = open(watching(&world, &["p-1"])).await;
    for _ in 0..3 {
        match stream.next().await {
            Next::Event(Event::Heartbeat(beat)) => assert!(beat.at.is_some()),
            other => panic!("instead of a heart-beat: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_stop_ends_streams_in_good_order() {
    let mut world = World::new().await;
    let _feed = world.stub.next_watch();
    let stream = open(watching(&world, &["p-1"])).await;
    world.begin_stop();
    assert_eq!(stream.end().await, Next::End(Code::Unavailable));
    assert!(world.stop().await, "the gateway drained");
}

#[tokio::test]
async fn a_stream_does_not_outlive_its_token() {
    let world = World::new().await;
    let _feed = world.stub.next_watch();
    let mut claims = world.tokens.claims(world.tokens.player().0);
    claims.exp = world.base.clock.now().unix_timestamp() + 1;
    let call = subscribe(&world, &["p-1"]).bearer_auth(world.tokens.sign(&claims));
    let stream = open(call).await;
    assert_eq!(stream.end().await, Next::End(Code::Unavailable));
}

#[tokio::test]
async fn a_sign_out_ends_the_streams_of_its_session_and_no_other() {
    // They end by the word of it, or not within this test.
    let world = World::with(|args| args.live.live_heartbeat = Duration::from_hours(1)).await;
    let claims = world.tokens.claims(world.tokens.player().0);
    let token = world.tokens.sign(&claims);
    let (_feed, other_feed) = (world.stub.next_watch(), world.stub.next_watch());
    let stream = open(subscribe(&world, &["p-1"]).bearer_auth(&token)).await;
    // The same player, signed in elsewhere.
    let elsewhere = world.tokens.token(claims.sub);
    let mut other = open(subscribe(&world, &["p-1"]).bearer_auth(elsewhere)).await;

    world.tokens.revoke(&claims);
    assert_eq!(stream.end().await, Next::End(Code::Unauthenticated));
    let again = subscribe(&world, &["p-1"]).bearer_auth(&token);
    assert_eq!(refused(again).await, Code::Unauthenticated);
    other_feed.send(Ok(update("p-1", PaymentStatus::Completed))).await.unwrap();
    assert_eq!(other.payment().await, news("p-1", PaymentStatus::Completed));
}

#[tokio::test]
async fn a_break_on_the_way_to_the_wallet_is_mended_unseen() {
    let world = World::new().await;
    let first = world.stub.next_watch();
    world.stub.refuse_watch(Status::unavailable("still starting"));
    let second = world.stub.next_watch();
    let mut stream = open(watching(&world, &["p-1"])).await;
    let pending = update("p-1", PaymentStatus::Pending);
    first.send(Ok(pending)).await.unwrap();
    stream.payment().await;
    first.send(Err(Status::unavailable("killed"))).await.unwrap();

    let completed = update("p-1", PaymentStatus::Completed);
    second.send(Ok(completed)).await.unwrap();
    assert_eq!(stream.payment().await, news("p-1", PaymentStatus::Completed));
    drop(second);
    assert_eq!(stream.next().await, Next::End(Code::Ok));
    assert_eq!(world.stub.heard::<WatchPaymentsRequest>().len(), 3);
}

#[tokio::test]
async fn a_refusal_on_the_way_ends_the_stream_with_it() {
    let world = World::new().await;
    let feed = world.stub.next_watch();
    let stream = open(watching(&world, &["p-1"])).await;
    let expired = Status::from(Fault::unauthenticated());
    feed.send(Err(expired)).await.unwrap();
    assert_eq!(stream.end().await, Next::End(Code::Unauthenticated));
}

#[tokio::test]
async fn a_reader_that_falls_behind_is_cut_and_told() {
    let world = World::new().await;
    let feed = world.stub.next_watch();
    let stream = open(watching(&world, &["p-1"])).await;
    // More than the sockets on the way can hold for a reader that does not read.
    let long = WatchPaymentsResponse {
        message: "x".repeat(64 * 1024),
        ..update("p-1", PaymentStatus::Pending)
    };
    for _ in 0..1_000 {
        if feed.send(Ok(long.clone())).await.is_err() {
            break;
        }
    }
    testkit::eventually("the stream is given up", async || feed.is_closed().then_some(())).await;
    assert_eq!(stream.end().await, Next::End(Code::ResourceExhausted));
}

#[tokio::test]
async fn a_reader_that_leaves_frees_its_place() {
    let world = World::with(|args| {
        args.live.live_streams_per_player = 1;
        // As often as it takes: a rate that is used up would be refused like a full house.
        args.rates.live = "100000/1m".parse().unwrap();
    })
    .await;
    let (_, token) = world.tokens.player();
    let call = || subscribe(&world, &["p-1"]).bearer_auth(&token);
    let first = world.stub.next_watch();
    let stream = open(call()).await;
    assert_eq!(refused(call()).await, Code::ResourceExhausted);
    // Another player has a share of their own.
    let _other = world.stub.next_watch();
    open(watching(&world, &["p-1"])).await;

    drop(stream);
    first.closed().await;
    let _second = world.stub.next_watch();
    testkit::eventually("the place is free", async || {
        let code = start_code(call()).await;
        (code != Some(Code::ResourceExhausted)).then_some(())
    })
    .await;
}

/// The status of a call that was refused at once.
async fn start_code(call: RequestBuilder) -> Option<Code> {
    let response = call.send().await.unwrap();
    let status = response.headers().get("grpc-status")?;
    Some(Code::from_bytes(status.as_bytes()))
}

#[tokio::test]
async fn opening_streams_has_a_limit() {
    let world = World::with(|args| args.rates.live = "1/1m".parse().unwrap()).await;
    let (_, token) = world.tokens.player();
    let call = || subscribe(&world, &["p-1"]).bearer_auth(&token);
    let _feed = world.stub.next_watch();
    open(call()).await;
    assert_eq!(refused(call()).await, Code::ResourceExhausted);
}

#[tokio::test]
async fn the_door_takes_grpc_web_and_nothing_else() {
    let world = World::new().await;
    let answer = read(world.get(gateway::live::SUBSCRIBE)).await;
    assert_eq!(answer.refusal(), (405, "METHOD_NOT_ALLOWED".into()));
    let answer = read(world.send_signed_in("POST", gateway::live::SUBSCRIBE, "{}")).await;
    assert_eq!(answer.status, 400);
    let call = world
        .call("POST", "/playon.live.v1.LiveService/Publish")
        .header("content-type", "application/grpc-web-text");
    let answer = read(call).await;
    assert_eq!(answer.header("grpc-status"), Some("12"));
}
