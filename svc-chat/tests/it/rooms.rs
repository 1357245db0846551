//! Reading rooms.

use proto::chat::v1::ListRoomsRequest;
use tonic::Code;
use uuid::Uuid;

use crate::harness::{Service, signed};

impl Service {
    async fn insert(&self, id: u128, name: &str, members: u128) {
        sqlx::query(
            "INSERT INTO room (id, chat_room_uid, name, icon) VALUES ($1, $2, $2, '/i.svg')",
        )
        .bind(Uuid::from_u128(id))
        .bind(name)
        .execute(&self.database.pool)
        .await
        .unwrap();
        for member in 0..members {
            sqlx::query("INSERT INTO membership VALUES ($1, $2, now())")
                .bind(Uuid::from_u128(id))
                .bind(Uuid::from_u128(member))
                .execute(&self.database.pool)
                .await
                .unwrap();
        }
    }
}

#[tokio::test]
async fn lists_rooms_by_name_with_their_member_counts() {
    let mut service = Service::start().await;
    service.insert(1, "zebra", 0).await;
    service.insert(2, "ant", 3).await;
    let (_, token) = service.tokens.player();

    let reply = service.client.list_rooms(signed(&token, ListRoomsRequest {})).await.unwrap();

    let rooms = reply.into_inner().rooms.into_iter();
    let seen: Vec<_> = rooms.map(|room| (room.chat_room_uid, room.member_count)).collect();
    assert_eq!(seen, [("ant".to_owned(), 3), ("zebra".to_owned(), 0)]);
}

#[tokio::test]
async fn guests_cannot_list_rooms() {
    let mut service = Service::start().await;
    let refused = service.client.list_rooms(ListRoomsRequest {}).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
}
