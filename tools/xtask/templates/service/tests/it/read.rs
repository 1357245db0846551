//! Reading one {{noun_words}}.

use proto::{{name}}::v1::{Find{{Noun}}Request, Get{{Noun}}Request};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use uuid::Uuid;

use crate::harness::{Service, signed};

fn assert_not_found(status: &Status) {
    assert_eq!(status.code(), Code::NotFound);
    assert_eq!(status.get_details_error_info().unwrap().reason, "{{NOUN}}_NOT_FOUND");
}

#[tokio::test]
async fn its_owner_gets_a_{{noun}}_by_its_id() {
    let mut service = Service::start().await;
    let (_, token) = service.tokens.player();
    let created = service.create(&token, "key-1", "Simba").await.unwrap();

    let request = signed(&token, Get{{Noun}}Request { id: created.id.clone() });
    let reply = service.client.get_{{noun}}(request).await.unwrap();

    assert_eq!(reply.into_inner().{{noun}}, Some(created));
}

#[tokio::test]
async fn the_{{noun}}_of_another_player_is_not_found() {
    let mut service = Service::start().await;
    let ((_, owner), (_, other)) = (service.tokens.player(), service.tokens.player());
    let id = service.create(&owner, "key-1", "Simba").await.unwrap().id;

    let refused = service.client.get_{{noun}}(signed(&other, Get{{Noun}}Request { id })).await;

    assert_not_found(&refused.unwrap_err());
}

#[tokio::test]
async fn guests_get_nothing_by_id() {
    let mut service = Service::start().await;
    let (_, token) = service.tokens.player();
    let id = service.create(&token, "key-1", "Simba").await.unwrap().id;

    let refused = service.client.get_{{noun}}(Get{{Noun}}Request { id }).await.unwrap_err();

    assert_eq!(refused.code(), Code::Unauthenticated);
}

#[tokio::test]
async fn guests_find_a_{{noun}}_by_its_code_in_either_case() {
    let mut service = Service::start().await;
    let (_, token) = service.tokens.player();
    let created = service.create(&token, "key-1", "Simba").await.unwrap();

    let code = created.code.to_lowercase();
    let reply = service.client.find_{{noun}}(Find{{Noun}}Request { code }).await.unwrap();

    assert_eq!(reply.into_inner().{{noun}}, Some(created));
}

#[tokio::test]
async fn unknown_ids_and_codes_are_not_found() {
    let mut service = Service::start().await;
    let (_, token) = service.tokens.player();
    for id in [Uuid::from_u128(9).to_string(), "nine".to_owned()] {
        let request = signed(&token, Get{{Noun}}Request { id });
        assert_not_found(&service.client.get_{{noun}}(request).await.unwrap_err());
    }
    for code in ["0000000000", "nine"] {
        let request = Find{{Noun}}Request { code: code.to_owned() };
        assert_not_found(&service.client.find_{{noun}}(request).await.unwrap_err());
    }
}
