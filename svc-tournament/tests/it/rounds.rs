//! Rounds and their seeds.

use proto::tournament::v1::{GetRoundRequest, GetRoundResponse};
use time::Duration;
use tonic::Status;

use crate::harness::{Service, manifest, reason};

impl Service {
    async fn round(&self, id: &str) -> Result<GetRoundResponse, Status> {
        let request = GetRoundRequest { tournament_id: id.to_owned() };
        Ok(self.scores.clone().get_round(request).await?.into_inner())
    }
}

#[tokio::test]
async fn each_round_has_one_seed_for_everyone() {
    let service = Service::start().await;
    let replica = service.world.start().await;
    let id = service.apply(manifest("cup")).await;
    let first = service.round(&id).await.unwrap();
    assert_eq!(first.game_id, types::content_id("Game", "ajua").to_string());
    assert_eq!((first.level, first.round, first.runs_per_round), (2, 0, 3));
    assert_eq!(replica.round(&id).await.unwrap(), first);

    service.world.advance(Duration::minutes(29));
    assert_eq!(service.round(&id).await.unwrap(), first);
    // The tournament is applied again with another text, and keeps its seeds.
    let mut renamed = manifest("cup");
    renamed.name = "Another".to_owned();
    service.apply(renamed).await;
    assert_eq!(service.round(&id).await.unwrap(), first);
    service.world.advance(Duration::minutes(1));
    let second = service.round(&id).await.unwrap();
    assert_eq!(second.round, 1);
    assert_ne!(second.seed, first.seed);
    let other = service.apply(manifest("other")).await;
    assert_ne!(service.round(&other).await.unwrap().seed, second.seed);
}

#[tokio::test]
async fn there_is_no_round_before_the_start_and_after_the_end() {
    let service = Service::start().await;
    let mut coming = manifest("coming");
    coming.starts = Some(proto::timestamp(testkit::BEGINNING + Duration::minutes(1)));
    let coming = service.apply(coming).await;
    assert_eq!(reason(&service.round(&coming).await.unwrap_err()), "TOURNAMENT_NOT_ON");
    service.world.advance(Duration::hours(1));
    assert_eq!(reason(&service.round(&coming).await.unwrap_err()), "TOURNAMENT_NOT_ON");
    assert_eq!(reason(&service.round("nine").await.unwrap_err()), "TOURNAMENT_NOT_FOUND");
}
