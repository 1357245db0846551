//! Providers' callbacks.

use std::time::Duration;

use mesh::Fault;
use proto::wallet::v1::{Provider, ReceiveCallbackRequest};
use serde_json::{Value, json};
use tonic::{Code, Status};

use crate::world::{World, read};

const HOOK: &str = "/hooks/stk/0123456789abcdef0123456789abcdef";

#[tokio::test]
async fn a_callback_is_stored_as_it_came_before_it_is_answered() {
    let world = World::new().await;
    let body = b"\xff not even text {".to_vec();
    let call = world.call("POST", HOOK).header("content-type", "text/plain").body(body.clone());
    let answer = read(call).await;
    assert_eq!(answer.status, 200);
    let reply: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(reply, json!({"ResultCode": 0, "ResultDesc": "Accepted"}));
    let expected = ReceiveCallbackRequest {
        provider: Provider::MpesaStk.into(),
        secret: "0123456789abcdef0123456789abcdef".into(),
        body,
        source_ip: "127.0.0.1".into(),
        signature: String::new(),
    };
    assert_eq!(world.stub.received::<ReceiveCallbackRequest>()[0].1, expected);
}

#[tokio::test]
async fn a_callback_that_is_not_stored_is_not_accepted() {
    let world = World::new().await;
    for status in
        [Status::from(Fault::unavailable()), Status::internal("disk full"), Status::unknown("?")]
    {
        world.stub.refuse(status);
        let answer = read(world.call("POST", HOOK).body("{}")).await;
        assert_eq!(answer.refusal(), (503, "UNAVAILABLE".into()));
    }

    let world = World::with(|args| args.call_limit = Duration::from_millis(300)).await;
    world.stub.delay(Duration::from_secs(20));
    testkit::eventually("a callback reaches svc-wallet", async || {
        let answer = read(world.call("POST", HOOK).body("{}")).await;
        assert!(answer.status.is_server_error());
        world.stub.received::<ReceiveCallbackRequest>().pop()
    })
    .await;
}

#[tokio::test]
async fn a_callback_has_limits() {
    let world = World::with(|args| args.rates.hook = "2/1m".parse().unwrap()).await;
    let answer = read(world.call("POST", HOOK).body(vec![b'x'; 16 * 1024 + 1])).await;
    assert_eq!(answer.refusal(), (413, "BODY_TOO_LARGE".into()));
    let answer = read(world.call("POST", HOOK).body(vec![b'x'; 16 * 1024])).await;
    assert_eq!(answer.status, 200);
    let answer = read(world.call("POST", HOOK).body("{}")).await;
    assert_eq!(answer.refusal(), (429, "RATE_LIMITED".into()));
}

#[tokio::test]
async fn a_path_that_is_no_secret_never_reaches_svc_wallet() {
    let world = World::new().await;
    for secret in ["open-sesame", &"x".repeat(32), &"a".repeat(31), &"a".repeat(129)] {
        let answer = read(world.call("POST", &format!("/hooks/stk/{secret}")).body("{}")).await;
        assert_eq!(answer.refusal(), (404, "NOT_FOUND".into()), "{secret}");
    }
    assert!(world.stub.received::<ReceiveCallbackRequest>().is_empty());
}

#[tokio::test]
async fn a_refusal_of_svc_wallet_is_passed_on() {
    let world = World::new().await;
    for (code, reason, status) in
        [(Code::InvalidArgument, "NOT_A_CALLBACK", 400), (Code::NotFound, "UNKNOWN_CALLBACK", 404)]
    {
        world.stub.refuse(Fault::new(code, reason));
        let answer = read(world.call("POST", HOOK).body("{}")).await;
        assert_eq!(answer.refusal(), (status, reason.into()));
    }
}

#[tokio::test]
async fn each_path_names_its_provider() {
    let world = World::new().await;
    for (path, provider) in [
        ("b2c", Provider::MpesaB2c),
        ("timeout", Provider::MpesaTimeout),
        ("status", Provider::MpesaStatus),
        ("reversal", Provider::MpesaReversal),
        ("airtime", Provider::Airtime),
    ] {
        let hook = HOOK.replace("stk", path);
        assert_eq!(read(world.call("POST", &hook).body("{}")).await.status, 200, "{path}");
        let stored = world.stub.received::<ReceiveCallbackRequest>().pop().unwrap().1;
        assert_eq!(stored.provider(), provider);
    }
}

#[tokio::test]
async fn an_event_of_paystack_needs_a_signature() {
    let world = World::new().await;
    let post = || world.call("POST", "/hooks/paystack");
    let unsigned = read(post().body("{}")).await;
    assert_eq!(unsigned.refusal(), (401, "UNAUTHENTICATED".into()));
    let short = read(post().header("x-paystack-signature", "ab").body("{}")).await;
    assert_eq!(short.refusal(), (401, "UNAUTHENTICATED".into()));
    assert!(world.stub.received::<ReceiveCallbackRequest>().is_empty());

    let signature = "0f".repeat(64);
    let body = vec![b'x'; 64 * 1024];
    let signed = post().header("x-paystack-signature", &signature).body(body.clone());
    assert_eq!(read(signed).await.status, 200);
    let stored = world.stub.received::<ReceiveCallbackRequest>().pop().unwrap().1;
    assert_eq!(
        (stored.provider(), stored.signature, stored.body),
        (Provider::Paystack, signature, body)
    );
}
