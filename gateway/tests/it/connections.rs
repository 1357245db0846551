//! Limits of connections and of calls in flight.

use std::time::Duration;

use proto::auth::v1::SignInRequest;

use crate::world::{World, read};

#[tokio::test]
async fn a_connection_beyond_the_limit_is_closed() {
    let world = World::with(|args| args.http.connections = 0).await;
    let outcome = world.get("/healthz").send().await;
    assert!(outcome.is_err(), "{outcome:?}");
}

#[tokio::test]
async fn a_call_beyond_the_limit_is_refused_with_an_envelope() {
    let world = World::with(|args| args.http.calls = 0).await;
    for path in ["/", "/api/games/list", "/healthz"] {
        let answer = read(world.get(path)).await;
        assert_eq!(answer.refusal(), (503, "OVERLOADED".into()), "{path}");
        assert_eq!(answer.header("retry-after"), Some("2"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}

#[tokio::test]
async fn calls_of_one_address_leave_room_for_others() {
    let world = World::with(|args| {
        args.http.calls_per_address = 1;
        args.trusted_proxies = "127.0.0.0/8".parse().unwrap();
    })
    .await;
    world.stub.delay(Duration::from_secs(20));
    let from = |path: &str, client: &str| world.get(path).header("x-forwarded-for", client);
    let slow = from("/api/games/list", "198.51.100.1").send();
    let others = async {
        testkit::eventually("the first call is in flight", async || {
            let answer = read(from("/healthz", "198.51.100.1")).await;
            (answer.status == 429).then(|| {
                assert_eq!(answer.refusal(), (429, "TOO_MANY_CALLS".into()));
                assert_eq!(answer.header("retry-after"), Some("1"));
            })
        })
        .await;
        assert_eq!(read(from("/healthz", "198.51.100.2")).await.status, 200);
    };
    tokio::select! {
        reply = slow => panic!("the slow call ended: {reply:?}"),
        () = others => {}
    }
}

#[tokio::test]
async fn passwords_of_one_address_leave_room_in_the_queue_for_others() {
    let world = World::with(|args| {
        args.http.password_calls_per_address = 1;
        args.trusted_proxies = "127.0.0.0/8".parse().unwrap();
    })
    .await;
    world.stub.delay(Duration::from_secs(20));
    let sign_in = |client: &str| {
        let body = r#"{"email":"a@b.ke","password":"secret"}"#;
        world.send("POST", "/api/auth/sign-in", body).header("x-forwarded-for", client)
    };
    let slow = sign_in("198.51.100.1").send();
    let others = async {
        testkit::eventually("the first sign-in is in flight", async || {
            (!world.stub.received::<SignInRequest>().is_empty()).then_some(())
        })
        .await;
        let answer = read(sign_in("198.51.100.1")).await;
        assert_eq!(answer.refusal(), (429, "TOO_MANY_CALLS".into()));
        world.stub.delay(Duration::ZERO);
        assert_eq!(read(sign_in("198.51.100.2")).await.status, 200);
        let read_of_the_first = world.get("/healthz").header("x-forwarded-for", "198.51.100.1");
        assert_eq!(read(read_of_the_first).await.status, 200, "reads are not affected");
    };
    tokio::select! {
        reply = slow => panic!("the slow call ended: {reply:?}"),
        () = others => {}
    }
}

/// Sends the bodies of refused calls on eight connections at the same time.
#[tokio::test]
async fn refused_calls_with_bodies_lose_no_later_call_of_their_connection() {
    let world = World::with(|args| args.rates.hook = "1/1m".parse().unwrap()).await;
    let refusals = futures_util::future::join_all((0..8).map(async |client: usize| {
        let mut connection = world.connect().await;
        for n in 0..40 {
            let (path, length, status) = [
                ("/api/payments/top-up", 300, "401"),
                ("/api/nothing", 2_000, "404"),
                ("/hooks/stk/0123456789abcdef0123456789abcdef", 20_000, "413"),
                ("/api/games/list", 60_000, "405"),
            ][(client + n) % 4];
            let reply = connection.post(path, length).await;
            // One callback a minute passes the rate limit, and is refused for its length.
            let limited = path.starts_with("/hooks") && reply.starts_with("HTTP/1.1 429");
            let expected = reply.starts_with(&format!("HTTP/1.1 {status}"));
            assert!(expected || limited, "{path}: {reply}");
            assert!(!reply.contains("connection: close"), "{path}: {reply}");
        }
    }));
    assert_eq!(refusals.await.len(), 8);
}
