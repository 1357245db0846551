//! Creating {{nouns_words}}.

use tonic::Code;
use tonic_types::StatusExt as _;

use crate::harness::Service;

#[tokio::test]
async fn a_request_that_is_sent_twice_creates_one_{{noun}}() {
    let service = Service::start().await;
    service.record_changes().await;
    let (_, token) = service.tokens.player();

    let first = service.create(&token, "key-1", "Simba").await.unwrap();
    let second = service.create(&token, "key-1", " Simba ").await.unwrap();

    assert_eq!(first, second);
    assert_eq!(service.count("SELECT count(*) FROM {{noun}}").await, 1);
    service.until("SELECT count(*) FROM outbox", 0).await;
    assert_eq!(service.count("SELECT count(*) FROM change").await, 1);
}

#[tokio::test]
async fn two_requests_at_once_with_one_key_create_one_{{noun}}() {
    let service = Service::start().await;
    let (_, token) = service.tokens.player();

    let (first, second) = tokio::join!(
        service.create(&token, "key-1", "Simba"),
        service.create(&token, "key-1", "Simba"),
    );

    assert_eq!(first.unwrap(), second.unwrap());
    assert_eq!(service.count("SELECT count(*) FROM {{noun}}").await, 1);
}

#[tokio::test]
async fn a_used_key_with_other_content_is_refused() {
    let service = Service::start().await;
    let (_, token) = service.tokens.player();
    service.create(&token, "key-1", "Simba").await.unwrap();

    let refused = service.create(&token, "key-1", "Nala").await.unwrap_err();

    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!(refused.get_details_error_info().unwrap().reason, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(service.count("SELECT count(*) FROM {{noun}}").await, 1);
}

#[tokio::test]
async fn two_players_can_use_the_same_key() {
    let service = Service::start().await;
    let ((_, one), (_, other)) = (service.tokens.player(), service.tokens.player());

    let first = service.create(&one, "key-1", "Simba").await.unwrap();
    let second = service.create(&other, "key-1", "Simba").await.unwrap();

    assert_ne!(first.id, second.id);
    assert_ne!(first.code, second.code);
}

#[tokio::test]
async fn an_invalid_name_is_refused_with_its_field_and_leaves_the_key_unused() {
    let service = Service::start().await;
    let (_, token) = service.tokens.player();

    let refused = service.create(&token, "key-1", "  ").await.unwrap_err();

    assert_eq!(refused.get_details_error_info().unwrap().reason, "INVALID_{{NOUN}}_NAME");
    let fields = refused.get_details_bad_request().unwrap().field_violations;
    assert_eq!(fields[0].field, "name");
    service.create(&token, "key-1", "Simba").await.unwrap();
}

#[tokio::test]
async fn guests_cannot_create() {
    let service = Service::start().await;
    let refused = service.create("", "key-1", "Simba").await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
}
