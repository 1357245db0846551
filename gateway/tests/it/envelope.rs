//! The envelope of replies.

use std::time::Duration;

use mesh::Fault;
use tonic::{Code, Status};

use crate::world::{World, read};

#[tokio::test]
async fn a_refusal_has_the_status_of_its_code_and_the_services_text() {
    let world = World::new().await;
    for (code, status) in [
        (Code::InvalidArgument, 400),
        (Code::OutOfRange, 400),
        (Code::Unauthenticated, 401),
        (Code::PermissionDenied, 403),
        (Code::NotFound, 404),
        (Code::AlreadyExists, 409),
        (Code::Aborted, 409),
        (Code::FailedPrecondition, 422),
        (Code::ResourceExhausted, 429),
        (Code::Unimplemented, 501),
        (Code::Unavailable, 503),
        (Code::DeadlineExceeded, 504),
        (Code::Internal, 500),
        (Code::DataLoss, 500),
    ] {
        // A service that is newer than the gateway has such a REASON.
        let (reason, message) = ("A_REASON".into(), "In our words.".into());
        world.stub.refuse(Fault { code, reason, message, ..Fault::unavailable() });
        let answer = read(world.get("/api/games/list")).await;
        assert_eq!(answer.refusal(), (status, "A_REASON".into()), "{code:?}");
        assert_eq!(answer.envelope()["statusMessage"], "In our words.");
    }
}

#[tokio::test]
async fn fields_and_retry_after_are_passed_on() {
    let world = World::new().await;
    world.stub.refuse(Fault::invalid_field("username", "USERNAME_MISSING"));
    let answer = read(world.get("/api/games/list")).await;
    assert_eq!(answer.envelope()["payload"]["fields"]["username"], "Please enter a username.");

    let wait = Duration::from_millis(6_500);
    world.stub.refuse(Fault::rate_limited(wait));
    let answer = read(world.get("/api/games/list")).await;
    assert_eq!(answer.refusal(), (429, "RATE_LIMITED".into()));
    assert_eq!(answer.header("retry-after"), Some("7"));
}

#[tokio::test]
async fn a_failure_shows_no_internal_detail() {
    let world = World::new().await;
    world.stub.refuse(Status::internal("relation \"wallet\" does not exist"));
    let answer = read(world.get("/api/games/list")).await;
    assert_eq!(answer.refusal(), (500, "INTERNAL".into()));
    assert!(!answer.text().contains("wallet"));
}

#[tokio::test]
async fn without_its_service_a_call_is_unavailable() {
    let world = World::with(|args| args.upstreams.games_url = crate::world::NOWHERE.into()).await;
    let answer = read(world.get("/api/games/list")).await;
    assert_eq!(answer.refusal(), (503, "GAMES_UNAVAILABLE".into()));
    assert_eq!(read(world.get("/api/tournaments")).await.status, 200);
}

#[tokio::test]
async fn a_service_that_has_lost_its_database_is_named_as_well() {
    let world = World::new().await;
    world.stub.refuse(Fault::unavailable());
    for (path, reason) in [
        ("/api/games/list", "GAMES_UNAVAILABLE"),
        ("/api/tournaments", "TOURNAMENTS_UNAVAILABLE"),
        ("/api/chat-rooms/list", "CHAT_UNAVAILABLE"),
        ("/api/wallets/balance", "WALLET_UNAVAILABLE"),
        ("/api/auth/login", "ACCOUNT_UNAVAILABLE"),
        ("/api/auth/providers", "SIGN_IN_UNAVAILABLE"),
    ] {
        let answer = read(world.get_signed_in(path)).await;
        assert_eq!(answer.refusal(), (503, reason.into()), "{path}");
    }
}

#[tokio::test]
async fn a_call_that_was_shed_is_503_with_a_pause() {
    let world = World::new().await;
    world.stub.refuse(Fault::overloaded());
    let answer = read(world.get("/api/games/list")).await;
    assert_eq!(answer.refusal(), (503, "OVERLOADED".into()));
    assert_eq!(answer.header("retry-after"), Some("2"));
}

#[tokio::test]
async fn a_call_ends_at_its_deadline_which_is_passed_to_services() {
    let world = World::with(|args| args.call_limit = Duration::from_millis(300)).await;
    world.stub.delay(Duration::from_secs(20));
    // The first call has to dial, and may not reach the service before its deadline.
    let (metadata, _) = testkit::eventually("a call reaches the service", async || {
        let answer = read(world.get("/api/games/list")).await;
        assert_eq!(answer.refusal(), (504, "GAMES_UNAVAILABLE".into()));
        world.stub.received::<proto::games::v1::ListGamesRequest>().pop()
    })
    .await;
    let left = metadata.get("grpc-timeout").unwrap().to_str().unwrap();
    let left: u64 = left.strip_suffix('m').unwrap().parse().unwrap();
    assert!((1..=300).contains(&left), "{left} ms");
}

#[tokio::test]
async fn an_unknown_path_is_an_envelope_under_api_and_hooks() {
    let world = World::new().await;
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/auth/providers/more",
        "/api/payments/subscribe/x",
        "/hooks/stk",
        "/hooks/c2b/secret",
    ] {
        for method in ["GET", "POST"] {
            let answer = read(world.call(method, path)).await;
            assert_eq!(answer.refusal(), (404, "NOT_FOUND".into()), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn replies_are_not_cached_and_long_ones_are_compressed() {
    let world = World::new().await;
    let call = world.get("/api/games/list").header("accept-encoding", "gzip");
    let answer = read(call).await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    assert_eq!(&answer.body[..2], [0x1f, 0x8b]);

    let call = world.get("/api/auth/providers").header("accept-encoding", "gzip");
    assert_eq!(read(call).await.header("content-encoding"), None);
}

#[tokio::test]
async fn the_connectivity_check_needs_no_token_and_has_no_body() {
    let world = World::new().await;
    let answer = read(world.call("HEAD", "/api/auth/login")).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 0));
}
