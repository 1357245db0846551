//! The form of every reply.

use std::time::Duration;

use mesh::Fault;
use tonic::{Code, Status};

use crate::world::{World, read};

#[tokio::test]
async fn each_refusal_has_the_status_of_the_table_and_its_own_words() {
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
        world.stub.refuse(Fault::with_text(code, "A_REASON", "In our words."));
        let answer = read(world.get("/api/games/list")).await;
        assert_eq!(answer.refusal(), (status, "A_REASON".into()), "{code:?}");
        assert_eq!(answer.envelope()["statusMessage"], "In our words.");
    }
}

#[tokio::test]
async fn fields_and_patience_are_passed_on() {
    let world = World::new().await;
    let fields = vec![("username".to_owned(), "Too short.".to_owned())];
    world.stub.refuse(Fault::invalid(fields));
    let answer = read(world.get("/api/games/list")).await;
    assert_eq!(answer.envelope()["payload"]["fields"]["username"], "Too short.");

    let wait = Duration::from_millis(6_500);
    world.stub.refuse(Fault::rate_limited(wait));
    let answer = read(world.get("/api/games/list")).await;
    assert_eq!(answer.refusal(), (429, "RATE_LIMITED".into()));
    assert_eq!(answer.header("retry-after"), Some("7"));
}

#[tokio::test]
async fn a_failure_tells_nobody_anything() {
    let world = World::new().await;
    world.stub.refuse(Status::internal("relation \"wallet\" does not exist"));
    let answer = read(world.get("/api/games/list")).await;
    assert_eq!(answer.refusal(), (500, "INTERNAL".into()));
    assert!(!answer.text().contains("wallet"));
}

#[tokio::test]
async fn a_service_out_of_reach_is_said_to_be() {
    let world = World::with(|args| args.upstreams.games_url = crate::world::NOWHERE.into()).await;
    let answer = read(world.get("/api/games/list")).await;
    assert_eq!(answer.refusal(), (503, "UNAVAILABLE".into()));
}

#[tokio::test]
async fn a_call_ends_when_its_time_is_up_and_services_know_the_time() {
    let world = World::with(|args| args.call_limit = Duration::from_millis(300)).await;
    world.stub.delay(Duration::from_secs(20));
    // The first has to dial, and may not get as far as the service.
    let (told, _) = testkit::eventually("one gets there in its time", async || {
        let answer = read(world.get("/api/games/list")).await;
        assert_eq!(answer.refusal(), (504, "DEADLINE_EXCEEDED".into()));
        world.stub.heard::<proto::games::v1::ListGamesRequest>().pop()
    })
    .await;
    let left = told.get("grpc-timeout").unwrap().to_str().unwrap();
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
        "/hooks/b2c/secret",
    ] {
        for method in ["GET", "POST"] {
            let answer = read(world.call(method, path)).await;
            assert_eq!(answer.refusal(), (404, "NOT_FOUND".into()), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn replies_are_not_kept_and_long_ones_are_compressed() {
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
