//! `WatchStandings`: streams of a player's place on a board.

use std::time::Duration;

use proto::tournament::v1::{WatchStandingsRequest, WatchStandingsResponse};
use tokio::time::{Instant, timeout};
use tonic::{Code, Status, Streaming};
use types::PlayerId;

use crate::harness::{Service, manifest, signed};

/// The time limit for a state that a hint triggers; a watcher without a hint takes up to 14 s.
const SOON: Duration = Duration::from_secs(3);

impl Service {
    async fn watch(
        &self,
        player: PlayerId,
        ids: &[&str],
    ) -> Result<Streaming<WatchStandingsResponse>, Status> {
        let tournament_ids = ids.iter().map(ToString::to_string).collect();
        let request =
            signed(&self.world.tokens.token(player), WatchStandingsRequest { tournament_ids });
        Ok(self.client.clone().watch_standings(request).await?.into_inner())
    }
}

async fn next(stream: &mut Streaming<WatchStandingsResponse>) -> WatchStandingsResponse {
    timeout(SOON * 4, stream.message()).await.expect("a state").unwrap().unwrap()
}

#[tokio::test]
async fn the_current_place_comes_first_and_then_each_change_on_every_replica() {
    let one = Service::start().await;
    let two = one.world.start().await;
    let id = one.apply(manifest("cup")).await;
    let (player, rival) = (one.world.player(), one.world.player());
    one.record(&id, player, 5).await;
    let mut streams =
        [one.watch(player, &[&id]).await.unwrap(), two.watch(player, &[&id]).await.unwrap()];
    for stream in &mut streams {
        let state = next(stream).await;
        assert_eq!((state.players, state.best_points, state.settled), (1, 5, false));
        assert_eq!(state.own.unwrap().rank, 1);
    }
    let began = Instant::now();
    for points in 6..9 {
        one.record(&id, rival, points).await;
    }
    for stream in &mut streams {
        let mut state = next(stream).await;
        // A message may be published between two of the scores.
        if state.best_points < 8 {
            state = next(stream).await;
        }
        assert_eq!((state.players, state.best_points), (2, 8));
        assert_eq!(state.own.unwrap().rank, 2);
    }
    assert!(began.elapsed() < SOON, "a hint, and not the next read");
}

#[tokio::test]
async fn a_stream_ends_once_all_its_tournaments_are_settled() {
    let service = Service::start().await;
    let ids = [service.apply(manifest("cup")).await, service.apply(manifest("other")).await];
    let player = service.world.player();
    service.record(&ids[0], player, 5).await;
    let mut stream = service.watch(player, &[&ids[0], &ids[1]]).await.unwrap();
    let first = [next(&mut stream).await, next(&mut stream).await];
    assert!(first.iter().all(|state| !state.settled));
    assert_eq!(first.iter().filter(|state| state.own.is_some()).count(), 1);

    service.world.advance(time::Duration::hours(2));

    let last = [next(&mut stream).await, next(&mut stream).await];
    assert!(last.iter().all(|state| state.settled));
    let own = last.into_iter().find_map(|state| state.own).unwrap();
    assert_eq!((own.rank, own.points), (1, 5));
    assert!(timeout(SOON, stream.message()).await.unwrap().unwrap().is_none());
}

#[tokio::test]
async fn unknown_tournaments_are_named() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    let player = service.world.player();
    let unknown = types::content_id("Tournament", "no").to_string();
    for (ids, named) in [
        (vec![id.as_str(), "nine"], Some("nine")),
        (vec![id.as_str(), &unknown], Some(unknown.as_str())),
        (vec![], None),
        (vec![id.as_str(); 6], None),
    ] {
        let refused = service.watch(player, &ids).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
        let params = mesh::Fault::from_status(&refused).params;
        let found = params.iter().find(|(name, _)| name == "tournaments");
        assert_eq!(found.map(|(_, ids)| ids.as_str()), named);
    }
}

#[tokio::test]
async fn a_stop_ends_the_stream_with_unavailable() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    let mut stream = service.watch(service.world.player(), &[&id]).await.unwrap();
    next(&mut stream).await;
    service.shutdown.stop();
    let end = timeout(SOON, stream.message()).await.expect("an end").unwrap_err();
    assert_eq!(end.code(), Code::Unavailable);
}
