//! What svc-games stores about a player, for the player's copy.

use std::time::Duration;

use crate::harness::{Service, gain};

#[tokio::test]
async fn a_players_runs_are_listed_without_those_of_others() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (player, token) = service.tokens.player();
    let started = service.start_run(&token, &game, 0).await.unwrap();
    let points = 10 * gain(started.seed);
    service.submit(&started.session, &[10, 1], points).await.unwrap();
    service.clock.advance(Duration::from_secs(1));
    service.start_run(&token, &game, 0).await.unwrap();

    let data = service.data_of(player).await;
    let sections: Vec<&str> = data.keys().map(String::as_str).collect();
    assert_eq!(sections, ["best_runs", "games_played", "runs_of_the_last_days"]);
    assert_eq!(data["best_runs"][0]["points"], points);
    let runs = &data["runs_of_the_last_days"];
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[1]["points"], points);
    assert!(service.data_of(service.tokens.player().0).await.is_empty());
}
