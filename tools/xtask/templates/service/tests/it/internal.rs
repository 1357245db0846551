//! RPCs for services of the mesh.

use proto::{{name}}::v1::BatchGet{{Nouns}}Request;
use tonic::Code;
use uuid::Uuid;

use crate::harness::Service;

#[tokio::test]
async fn a_batch_has_the_{{nouns}}_of_all_players_and_leaves_unknown_ids_out() {
    let mut service = Service::start().await;
    let ((one, first_token), (other, second_token)) =
        (service.tokens.player(), service.tokens.player());
    let first = service.create(&first_token, "key-1", "Simba").await.unwrap();
    let second = service.create(&second_token, "key-1", "Nala").await.unwrap();
    let unknown = Uuid::from_u128(9).to_string();
    let ids = vec![first.id.clone(), unknown, "nine".to_owned(), second.id.clone()];

    let reply = service.internal.batch_get_{{nouns}}(BatchGet{{Nouns}}Request { ids }).await;

    let found = reply.unwrap().into_inner().{{nouns}}.into_iter();
    let mut found: Vec<_> =
        found.map(|owned| (owned.{{noun}}.unwrap().name, owned.player_id)).collect();
    found.sort();
    let expected =
        [("Nala".to_owned(), other.to_string()), ("Simba".to_owned(), one.to_string())];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_batch_has_at_most_100_ids() {
    let mut service = Service::start().await;
    let ids = vec![Uuid::from_u128(9).to_string(); 101];

    let refused = service.internal.batch_get_{{nouns}}(BatchGet{{Nouns}}Request { ids }).await;

    assert_eq!(refused.unwrap_err().code(), Code::InvalidArgument);
}
