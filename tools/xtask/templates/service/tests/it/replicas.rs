//! Two replicas on one database.

use std::time::Duration;

use crate::harness::Service;

#[tokio::test]
async fn a_request_sent_to_two_replicas_at_once_creates_one_{{noun}}() {
    let one = Service::start().await;
    let other = one.start_replica().await;
    one.record_changes().await;
    let (_, token) = one.tokens.player();
    for round in 0..10 {
        let key = format!("key-{round}");

        let (first, second) =
            tokio::join!(one.create(&token, &key, "Simba"), other.create(&token, &key, "Simba"));

        assert_eq!(first.unwrap(), second.unwrap());
    }
    assert_eq!(one.count("SELECT count(*) FROM {{noun}}").await, 10);
    one.until("SELECT count(*) FROM outbox", 0).await;
    assert_eq!(one.count("SELECT count(*) FROM change").await, 10, "announced once each");
    assert_eq!(one.count("SELECT count(DISTINCT id) FROM change").await, 10);
}

#[tokio::test]
async fn an_outbox_row_that_is_delivered_again_is_recognised() {
    let one = Service::start().await;
    let _other = one.start_replica().await;
    one.record_changes().await;
    let (_, token) = one.tokens.player();
    one.create(&token, "key-1", "Simba").await.unwrap();
    one.until("SELECT count(*) FROM outbox", 0).await;

    sqlx::query(
        "INSERT INTO outbox (topic, id, payload, due_at, created_at)
         SELECT '{{noun}}.created', gen_random_uuid(), jsonb_build_object('{{noun}}', id), now(), now()
         FROM {{noun}}, generate_series(1, 5)",
    )
    .execute(&one.database.pool)
    .await
    .unwrap();

    one.until("SELECT count(*) FROM outbox", 0).await;
    assert_eq!(one.count("SELECT count(*) FROM change").await, 1, "announced once");
}

#[tokio::test]
async fn two_replicas_expire_each_{{noun}}_once() {
    let one = Service::start().await;
    let _other = one.start_replica().await;
    let (player, _) = one.tokens.player();
    sqlx::query(
        "INSERT INTO {{noun}} (id, player_id, name, code, created_at, expires_at)
         SELECT gen_random_uuid(), $1, 'Simba', lpad(n::text, 10, '0'), $2, $3
         FROM generate_series(1, 2000) n",
    )
    .bind(player.uuid())
    .bind(one.clock.now())
    .bind(one.clock.now() + Duration::from_mins(1))
    .execute(&one.database.pool)
    .await
    .unwrap();
    one.record_changes().await;

    one.clock.advance(Duration::from_mins(1));

    one.until("SELECT count(*) FROM {{noun}} WHERE expired_at IS NULL", 0).await;
    assert_eq!(one.count("SELECT count(*) FROM change").await, 2000);
    assert_eq!(one.count("SELECT count(DISTINCT id) FROM change").await, 2000);
}
