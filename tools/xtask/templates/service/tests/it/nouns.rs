//! Lists and finds {{nouns_words}}.

use proto::{{name}}::v1::{Get{{Noun}}Request, List{{Nouns}}Request};
use tonic::Code;
use tonic_types::StatusExt as _;
use uuid::Uuid;

use crate::Service;

impl Service {
    async fn has(&self, id: u128, name: &str) -> String {
        let id = Uuid::from_u128(id);
        sqlx::query("INSERT INTO {{noun}} (id, name) VALUES ($1, $2)")
            .bind(id)
            .bind(name)
            .execute(&self.db)
            .await
            .unwrap();
        id.to_string()
    }
}

#[tokio::test]
async fn the_list_is_by_name() {
    let mut service = Service::start().await;
    service.has(1, "Zebra").await;
    service.has(2, "Ant").await;

    let reply = service.client.list_{{nouns}}(List{{Nouns}}Request {}).await.unwrap();

    let names = reply.into_inner().{{nouns}}.into_iter().map(|{{noun}}| {{noun}}.name);
    assert_eq!(names.collect::<Vec<_>>(), ["Ant", "Zebra"]);
}

#[tokio::test]
async fn one_is_found_by_its_id() {
    let mut service = Service::start().await;
    service.has(1, "Ant").await;
    let id = service.has(2, "Zebra").await;

    let reply = service.client.get_{{noun}}(Get{{Noun}}Request { id }).await.unwrap();

    assert_eq!(reply.into_inner().{{noun}}.unwrap().name, "Zebra");
}

#[tokio::test]
async fn what_names_nothing_is_not_found() {
    let mut service = Service::start().await;
    for id in [Uuid::from_u128(9).to_string(), "nine".to_owned()] {
        let status = service.client.get_{{noun}}(Get{{Noun}}Request { id }).await.unwrap_err();

        assert_eq!(status.code(), Code::NotFound);
        assert_eq!(status.get_details_error_info().unwrap().reason, "{{NOUN}}_NOT_FOUND");
    }
}
