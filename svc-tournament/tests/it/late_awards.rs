//! Awards of runs that operators release after the settlement.

use std::sync::atomic::Ordering;

use proto::{
    chat::v1::NotificationKind,
    timestamp,
    tournament::v1::{RecordScoreRequest, Tier, TournamentManifest},
    wallet,
};
use testkit::BEGINNING;
use time::Duration;
use tonic::Code;
use types::PlayerId;

use crate::{
    harness::{Service, award, manifest, reason, score},
    settlement::{OVER, param, tier},
};

/// A settled cup with awards for two places, and the players of its three places.
async fn settled_cup(service: &Service) -> (String, [PlayerId; 3]) {
    let world = service.world.clone();
    let awards = vec![award(1, "Cup", 500), award(2, "Plate", 200)];
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    let players = [world.player(), world.player(), world.player()];
    for (player, points) in players.into_iter().zip([30, 20, 10]) {
        service.record(&id, player, points).await;
    }
    world.advance(OVER);
    service.until_settled(&id).await;
    (id, players)
}

/// What each player was paid, in shillings, in the order of the payments.
fn paid(service: &Service, to: PlayerId) -> Vec<i64> {
    let paid = service.world.wallets.paid();
    let of_player = paid.iter().filter(|one| one.player_id == to.to_string());
    let mut paid: Vec<_> = of_player.map(|one| one.amount.unwrap().cents / 100).collect();
    paid.sort_unstable();
    paid
}

/// The score of a run that an operator releases two hours after the test's beginning, which was
/// reached in the last second of the grace.
fn released(id: &str, player: PlayerId, points: i32) -> RecordScoreRequest {
    let at = BEGINNING + Duration::seconds(3_639);
    let released_at = Some(timestamp(BEGINNING + Duration::hours(2)));
    RecordScoreRequest { released_at, ..score(id, player, points, at) }
}

impl Service {
    /// Releases a run, and waits for its award.
    async fn release_and_deliver(&self, id: &str, player: PlayerId, points: i32) {
        self.release(id, player, points).await;
        self.world.until_delivered().await;
    }

    pub(crate) async fn release(&self, id: &str, player: PlayerId, points: i32) {
        self.try_record(released(id, player, points)).await.unwrap();
    }
}

#[tokio::test]
async fn a_run_that_is_released_after_the_settlement_wins_beside_the_others() {
    let service = Service::start().await;
    let (id, [first, second, third]) = settled_cup(&service).await;
    let board = service.order(&id).await;
    let player = service.world.player();
    service.world.advance(Duration::days(2));

    service.release_and_deliver(&id, player, 25).await;
    service.release_and_deliver(&id, player, 25).await;

    assert_eq!(paid(&service, player), [200], "the second place, once");
    assert_eq!(paid(&service, first), [500]);
    assert_eq!(paid(&service, second), [200], "no winner moves down");
    assert!(paid(&service, third).is_empty());
    assert_eq!(service.order(&id).await, board, "the board stays as it was settled");
    let won = service.world.notified(player).remove(0);
    assert_eq!((won.kind(), param(&won, "rank")), (NotificationKind::CashAwardWon, "2"));
}

#[tokio::test]
async fn released_runs_cost_no_more_than_the_awards_of_the_tournament() {
    let service = Service::start().await;
    let (id, _) = settled_cup(&service).await;
    let players: Vec<PlayerId> = (0..4).map(|_| service.world.player()).collect();
    for player in &players {
        service.release_and_deliver(&id, *player, 40).await;
    }
    service.release_and_deliver(&id, players[1], 40).await;
    let paid: Vec<_> = players.iter().map(|player| paid(&service, *player)).collect();
    assert_eq!(paid, [vec![500], vec![200], vec![], vec![]]);
}

#[tokio::test]
async fn a_late_run_that_no_operator_released_wins_nothing() {
    let service = Service::start().await;
    let (id, _) = settled_cup(&service).await;
    let player = service.world.player();
    let late = RecordScoreRequest { released_at: None, ..released(&id, player, 40) };

    let refused = service.try_record(late).await.unwrap_err();

    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::FailedPrecondition, "TOURNAMENT_CLOSED".into())
    );
    service.world.until_delivered().await;
    assert!(paid(&service, player).is_empty());
}

#[tokio::test]
async fn a_released_run_of_a_winner_wins_what_the_better_place_has_more() {
    let service = Service::start().await;
    let (id, [first, second, third]) = settled_cup(&service).await;

    service.release_and_deliver(&id, second, 31).await;
    service.release_and_deliver(&id, third, 20).await;

    assert_eq!(paid(&service, second), [200, 300]);
    assert!(paid(&service, third).is_empty(), "the place is behind those with as many points");
    // Neither a run that is no better than that of the board, nor one that does not beat the place
    // that was given, wins anything.
    service.release_and_deliver(&id, first, 30).await;
    service.release_and_deliver(&id, second, 25).await;
    assert_eq!((paid(&service, first), paid(&service, second)), (vec![500], vec![200, 300]));
}

#[tokio::test]
async fn a_late_award_is_that_of_the_package_that_was_held_when_the_run_began() {
    let service = Service::start().await;
    let world = service.world.clone();
    let awards = vec![award(1, "Cup", 500), tier(Tier::Gold, award(1, "Gold cup", 900))];
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    world.advance(OVER);
    service.until_settled(&id).await;
    let (gold, away) = (world.player(), world.player());
    world.wallets.hold(gold, wallet::v1::Tier::Gold);
    world.wallets.away.store(1, Ordering::SeqCst);
    let refused = service.try_record(released(&id, away, 9)).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable, "the call is repeated");
    world.wallets.away.store(0, Ordering::SeqCst);

    service.release_and_deliver(&id, gold, 8).await;

    assert_eq!(paid(&service, gold), [900]);
}

#[tokio::test]
async fn a_run_is_released_too_late_a_week_after_the_end() {
    let service = Service::start().await;
    let (id, _) = settled_cup(&service).await;
    let (outside, in_time, late) =
        (service.world.player(), service.world.player(), service.world.player());
    let reached_at = Some(timestamp(BEGINNING + Duration::hours(2)));
    let after_the_end = RecordScoreRequest { reached_at, ..released(&id, outside, 40) };
    assert_eq!(reason(&service.try_record(after_the_end).await.unwrap_err()), "INVALID_ARGUMENT");
    let too_late = BEGINNING + Duration::hours(1) + Duration::days(7);
    // The time of the release counts, and not that of its delivery.
    service.world.advance(Duration::days(8));
    service.release_and_deliver(&id, in_time, 40).await;

    let released_at = Some(timestamp(too_late));
    let late_release = RecordScoreRequest { released_at, ..released(&id, late, 40) };
    let refused = service.try_record(late_release).await.unwrap_err();

    assert_eq!(reason(&refused), "TOURNAMENT_CLOSED");
    service.world.until_delivered().await;
    assert!(paid(&service, outside).is_empty() && paid(&service, late).is_empty());
    assert_eq!(paid(&service, in_time), [500]);
}

#[tokio::test]
async fn a_run_that_is_released_while_the_board_is_being_settled_comes_again() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    sqlx::query("UPDATE tournament SET closed_at = now() WHERE id = $1::uuid")
        .bind(&id)
        .execute(&service.world.database.pool)
        .await
        .unwrap();
    let refused = service.try_record(released(&id, service.world.player(), 40)).await.unwrap_err();
    assert_eq!(refused.code(), Code::Aborted);
}
