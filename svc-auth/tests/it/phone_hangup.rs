//! A caller hangs up while the SMS provider is called.

use std::sync::Arc;

use axum::{Router, http::StatusCode, routing::post};
use tokio::{net::TcpListener, sync::Notify};

use crate::{
    harness::connect,
    world::{PHONE, World},
};

/// A provider that refuses when the test says so.
#[expect(clippy::disallowed_methods, reason = "it dies with the test, which is its owner")]
async fn start_paused_provider(asked: Arc<Notify>, go_on: Arc<Notify>) -> String {
    let refuse = post(move || async move {
        asked.notify_one();
        go_on.notified().await;
        StatusCode::UNAUTHORIZED
    });
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("--sms-base-url=http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/version1/messaging", refuse);
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

#[tokio::test]
async fn a_code_that_was_not_sent_is_uncounted_after_the_caller_hung_up() {
    let (asked, go_on) = (Arc::<Notify>::default(), Arc::<Notify>::default());
    let url = start_paused_provider(asked.clone(), go_on.clone()).await;
    let world = World::with(&[&url]).await;
    tokio::select! {
        outcome = world.auth.start_phone(PHONE) => panic!("there was no reply yet: {outcome:?}"),
        () = asked.notified() => {}
    }
    go_on.notify_one();
    testkit::eventually("the code is uncounted", || async {
        let kept: (i64, i64, i64) = sqlx::query_as(
            "SELECT (SELECT sum(sent) FROM sms_spent),
                    (SELECT count(*) FROM phone_challenge WHERE ended_at IS NULL),
                    (SELECT sum(cardinality(sent))::bigint FROM code_rate_limit)",
        )
        .fetch_one(&mut connect(&world.auth.database).await)
        .await
        .unwrap();
        (kept == (0, 0, 0)).then_some(())
    })
    .await;
}
