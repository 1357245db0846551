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
use types::Text;

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
        text: Some(Text::new("WITHDRAWAL_PAID").into()),
        held_until: None,
    }
}

fn event(payment: &str, status: PaymentStatus) -> PaymentUpdate {
    PaymentUpdate {
        payment_id: payment.into(),
        status: status.into(),
        message: "Funds withdrawn successfully!".into(),
        held_until: None,
    }
}

#[tokio::test]
async fn a_stream_is_hello_then_updates_then_the_end() {
    // No heartbeat within this test: an update alone must wake the stream.
    let world = World::with(|args| args.live.live_heartbeat = Duration::from_hours(1)).await;
    let feed = world.stub.next_watch();
    let (_, token) = world.tokens.player();
    let call = subscribe(&world, &["p-2", "p-1", "p-2"]).bearer_auth(&token);
    let mut stream = open(call).await;
    let (metadata, request) = world.stub.received::<WatchPaymentsRequest>().remove(0);
    assert_eq!(request.payment_ids, ["p-1", "p-2"]);
    assert_eq!(metadata.get("authorization").unwrap().to_str().unwrap(), format!("Bearer {token}"));

    for status in [PaymentStatus::InProgress, PaymentStatus::Completed] {
        feed.send(Ok(update("p-1", status))).await.unwrap();
        assert_eq!(stream.payment().await, event("p-1", status));
    }
    drop(feed);
    assert_eq!(stream.next().await, Next::End(Code::Ok));
}

