//! Reading games.

use proto::games::v1::{GetGameRequest, ListGamesRequest};
use tonic::Code;
use tonic_types::StatusExt as _;
use uuid::Uuid;

use crate::harness::Service;

impl Service {
    async fn insert(&self, id: u128, name: &str, featured: bool) -> String {
        let id = Uuid::from_u128(id);
        sqlx::query(
            "INSERT INTO game (id, key, name, package_id, description, game_icon, game_url, featured)
             VALUES ($1, $2, $2, 'co.playon.' || $2, 'A game.', '/icon.svg', '/play/' || $2 || '/', $3)",
        )
        .bind(id)
        .bind(name)
        .bind(featured)
        .execute(&self.database.pool)
        .await
        .unwrap();
        id.to_string()
    }
}

#[tokio::test]
async fn lists_featured_games_first_then_by_name() {
    let mut service = Service::start().await;
    service.insert(1, "zebra", false).await;
    service.insert(2, "ant", false).await;
    service.insert(3, "yak", true).await;

    let reply = service.client.list_games(ListGamesRequest {}).await.unwrap();

    let names = reply.into_inner().games.into_iter().map(|game| game.name);
    assert_eq!(names.collect::<Vec<_>>(), ["yak", "ant", "zebra"]);
}

#[tokio::test]
async fn gets_a_game_by_its_id() {
    let mut service = Service::start().await;
    let id = service.insert(2, "duma", true).await;

    let reply = service.client.get_game(GetGameRequest { id: id.clone() }).await.unwrap();

    let game = reply.into_inner().game.unwrap();
    assert_eq!((game.id, game.package_id), (id, "co.playon.duma".to_owned()));
    assert_eq!((game.game_url, game.trailer_link), ("/play/duma/".to_owned(), None));
}

#[tokio::test]
async fn an_unknown_id_is_not_found() {
    let mut service = Service::start().await;
    for id in [Uuid::from_u128(9).to_string(), "nine".to_owned()] {
        let status = service.client.get_game(GetGameRequest { id }).await.unwrap_err();

        assert_eq!(status.code(), Code::NotFound);
        assert_eq!(status.get_details_error_info().unwrap().reason, "GAME_NOT_FOUND");
        assert_eq!(status.message(), "We could not fetch this game from the server.");
    }
}
