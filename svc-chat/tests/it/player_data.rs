//! What svc-chat stores about a player, for the player's copy.

use proto::chat::v1::DeleteMessageRequest;

use crate::{
    harness::{Service, signed},
    talk::text,
};

#[tokio::test]
async fn a_players_messages_are_listed_without_those_of_others() {
    let service = Service::start().await;
    let room = service.open_room("lobby").await;
    let (player, token) = service.member(&room).await;
    let (_, other) = service.member(&room).await;
    service.send(&token, text(&room, "jambo", "m1")).await.unwrap();
    service.send(&other, text(&room, "karibu", "m1")).await.unwrap();
    let removed = service.send(&token, text(&room, "samahani", "m2")).await.unwrap();
    let remove = signed(&token, DeleteMessageRequest { id: removed.id });
    service.client.clone().delete_message(remove).await.unwrap();
    service.notify(service.credited(player, "payment/1")).await.unwrap();

    let data = service.data_of(player).await;
    let sections: Vec<&str> = data.keys().map(String::as_str).collect();
    assert_eq!(sections, ["messages", "notifications", "rooms"]);
    let [message] = data["messages"].as_slice() else { panic!("{data:?}") };
    assert_eq!((&message["room"], &message["content"]), (&"lobby".into(), &"jambo".into()));
    assert_eq!(data["notifications"][0]["kind"], "TOP_UP_COMPLETED");
    assert!(service.data_of(service.tokens.player().0).await.is_empty());
}