#[tokio::test]
async fn a_refusal_comes_instead_of_hello() {
    let world = World::new().await;
    let strangers = testkit::Tokens::new(&world.base.clock);
    let forged = subscribe(&world, &["p-1"]).bearer_auth(strangers.player().1);
    assert_eq!(refused(forged).await, Code::Unauthenticated);
    assert_eq!(refused(subscribe(&world, &["p-1"])).await, Code::Unauthenticated);
    assert!(world.stub.received::<WatchPaymentsRequest>().is_empty());

    world.stub.refuse_watch(Fault::new(Code::PermissionDenied, "NOT_YOUR_PAYMENT"));
    assert_eq!(refused(watching(&world, &["p-1"])).await, Code::PermissionDenied);
    assert_eq!(refused(watching(&world, &[])).await, Code::InvalidArgument);
    let many: Vec<_> = (0..21).map(|n| format!("p-{n}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    assert_eq!(refused(watching(&world, &many)).await, Code::InvalidArgument);
}

#[tokio::test]
async fn a_request_body_without_an_end_exceeds_the_deadline() {
    let world = World::with(|args| args.call_limit = Duration::from_millis(200)).await;
    world.await_keys().await;
    let endless = tokio_stream::pending::<Result<Frame<Bytes>, Infallible>>();
    let body = reqwest::Body::wrap(StreamBody::new(endless));
    let call = watching(&world, &["p-1"]).body(body);
    assert_eq!(refused(call).await, Code::DeadlineExceeded);
}

#[tokio::test]
async fn the_deadline_covers_the_opening_alone() {
    let limit = Duration::from_millis(300);
    let world = World::with(|args| args.call_limit = limit).await;
    world.await_keys().await;
    let (feed, mut stream) =
        testkit::eventually("a stream opens before the deadline", async || {
            world.stub.forget_watches();
            let feed = world.stub.next_watch();
            try_open(watching(&world, &["p-1"])).await.ok().map(|stream| (feed, stream))
        })
        .await;
    tokio::time::sleep(limit).await;
    let completed = update("p-1", PaymentStatus::Completed);
    feed.send(Ok(completed)).await.unwrap();
    assert_eq!(stream.payment().await, event("p-1", PaymentStatus::Completed));
}

#[tokio::test]
async fn without_svc_wallet_it_is_unavailable() {
    let world = World::with(|args| args.upstreams.wallet_url = NOWHERE.into()).await;
    assert_eq!(refused(watching(&world, &["p-1"])).await, Code::Unavailable);
}

#[tokio::test]
async fn a_stream_without_updates_has_heartbeats() {
    let world = World::with(|args| args.live.live_heartbeat = Duration::from_millis(20)).await;
    let _feed = world.stub.next_watch();
    let mut stream = open(watching(&world, &["p-1"])).await;
    for _ in 0..3 {
        match stream.next().await {
            Next::Event(Event::Heartbeat(beat)) => assert!(beat.at.is_some()),
            other => panic!("instead of a heartbeat: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_stop_ends_streams_with_unavailable() {
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
    // No heartbeat within this test: the revocation alone must end the stream.
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
    assert_eq!(other.payment().await, event("p-1", PaymentStatus::Completed));
}

#[tokio::test]
async fn a_broken_stream_of_svc_wallet_is_opened_again() {
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
    assert_eq!(stream.payment().await, event("p-1", PaymentStatus::Completed));
    drop(second);
    assert_eq!(stream.next().await, Next::End(Code::Ok));
    assert_eq!(world.stub.received::<WatchPaymentsRequest>().len(), 3);
}

#[tokio::test]
async fn a_break_that_lasts_is_reported_until_it_is_over() {
    // No heartbeat within this test: the events are compared one by one.
    let world = World::with(|args| args.live.live_heartbeat = Duration::from_hours(1)).await;
    let first = world.stub.next_watch();
    // The client repeats a call twice.
    for _ in 0..3 {
        world.stub.refuse_watch(Status::unavailable("still away"));
    }
    let second = world.stub.next_watch();
    let mut stream = open(watching(&world, &["p-1"])).await;
    first.send(Err(Status::unavailable("killed"))).await.unwrap();

    assert!(matches!(stream.next().await, Next::Event(Event::Paused(_))));
    assert!(matches!(stream.next().await, Next::Event(Event::Resumed(_))));
    second.send(Ok(update("p-1", PaymentStatus::Pending))).await.unwrap();
    assert!(matches!(stream.next().await, Next::Event(Event::Payment(_))));
}

#[tokio::test]
async fn a_restart_of_svc_wallet_is_no_pause() {
    let world = World::with(|args| args.live.live_heartbeat = Duration::from_hours(1)).await;
    let (first, second) = (world.stub.next_watch(), world.stub.next_watch());
    let mut stream = open(watching(&world, &["p-1"])).await;
    first.send(Err(Status::unavailable("killed"))).await.unwrap();
    second.send(Ok(update("p-1", PaymentStatus::Pending))).await.unwrap();
    assert!(matches!(stream.next().await, Next::Event(Event::Payment(_))));
}

#[tokio::test]
async fn a_later_refusal_ends_the_stream_with_its_code() {
    let world = World::new().await;
    let feed = world.stub.next_watch();
    let stream = open(watching(&world, &["p-1"])).await;
    let expired = Status::from(Fault::unauthenticated());
    feed.send(Err(expired)).await.unwrap();
    assert_eq!(stream.end().await, Next::End(Code::Unauthenticated));
}

#[tokio::test]
async fn a_reader_that_falls_behind_is_ended_with_resource_exhausted() {
    let world = World::new().await;
    let feed = world.stub.next_watch();
    let stream = open(watching(&world, &["p-1"])).await;
    // More than the sockets between server and client can buffer while the client does
    // not read.
    let long = WatchPaymentsResponse {
        text: Some(
            Text::new("PAYMENT_PROMPT_ON_PHONE").with("phone", "x".repeat(64 * 1024)).into(),
        ),
        ..update("p-1", PaymentStatus::Pending)
    };
    for _ in 0..1_000 {
        if feed.send(Ok(long.clone())).await.is_err() {
            break;
        }
    }
    testkit::eventually("the stream is ended", async || feed.is_closed().then_some(())).await;
    assert_eq!(stream.end().await, Next::End(Code::ResourceExhausted));
}

#[tokio::test]
async fn a_reader_that_leaves_releases_its_permit() {
    let world = World::with(|args| {
        args.live.live_streams_per_player = 1;
        // The rate limit must not be reached, because it refuses with the same code.
        args.rates.live = "100000/1m".parse().unwrap();
    })
    .await;
    let (_, token) = world.tokens.player();
    let call = || subscribe(&world, &["p-1"]).bearer_auth(&token);
    let first = world.stub.next_watch();
    let stream = open(call()).await;
    assert_eq!(refused(call()).await, Code::ResourceExhausted);
    // Another player has permits of their own.
    let _other = world.stub.next_watch();
    open(watching(&world, &["p-1"])).await;

    drop(stream);
    first.closed().await;
    let _second = world.stub.next_watch();
    testkit::eventually("the permit is released", async || {
        let code = start_code(call()).await;
        (code != Some(Code::ResourceExhausted)).then_some(())
    })
    .await;
}

/// The gRPC status in the headers of a call that was refused before its stream opened.
async fn start_code(call: RequestBuilder) -> Option<Code> {
    let response = call.send().await.unwrap();
    let status = response.headers().get("grpc-status")?;
    Some(Code::from_bytes(status.as_bytes()))
}

#[tokio::test]
async fn opening_streams_has_a_rate_limit() {
    let world = World::with(|args| args.rates.live = "1/1m".parse().unwrap()).await;
    let (_, token) = world.tokens.player();
    let call = || subscribe(&world, &["p-1"]).bearer_auth(&token);
    let _feed = world.stub.next_watch();
    open(call()).await;
    assert_eq!(refused(call()).await, Code::ResourceExhausted);
}

#[tokio::test]
async fn the_path_takes_grpc_web_alone() {
    let world = World::new().await;
    let answer = read(world.get(gateway::live::SUBSCRIBE)).await;
    assert_eq!(answer.refusal(), (405, "HTTP_METHOD_NOT_ALLOWED".into()));
    let answer = read(world.send_signed_in("POST", gateway::live::SUBSCRIBE, "{}")).await;
    assert_eq!(answer.status, 400);
    let call = world
        .call("POST", "/playon.live.v1.LiveService/Publish")
        .header("content-type", "application/grpc-web-text");
    let answer = read(call).await;
    assert_eq!(answer.header("grpc-status"), Some("12"));
}
