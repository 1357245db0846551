//! Reading tournaments.

use proto::tournament::v1::{GetTournamentRequest, ListTournamentsRequest};
use testkit::BEGINNING;
use time::Duration;
use tonic::Code;
use tonic_types::StatusExt as _;
use uuid::Uuid;

use crate::harness::Service;

impl Service {
    /// Inserts a tournament of one day that starts this many days after the test's
    /// beginning.
    async fn insert(&self, id: u128, name: &str, starts_in_days: i64) -> String {
        let id = Uuid::from_u128(id);
        let starts = BEGINNING + Duration::days(starts_in_days);
        sqlx::query(
            "INSERT INTO tournament (id, name, description, game_id, starts, ends)
             VALUES ($1, $2, 'A contest.', $3, $4, $5)",
        )
        .bind(id)
        .bind(name)
        .bind(Uuid::from_u128(77))
        .bind(starts)
        .bind(starts + Duration::days(1))
        .execute(&self.database.pool)
        .await
        .unwrap();
        id.to_string()
    }

    async fn names(&mut self) -> Vec<String> {
        let reply = self.client.list_tournaments(ListTournamentsRequest {}).await.unwrap();
        reply.into_inner().tournaments.into_iter().map(|tournament| tournament.name).collect()
    }
}

#[tokio::test]
async fn lists_the_latest_start_first() {
    let mut service = Service::start().await;
    service.insert(1, "over", -3).await;
    service.insert(2, "coming", 3).await;
    service.insert(3, "on", 0).await;

    assert_eq!(service.names().await, ["coming", "on", "over"]);
}

#[tokio::test]
async fn a_tournament_leaves_the_list_30_days_after_its_end() {
    let mut service = Service::start().await;
    service.insert(1, "old", -20).await;
    assert_eq!(service.names().await, ["old"]);

    service.clock.advance(std::time::Duration::from_hours(12 * 24));

    assert!(service.names().await.is_empty());
}

#[tokio::test]
async fn gets_a_tournament_by_its_id() {
    let mut service = Service::start().await;
    let id = service.insert(2, "on", 0).await;

    let reply = service.client.get_tournament(GetTournamentRequest { id }).await.unwrap();

    let tournament = reply.into_inner().tournament.unwrap();
    assert_eq!(tournament.name, "on");
    assert_eq!(tournament.starts, Some(proto::timestamp(BEGINNING)));
}

#[tokio::test]
async fn an_unknown_id_is_not_found() {
    let mut service = Service::start().await;
    for id in [Uuid::from_u128(9).to_string(), "nine".to_owned()] {
        let status = service.client.get_tournament(GetTournamentRequest { id }).await.unwrap_err();

        assert_eq!(status.code(), Code::NotFound);
        assert_eq!(status.get_details_error_info().unwrap().reason, "TOURNAMENT_NOT_FOUND");
    }
}
