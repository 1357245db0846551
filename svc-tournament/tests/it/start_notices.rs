//! Notifications to the players of a game that a tournament of that game has begun.

use std::{collections::HashSet, sync::atomic::Ordering};

use proto::{chat::v1::NotificationKind, timestamp, tournament::v1::TournamentManifest};
use testkit::{BEGINNING, eventually};
use time::Duration;
use types::PlayerId;

use crate::harness::{World, manifest};

const HOUR: Duration = Duration::HOUR;

/// A tournament that begins in an hour and lasts an hour.
fn tomorrow(key: &str) -> TournamentManifest {
    TournamentManifest {
        starts: Some(timestamp(BEGINNING + HOUR)),
        ends: Some(timestamp(BEGINNING + 2 * HOUR)),
        ..manifest(key)
    }
}

impl World {
    /// Makes the stub of svc-games list `count` new players of the tournaments' game.
    fn played_by(&self, count: usize) -> Vec<PlayerId> {
        let mut players: Vec<_> = (0..count).map(|_| self.player()).collect();
        players.sort_unstable();
        self.games.players.lock().unwrap().clone_from(&players);
        players
    }

    async fn until_start_notified(&self) {
        eventually("the notices of the start", || async {
            let waiting = "SELECT (SELECT count(*) FROM outbox)
                + (SELECT count(*) FROM tournament WHERE NOT start_notified)";
            (self.count(waiting).await == 0).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn each_player_of_the_game_is_notified_once_when_a_tournament_begins() {
    let world = World::new().await;
    // Two replicas, and more players than a page.
    let (service, _other) = tokio::join!(world.start(), world.start());
    let players = world.played_by(450);
    service.apply(tomorrow("cup")).await;
    assert!(world.notifications.stored().is_empty());

    world.advance(HOUR);
    world.until_start_notified().await;
    let stored = world.notifications.stored();
    let notified: HashSet<_> = stored.iter().map(|one| one.player_id.clone()).collect();
    assert_eq!(stored.len(), players.len());
    assert_eq!(notified, players.iter().map(ToString::to_string).collect());
    let one = &stored[0];
    assert_eq!(one.kind(), NotificationKind::TournamentStarted);
    assert_eq!(
        (one.params["tournament"].as_str(), one.params["game"].as_str()),
        ("The cup", "Ajua")
    );
    assert_eq!(one.occurred_at, Some(timestamp(BEGINNING + HOUR)));

    // Players who played since the start are not listed, because they have seen the tournament.
    let listed = world.games.listed.lock().unwrap().clone();
    assert_eq!(listed[0].before, Some(timestamp(BEGINNING + HOUR)));
    assert_eq!(listed[0].since, Some(timestamp(BEGINNING + HOUR - Duration::days(30))));
}

#[tokio::test]
async fn players_on_a_break_are_not_notified() {
    let world = World::new().await;
    let players = world.played_by(201);
    // The last of the first page, and all of the second.
    let (notified, on_break) = players.split_at(199);
    world.persons.begin_break(on_break);
    let service = world.start().await;
    service.apply(tomorrow("cup")).await;
    world.advance(HOUR);
    world.until_start_notified().await;
    let stored = world.notifications.stored();
    let stored: HashSet<_> = stored.into_iter().map(|one| one.player_id).collect();
    assert_eq!(stored, notified.iter().map(ToString::to_string).collect());
}

#[tokio::test]
async fn a_tournament_that_begins_while_svc_games_is_away_is_noticed_later() {
    let world = World::new().await;
    let service = world.start().await;
    world.played_by(3);
    service.apply(tomorrow("cup")).await;
    world.games.away.store(1, Ordering::SeqCst);
    world.advance(HOUR);
    let waiting = "SELECT count(*) FROM tournament WHERE NOT start_notified";
    assert_eq!(world.count(waiting).await, 1);
    world.games.away.store(0, Ordering::SeqCst);
    world.until_start_notified().await;
    assert_eq!(world.notifications.stored().len(), 3);
}

#[tokio::test]
async fn a_tournament_that_is_over_is_not_announced() {
    let world = World::new().await;
    world.played_by(3);
    let service = world.start().await;
    service.apply(tomorrow("cup")).await;
    assert!(service.running.stop().await);
    world.advance(3 * HOUR);
    let _service = world.start().await;
    world.until_start_notified().await;
    assert!(world.notifications.stored().is_empty());
    assert!(world.games.listed.lock().unwrap().is_empty(), "nor are its players looked for");
}
