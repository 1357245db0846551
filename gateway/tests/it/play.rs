//! Games, tournaments, rooms.

use proto::{games::v1::GetGameRequest, tournament::v1::GetTournamentRequest};
use serde_json::{Value, json};

use crate::world::{World, read};

fn game() -> Value {
    json!({
        "id": "g-1", "name": "Ajua", "packageId": "ke.playon.ajua", "description": "Mancala.",
        "gameIcon": "/play/ajua/icon.png", "trailerLink": null, "gameUrl": "/play/ajua/",
        "featured": true,
    })
}

fn tournament() -> Value {
    json!({
        "id": "t-1", "name": "Friday", "description": "Weekly.", "gameId": "g-1",
        "starts": "2026-11-20T09:00:00.500Z", "ends": "2026-11-20T11:00:00.500Z",
    })
}

#[tokio::test]
async fn games_are_listed_and_read() {
    let world = World::new().await;
    let list = read(world.get("/api/games/list")).await.payload();
    assert_eq!(list[0], game());
    assert_eq!(read(world.get("/api/games/get/g-1")).await.payload(), game());
    assert_eq!(world.stub.received::<GetGameRequest>()[0].1.id, "g-1");
}

#[tokio::test]
async fn tournaments_are_listed_and_read() {
    let world = World::new().await;
    let list = read(world.get("/api/tournaments")).await.payload();
    assert_eq!(list, json!([tournament()]));
    let one = read(world.get("/api/tournaments/t-1")).await.payload();
    assert_eq!(one, tournament());
    assert_eq!(world.stub.received::<GetTournamentRequest>()[0].1.id, "t-1");
}

#[tokio::test]
async fn rooms_are_listed() {
    let world = World::new().await;
    assert_eq!(
        read(world.get_signed_in("/api/chat-rooms/list")).await.payload(),
        json!([{
            "id": "r-1", "chatRoomUid": "lobby", "name": "Lobby", "icon": "/media/lobby.png",
            "memberCount": 3, "onlineMemberCount": 1,
        }])
    );
}
