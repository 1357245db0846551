//! Expiry, and the end of retention.

use std::time::Duration;

use proto::{{name}}::v1::Find{{Noun}}Request;

use crate::harness::Service;

const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn a_{{noun}}_expires_at_its_time_and_not_before() {
    let mut service = Service::start().await;
    let (_, token) = service.tokens.player();
    let early = service.create(&token, "key-1", "Simba").await.unwrap();
    service.clock.advance(DAY);
    let (_, token) = service.tokens.player();
    let late = service.create(&token, "key-1", "Nala").await.unwrap();

    service.clock.advance(29 * DAY);

    service.until("SELECT count(*) FROM {{noun}} WHERE expired_at IS NOT NULL", 1).await;
    for ({{noun}}, expired) in [(early, true), (late, false)] {
        let request = Find{{Noun}}Request { code: {{noun}}.code };
        let reply = service.client.find_{{noun}}(request).await.unwrap();
        assert_eq!(reply.into_inner().{{noun}}.unwrap().expired, expired);
    }
}

#[tokio::test]
async fn requests_are_removed_after_7_days_and_{{nouns}}_30_days_after_they_expired() {
    let service = Service::start().await;
    let (_, token) = service.tokens.player();
    service.create(&token, "key-1", "Simba").await.unwrap();
    service.until("SELECT count(*) FROM outbox", 0).await;
    service.clock.advance(30 * DAY);
    service.until("SELECT count(*) FROM {{noun}} WHERE expired_at IS NOT NULL", 1).await;

    // Each start sweeps at once.
    let replica = service.start_replica().await;
    replica.until("SELECT count(*) FROM request", 0).await;
    assert_eq!(replica.count("SELECT count(*) FROM {{noun}}").await, 1);

    service.clock.advance(31 * DAY);
    let replica = service.start_replica().await;
    replica.until("SELECT count(*) FROM {{noun}}", 0).await;
}
