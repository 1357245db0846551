//! One trace from the gateway to the service, and its id on every reply.

use opentelemetry::trace::{SpanId, SpanKind};
use opentelemetry_sdk::trace::SpanData;
use proto::games::v1::ListGamesRequest;
use testkit::Spans;

use crate::world::{World, read};

#[tokio::test]
async fn a_callers_trace_is_linked_and_not_continued() {
    let spans = testkit::spans();
    let world = World::new().await;
    for (trace, flags) in
        [("0af7651916cd43dd8448eb211c80319c", "01"), ("1af7651916cd43dd8448eb211c80319c", "00")]
    {
        let call = world
            .get("/api/games/list")
            .header("traceparent", format!("00-{trace}-b7ad6b7169203331-{flags}"))
            .header("tracestate", "vendor=text-of-the-caller");
        let answer = read(call).await;
        let own = answer.header("x-trace-id").unwrap();
        assert_ne!(own, trace);
        let server = root(spans, own).await;
        assert_eq!(server.name, "GET /api/games/list");
        assert_eq!(server.parent_span_id, SpanId::INVALID);
        let [link] = &server.links.links[..] else { panic!("{:?}", server.links) };
        assert_eq!(link.span_context.trace_id().to_string(), trace);
        assert_eq!(link.span_context.span_id().to_string(), "b7ad6b7169203331");
        assert!(!format!("{server:?}").contains("text-of-the-caller"));
    }
}

#[tokio::test]
async fn a_text_that_is_no_traceparent_is_ignored() {
    let spans = testkit::spans();
    let world = World::new().await;
    let zero = "00-00000000000000000000000000000000-b7ad6b7169203331-01";
    for text in ["", "00", "not-a-traceparent", zero] {
        let answer = read(world.get("/api/games/list").header("traceparent", text)).await;
        let server = root(spans, answer.header("x-trace-id").unwrap()).await;
        assert!(server.links.links.is_empty(), "{text}");
    }
}

#[tokio::test]
async fn the_trace_goes_on_to_the_service() {
    let spans = testkit::spans();
    let world = World::new().await;
    let answer = read(world.get("/api/games/list")).await;
    let trace = answer.header("x-trace-id").unwrap();
    let received = world.stub.received::<ListGamesRequest>();
    let onward = received[0].0.get("traceparent").unwrap().to_str().unwrap();
    assert!(onward.contains(trace), "{onward}");
    let server = root(spans, trace).await;
    let client = spans.of_trace(trace).into_iter();
    let client = client.filter(|span| span.span_kind == SpanKind::Client);
    let parents: Vec<_> = client.map(|span| span.parent_span_id).collect();
    assert_eq!(parents, [server.span_context.span_id()]);
}

/// The span of the request.
async fn root(spans: &Spans, trace: &str) -> SpanData {
    testkit::eventually("the server's span", async || {
        let spans = spans.of_trace(trace);
        spans.into_iter().find(|span| span.span_kind == SpanKind::Server)
    })
    .await
}

#[tokio::test]
async fn an_invented_method_is_in_no_span_name() {
    let spans = testkit::spans();
    let world = World::new().await;
    let answer = read(world.call("BREW", "/api/games/list")).await;
    let trace = answer.header("x-trace-id").unwrap();
    let server = root(spans, trace).await;
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
    let server = root(spans, trace).await;
    assert_eq!(server.name, "POST /hooks/stk/{secret}");
    assert!(!format!("{:?}", spans.of_trace(trace)).contains("feed0000"));
}
