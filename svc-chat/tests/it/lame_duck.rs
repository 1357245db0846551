//! Calls between the stop signal and the stop.

use proto::chat::v1::ListRoomsRequest;

use crate::harness::{Service, connect, signed};

#[tokio::test]
async fn calls_are_accepted_until_the_lame_duck_ends() {
    let mut service = Service::start().await;
    let (_, token) = service.tokens.player();
    service.shutdown.begin_lame_duck();
    service.client.list_rooms(signed(&token, ListRoomsRequest {})).await.unwrap();
    let mut new = connect(&service.running);
    new.list_rooms(signed(&token, ListRoomsRequest {})).await.unwrap();
    drop((new, service.client));
    assert!(service.running.stop().await, "drained");
}
