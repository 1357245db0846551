//! What svc-tournament stores about a player, for the player's copy.

use proto::tournament::v1::TournamentManifest;
use time::Duration;

use crate::harness::{Service, award, manifest};

#[tokio::test]
async fn a_players_places_and_awards_are_listed_without_those_of_others() {
    let service = Service::start().await;
    let cup = TournamentManifest { awards: vec![award(1, "Gold medal", 1_000)], ..manifest("cup") };
    let id = service.apply(cup).await;
    let (first, second) = (service.world.player(), service.world.player());
    service.record(&id, first, 50).await;
    service.record(&id, second, 40).await;
    let data = service.data_of(second).await;
    assert_eq!(data.keys().collect::<Vec<_>>(), ["standings"]);
    assert_eq!(data["standings"][0]["points"], 40);
    assert_eq!(data["standings"][0]["tournament"], "The cup");

    service.world.advance(Duration::seconds(3_641));
    service.until_settled(&id).await;
    let data = service.data_of(first).await;
    assert_eq!(data.keys().collect::<Vec<_>>(), ["awards", "final_places"]);
    assert_eq!(data["final_places"][0]["place"], 1);
    assert_eq!(data["awards"][0]["award"], "Gold medal");
    assert_eq!(data["awards"][0]["cash_kes"], "1000.00");
    assert!(service.data_of(service.world.player()).await.is_empty());
}
