//! What anybody needs to check a tournament's result.

use proto::{
    games::v1::{Rules, Run},
    timestamp,
    tournament::v1::{
        GetResultProofRequest, GetResultProofResponse, ProvenRun, TournamentManifest,
    },
};
use sha2::{Digest as _, Sha256};
use testkit::BEGINNING;
use time::{Duration, OffsetDateTime};
use tonic::{Code, Status};
use types::PlayerId;

use crate::{
    harness::{Service, award, manifest, reason},
    settlement::OVER,
};

impl Service {
    async fn proof(&self, tournament: &str) -> Result<GetResultProofResponse, Status> {
        let request = GetResultProofRequest { tournament_id: tournament.to_owned() };
        Ok(self.client.clone().get_result_proof(request).await?.into_inner())
    }

    /// Makes the stub of svc-games keep a run of a player.
    fn keep_run(&self, player: PlayerId, points: i32, rules: &str, reached_at: OffsetDateTime) {
        let run = Run {
            player_id: player.to_string(),
            points,
            rules: Some(Rules { sha256: rules.to_owned(), ..Rules::default() }),
            seed: 7,
            next_seeds: vec![8],
            session_id: "s-1".to_owned(),
            inputs: vec![10, 1],
            reached_at: Some(timestamp(reached_at)),
            ..Run::default()
        };
        self.world.games.runs.lock().unwrap().push(run);
    }
}

#[tokio::test]
async fn the_seeds_are_sealed_from_the_beginning_and_shown_with_the_runs_at_the_end() {
    let service = Service::start().await;
    let cup = TournamentManifest { awards: vec![award(4, "Cup", 100)], ..manifest("cup") };
    let id = service.apply(cup).await;
    let players: Vec<PlayerId> = (0..6).map(|_| service.world.player()).collect();
    for (player, points) in players.iter().zip([60, 50, 40, 30, 20, 10]) {
        service.record(&id, *player, points).await;
    }
    let before = service.proof(&id).await.unwrap();
    let rules = hex::encode([9; 32]);
    let sealed = GetResultProofResponse {
        seal: before.seal.clone(),
        rounds: 2,
        level: before.level,
        rules_sha256: rules.clone(),
        ..GetResultProofResponse::default()
    };
    assert_eq!(before, sealed, "neither secret nor runs");

    service.keep_run(players[0], 60, &rules, BEGINNING);
    service.keep_run(players[1], 50, "other rules", BEGINNING);
    // A run that was released after the settlement.
    service.keep_run(players[2], 45, &rules, BEGINNING);
    // A run of an earlier tournament with the same key.
    service.keep_run(players[3], 30, &rules, BEGINNING - Duration::DAY);
    service.world.advance(OVER);
    service.until_settled(&id).await;
    let after = service.proof(&id).await.unwrap();
    assert_eq!((after.seal.as_slice(), after.settled), (before.seal.as_slice(), true));
    assert_eq!(after.seal, Sha256::digest(&after.secret).as_slice());
    assert_eq!((after.rounds, after.rules_sha256), (2, rules));
    let run = Some(ProvenRun {
        seed: 7,
        inputs: vec![10, 1],
        next_seeds: vec![8],
        session_id: "s-1".to_owned(),
    });
    let places: Vec<_> = after
        .places
        .into_iter()
        .map(|place| (place.rank, place.player_id, place.points, place.run))
        .collect();
    let expected = [(1, 60, run), (2, 50, None), (3, 40, None), (4, 30, None)];
    let expected = expected.into_iter().zip(&players);
    let expected: Vec<_> = expected
        .map(|((rank, points, run), player)| (rank, player.to_string(), points, run))
        .collect();
    assert_eq!(places, expected, "the places that win awards");
}

#[tokio::test]
async fn an_unknown_tournament_has_no_proof() {
    let service = Service::start().await;
    for id in ["cup", "018f0000-0000-7000-8000-000000000000"] {
        let refused = service.proof(id).await.unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::NotFound, "TOURNAMENT_NOT_FOUND")
        );
    }
}
