//! What a service stores about a player, as svc-auth reads it.

use std::{collections::BTreeMap, net::SocketAddr};

use proto::privacy::v1::{
    ListPlayerDataRequest, player_data_service_client::PlayerDataServiceClient,
};
use serde_json::Value;
use types::PlayerId;

/// Records by section.
pub type Sections = BTreeMap<String, Vec<Value>>;

/// Returns the records about a player that the service at an address has, by section.
pub async fn player_data(service: &'static str, addr: SocketAddr, player: PlayerId) -> Sections {
    let mut client = PlayerDataServiceClient::new(super::upstream("svc-auth", service, addr));
    let request = ListPlayerDataRequest { player_id: player.to_string() };
    let mut replies = client.list_player_data(request).await.expect("a stream").into_inner();
    let mut sections = Sections::new();
    while let Some(reply) = replies.message().await.expect("a record") {
        let record = serde_json::from_str(&reply.record).expect("a JSON object");
        sections.entry(reply.section).or_default().push(record);
    }
    sections
}
