//! Players whose accounts svc-auth erased.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use proto::{
    auth::v1::{
        ErasedPlayer, ListErasedPlayersRequest, ListErasedPlayersResponse,
        erasure_service_server::ErasureService,
    },
    timestamp,
};
use tonic::{Request, Response, Status};
use types::PlayerId;

use crate::harness::{Service, gain};

/// A stub of svc-auth's list of erased accounts.
#[derive(Clone, Default)]
pub(crate) struct ErasedAccounts(Arc<Mutex<Vec<ErasedPlayer>>>);

impl ErasedAccounts {
    /// Erases an account a second after the last one, because the list is in the order of the
    /// times.
    fn add(&self, service: &Service, player: PlayerId) {
        service.clock.advance(Duration::from_secs(1));
        let erased_at = Some(timestamp(service.clock.now()));
        self.0.lock().unwrap().push(ErasedPlayer { id: player.to_string(), erased_at });
    }
}

#[tonic::async_trait]
impl ErasureService for ErasedAccounts {
    async fn list_erased_players(
        &self,
        request: Request<ListErasedPlayersRequest>,
    ) -> Result<Response<ListErasedPlayersResponse>, Status> {
        let erased = self.0.lock().unwrap();
        let begin = request.into_inner().after.map_or(0, |after| {
            let place = erased.iter().position(|player| *player == after);
            place.unwrap() + 1
        });
        // A small page, so that a few players are several.
        let players = erased[begin..].iter().take(2).cloned().collect();
        Ok(Response::new(ListErasedPlayersResponse { players }))
    }
}

/// The players who have a row in a table.
async fn players_in(service: &Service, table: &str) -> Vec<String> {
    let query = format!("SELECT DISTINCT player_id::text FROM {table} ORDER BY 1");
    let query = sqlx::AssertSqlSafe(query);
    sqlx::query_scalar(query).fetch_all(&service.database.pool).await.unwrap()
}

#[tokio::test]
async fn the_best_runs_and_recent_games_of_erased_players_go() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let mut players = Vec::new();
    for _ in 0..5 {
        let (player, token) = service.tokens.player();
        let started = service.start_run(&token, &game, 0).await.unwrap();
        let points = 10 * gain(started.seed);
        service.submit(&started.session, &[10, 1], points).await.unwrap();
        players.push(player);
    }
    for player in &players[..4] {
        service.erased.add(&service, *player);
    }
    // The job runs when a replica starts, and goes on until the list is at its end.
    let replica = service.start_replica().await;
    let left = vec![players[4].to_string()];
    testkit::eventually("four players are erased", || async {
        (players_in(&service, "recent_game").await == left).then_some(())
    })
    .await;
    assert_eq!(players_in(&service, "best_run").await, left);
    replica.stop().await;

    // Another replica continues after them, and beside the first.
    service.erased.add(&service, players[4]);
    let (one, other) = tokio::join!(service.start_replica(), service.start_replica());
    testkit::eventually("the last player is erased", || async {
        players_in(&service, "recent_game").await.is_empty().then_some(())
    })
    .await;
    assert!(players_in(&service, "best_run").await.is_empty());
    tokio::join!(one.stop(), other.stop());
}
