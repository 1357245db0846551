//! One trace from the browser to the service, and its id on every reply.

use opentelemetry::trace::SpanKind;
use proto::games::v1::ListGamesRequest;

use crate::world::{World, read};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

#[tokio::test]
async fn a_browsers_trace_is_continued_to_the_service() {
    let spans = testkit::spans();
    let world = World::new().await;
    let call = world
        .get("/api/games/list")
        .header("traceparent", format!("00-{TRACE}-b7ad6b7169203331-01"));
    let answer = read(call).await;
    assert_eq!(answer.header("x-trace-id"), Some(TRACE));
    let received = world.stub.received::<ListGamesRequest>();
    let onward = received[0].0.get("traceparent").unwrap().to_str().unwrap();
    assert!(onward.contains(TRACE), "{onward}");

    let server = testkit::eventually("the server's span", async || {
        let spans = spans.of_trace(TRACE);
        spans.into_iter().find(|span| span.span_kind == SpanKind::Server)
    })
    .await;
    assert_eq!(server.name, "GET /api/games/list");
    assert_eq!(server.parent_span_id.to_string(), "b7ad6b7169203331");
    let client = spans.of_trace(TRACE).into_iter();
    let client = client.filter(|span| span.span_kind == SpanKind::Client);
    let parents: Vec<_> = client.map(|span| span.parent_span_id).collect();
    assert_eq!(parents, [server.span_context.span_id()]);
}

#[tokio::test]
async fn a_trace_that_is_not_sampled_is_not_continued() {
    let spans = testkit::spans();
    let world = World::new().await;
    let trace = "1af7651916cd43dd8448eb211c80319c";
    for flags in ["00", "02"] {
        let call = world
            .get("/api/games/list")
            .header("traceparent", format!("00-{trace}-b7ad6b7169203331-{flags}"));
        let answer = read(call).await;
        let own = answer.header("x-trace-id").unwrap();
        assert_ne!(own, trace);
        testkit::eventually("the server's span", async || {
            let spans = spans.of_trace(own);
            spans.into_iter().find(|span| span.span_kind == SpanKind::Server)
        })
        .await;
    }
}

#[tokio::test]
async fn an_invented_method_is_in_no_span_name() {
    let spans = testkit::spans();
    let world = World::new().await;
    let answer = read(world.call("BREW", "/api/games/list")).await;
    let trace = answer.header("x-trace-id").unwrap();
    let server = testkit::eventually("the server's span", async || {
        let spans = spans.of_trace(trace);
        spans.into_iter().find(|span| span.span_kind == SpanKind::Server)
    })
    .await;
    assert_eq!(server.name, "OTHER /api/games/list");
    assert!(!format!("{server:?}").contains("BREW"));
}

#[tokio::test]
async fn every_reply_has_a_trace_of_its_own() {
    testkit::spans();
    let world = World::new().await;
    let mut seen = Vec::new();
    for path in [
        "/",
        "/assets/app-1a2b.js",
        "/assets/missing.js",
        "/api/auth/providers",
        "/api/nothing",
        "/api/wallets/balance",
        "/hooks/stk/x",
        "/healthz",
        "/playon.live.v1.LiveService/Unknown",
    ] {
        let answer = read(world.get(path)).await;
        let id = answer.header("x-trace-id").expect(path).to_owned();
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert!(!seen.contains(&id), "{path}");
        seen.push(id);
    }
}

#[tokio::test]
async fn a_callbacks_secret_is_in_no_span() {
    let spans = testkit::spans();
    let world = World::new().await;
    let answer =
        read(world.call("POST", "/hooks/stk/feed0000feed0000feed0000feed0000").body("{}")).await;
    let trace = answer.header("x-trace-id").unwrap();
    let server = testkit::eventually("the server's span", async || {
        let spans = spans.of_trace(trace);
        spans.into_iter().find(|span| span.span_kind == SpanKind::Server)
    })
    .await;
    assert_eq!(server.name, "POST /hooks/stk/{secret}");
    assert!(!format!("{:?}", spans.of_trace(trace)).contains("feed0000"));
}
