//! Reading tournaments.

use proto::{
    timestamp,
    tournament::v1::{
        AwardManifest, GetTournamentRequest, ListAwardsRequest, ListHallOfFameRequest,
        ListTournamentsRequest, Tier, TournamentManifest,
    },
    types::v1::Money,
};
use testkit::{BEGINNING, eventually};
use time::Duration;
use tonic::Code;

use crate::harness::{Service, award, manifest, reason};

impl Service {
    /// Applies a tournament of one day that starts this many days after the test's beginning.
    async fn apply_on_day(&self, key: &str, day: i64) {
        let starts = BEGINNING + Duration::days(day);
        self.apply(TournamentManifest {
            name: key.to_owned(),
            starts: Some(timestamp(starts)),
            ends: Some(timestamp(starts + Duration::days(1))),
            ..manifest(key)
        })
        .await;
    }

    async fn names(&self) -> Vec<String> {
        let reply = self.client.clone().list_tournaments(ListTournamentsRequest {}).await.unwrap();
        reply.into_inner().tournaments.into_iter().map(|tournament| tournament.name).collect()
    }
}

#[tokio::test]
async fn lists_the_latest_start_first() {
    let service = Service::start().await;
    service.apply_on_day("over", -3).await;
    service.apply_on_day("coming", 3).await;
    service.apply_on_day("on", 0).await;

    assert_eq!(service.names().await, ["coming", "on", "over"]);
}

#[tokio::test]
async fn many_that_are_to_come_hide_none_that_is_on() {
    let service = Service::start().await;
    service.apply_on_day("on", 0).await;
    service.apply_on_day("over", -3).await;
    for day in 1..=161 {
        service.apply_on_day(&format!("day-{day}"), day).await;
    }
    let names = service.names().await;
    assert_eq!(names.len(), 162);
    assert_eq!(names[0], "day-160", "the farthest is left out");
    assert_eq!(names[159..], ["day-1", "on", "over"]);
}

#[tokio::test]
async fn a_tournament_leaves_the_list_30_days_after_its_end() {
    let service = Service::start().await;
    service.apply_on_day("old", -20).await;
    assert_eq!(service.names().await, ["old"]);

    service.world.advance(Duration::days(12));

    assert!(service.names().await.is_empty());
}

#[tokio::test]
async fn a_tournament_has_its_awards_and_the_number_of_its_players() {
    let service = Service::start().await;
    let gold = AwardManifest { tier: Tier::Gold.into(), ..award(1, "Car", 5_000) };
    let awards = vec![award(2, "Data", 50), award(1, "Phone", 1_000), gold, award(3, "Cap", 0)];
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    let tournament = service.tournament(&id).await;
    assert_eq!(tournament.name, "The cup");
    assert_eq!(tournament.game_id, types::content_id("Game", "ajua").to_string());
    assert_eq!(tournament.starts, Some(timestamp(BEGINNING)));
    assert_eq!((tournament.rounds, tournament.runs_per_round), (2, 3));
    assert_eq!((tournament.players, tournament.settled), (0, false));
    assert_eq!(tournament.cash, Some(Money { cents: 505_000 }));
    assert_eq!(tournament.first_award, "Car");

    let request = ListAwardsRequest { tournament_id: id.clone() };
    let awards = service.client.clone().list_awards(request).await.unwrap().into_inner().awards;
    let listed: Vec<_> =
        awards.iter().map(|award| (award.position, award.tier(), award.name.as_str())).collect();
    assert_eq!(
        listed,
        [
            (1, Tier::Gold, "Car"),
            (1, Tier::Bronze, "Phone"),
            (2, Tier::Bronze, "Data"),
            (3, Tier::Bronze, "Cap")
        ]
    );
    assert_eq!(awards[1].cash, Some(Money { cents: 100_000 }));
    assert_eq!(awards[3].cash, None);

    service.record(&id, service.world.player(), 1).await;
    service.record(&id, service.world.player(), 1).await;
    // A replica counts when it starts.
    let replica = service.world.start().await;
    eventually("the count", || async {
        (replica.tournament(&id).await.players == 2).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_unknown_id_is_not_found() {
    let service = Service::start().await;
    for id in [types::content_id("Tournament", "no").to_string(), "nine".to_owned()] {
        let mut client = service.client.clone();
        let request = GetTournamentRequest { id: id.clone() };
        let status = client.get_tournament(request).await.unwrap_err();
        assert_eq!(
            (status.code(), reason(&status)),
            (Code::NotFound, "TOURNAMENT_NOT_FOUND".into())
        );
        let status = client.list_awards(ListAwardsRequest { tournament_id: id }).await.unwrap_err();
        assert_eq!(reason(&status), "TOURNAMENT_NOT_FOUND");
    }
    let fame = service.client.clone().list_hall_of_fame(ListHallOfFameRequest {}).await.unwrap();
    assert!(fame.into_inner().entries.is_empty());
}
