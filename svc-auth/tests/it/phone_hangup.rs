//! Whoever asked for a code hangs up while the provider thinks.

use std::sync::Arc;

use axum::{Router, http::StatusCode, routing::post};
use tokio::{net::TcpListener, sync::Notify};

use crate::{
    harness::connect,
    world::{PHONE, World},
};

/// A provider that is asked, waits for a word, and then refuses.
#[expect(clippy::disallowed_methods, reason = "it dies with the test, which is its owner")]
async fn hesitant(asked: Arc<Notify>, go_on: Arc<Notify>) -> String {
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
async fn what_was_not_sent_is_given_back_to_who_no_longer_waits() {
    let (asked, go_on) = (Arc::<Notify>::default(), Arc::<Notify>::default());
    let url = hesitant(asked.clone(), go_on.clone()).await;
    let world = World::with(&[&url]).await;
    tokio::select! {
        outcome = world.auth.start_phone(PHONE) => panic!("nobody has answered: {outcome:?}"),
        () = asked.notified() => {}
    }
    go_on.notify_one();
    testkit::eventually("the return of what was not sent", || async {
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
