//! The screening of awards of money: one for a person, who has proven a phone, has points in the range
//! of the board, and plays as a person does.

use std::sync::atomic::Ordering;

use proto::{
    auth::v1::IdentityKind,
    chat::v1::NotificationKind,
    games::v1::{PrizeClass, RunDoubt},
    timestamp,
    tournament::v1::{AwardDecision, AwardManifest, AwardState, TournamentManifest},
    types::v1::Change,
};
use testkit::{BEGINNING, eventually};
use time::Duration;
use types::PlayerId;

use crate::{
    harness::{Service, award, field, manifest},
    settlement::{OVER, param},
};

/// The players of the cup that is about to be settled, which gives the first three 500, 200 and 100.
async fn cup(service: &Service) -> (String, [PlayerId; 4]) {
    let world = &service.world;
    let awards = vec![award(1, "Cup", 500), award(2, "Plate", 200), award(3, "Spoon", 100)];
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    let players = [world.player(), world.player(), world.player(), world.player()];
    for (player, points) in players.into_iter().zip([40, 30, 20, 10]) {
        service.record(&id, player, points).await;
    }
    (id, players)
}

async fn settle(service: &Service, id: &str) {
    service.world.advance(OVER);
    service.until_settled(id).await;
    service.until_paid().await;
}

#[tokio::test]
async fn one_person_behind_three_winners_is_paid_once_and_operators_see_why() {
    let service = Service::start().await;
    let (id, [first, second, third, _]) = cup(&service).await;
    service.world.persons.share(IdentityKind::Phone, &[first, second]);
    service.world.persons.share(IdentityKind::Device, &[third, first]);
    settle(&service, &id).await;
    assert_eq!(service.paid(first), [500]);
    for (player, reason) in [
        (second, "shares a phone with the winner of place 1"),
        (third, "shares a device with the winner of place 1"),
    ] {
        assert!(service.paid(player).is_empty());
        let held = service.award_of(player, AwardState::Review).await;
        assert_eq!(
            (held.decided_by.as_str(), held.decision.as_str(), held.reason.as_str()),
            ("SCREENING", "REVIEW", reason)
        );
    }
    // Two siblings share a phone: an operator knows them.
    let award = service.award_of(second, AwardState::Review).await;
    service.decide("wanjiru", &award, AwardDecision::Approve).await.unwrap();
    service.until_paid().await;
    assert_eq!(service.paid(second), [200]);
}

#[tokio::test]
async fn who_moves_up_in_place_of_a_refused_winner_is_not_the_same_person() {
    let service = Service::start_with_hold().await;
    let (id, [first, second, third, fourth]) = cup(&service).await;
    service.world.persons.share(IdentityKind::Device, &[first, fourth]);
    settle(&service, &id).await;
    let award = service.award_of(first, AwardState::Pending).await;
    service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
    service.world.advance(Duration::days(1));
    service.until_paid().await;
    assert_eq!(service.paid(second), [200, 300]);
    assert_eq!(service.paid(third), [100, 100]);
    assert!(service.paid(fourth).is_empty());
    let held = service.award_of(fourth, AwardState::Review).await;
    assert_eq!(held.reason, "shares a device with the winner of place 1");
}

#[tokio::test]
async fn points_out_of_the_range_of_the_board_wait_for_operators() {
    let service = Service::start().await;
    let (id, [.., fourth]) = cup(&service).await;
    let world = &service.world;
    for points in 100..120 {
        service.record(&id, world.player(), points).await;
    }
    let second = world.player();
    service.record(&id, second, 130).await;
    // This player is a script that makes no mistakes, and has no phone.
    service.record(&id, fourth, 10_000).await;
    world.persons.forget_phone(fourth);
    settle(&service, &id).await;
    assert!(service.paid(fourth).is_empty());
    let held = service.award_of(fourth, AwardState::Review).await;
    let reason = "has 10000 points; half of the board has 109 or more, a quarter 115; \
                  has proven no phone";
    assert_eq!((held.decided_by.as_str(), held.reason.as_str()), ("SCREENING", reason));
    assert_eq!(service.paid(second), [200]);
    service.decide("wanjiru", &held, AwardDecision::Refuse).await.unwrap();
    service.until_paid().await;
    assert_eq!(service.paid(second), [200, 300], "the second moves up");
}

#[tokio::test]
async fn a_run_that_no_person_played_waits_for_operators() {
    let service = Service::start().await;
    let (id, [first, second, ..]) = cup(&service).await;
    let doubt = |player: PlayerId| RunDoubt {
        player_id: player.to_string(),
        text: "most presses differ by 0 ms".to_owned(),
    };
    *service.world.games.doubts.lock().unwrap() = vec![doubt(first), doubt(second)];
    service.world.persons.share(IdentityKind::Device, &[first, second]);
    // Operators read all about the second, although it waits for a phone, too.
    service.world.persons.forget_phone(second);
    settle(&service, &id).await;
    assert!(service.paid(first).is_empty());
    let held = service.award_of(first, AwardState::Review).await;
    let reason = "most presses differ by 0 ms";
    assert_eq!((held.decided_by.as_str(), held.reason.as_str()), ("SCREENING", reason));
    let held = service.award_of(second, AwardState::Review).await;
    let all = "shares a device with the winner of place 1; most presses differ by 0 ms; \
               has proven no phone";
    assert_eq!(held.reason, all);
}

#[tokio::test]
async fn a_run_is_screened_once_its_player_has_a_phone() {
    let service = Service::start().await;
    let (id, [first, second, third, _]) = cup(&service).await;
    service.world.persons.forget_phone(first);
    settle(&service, &id).await;
    let screened = || service.world.games.screened.lock().unwrap().concat();
    let mut with_phone = [second.to_string(), third.to_string()];
    let mut first_round = screened();
    with_phone.sort();
    first_round.sort();
    assert_eq!(first_round, with_phone);
    service.world.persons.prove_phones();
    service.world.advance(Duration::minutes(1));
    service.until_paid().await;
    assert_eq!(service.paid(first), [500]);
    assert_eq!(screened()[2..], [first.to_string()]);
}

#[tokio::test]
async fn a_prize_waits_for_a_phone_and_its_player_is_notified_once() {
    let service = Service::start().await;
    let (id, [first, second, ..]) = cup(&service).await;
    service.world.persons.forget_phone(first);
    settle(&service, &id).await;
    assert!(service.paid(first).is_empty());
    assert_eq!(service.paid(second), [200]);
    let own = service.board(&id, first).await.own_awards.remove(0);
    assert_eq!((own.state(), own.needs_phone), (AwardState::Pending, true));
    service.world.advance(Duration::minutes(1));
    service.until_paid().await;
    let notified = service.world.notified(first);
    let [waits] = notified.as_slice() else { panic!("one notification: {notified:?}") };
    assert_eq!(waits.kind(), NotificationKind::CashAwardNeedsPhone);
    assert_eq!((param(waits, "amount"), param(waits, "tournament")), ("KES 500.00", "The cup"));

    service.world.persons.prove_phones();
    service.world.advance(Duration::minutes(1));
    service.until_paid().await;
    assert_eq!(service.paid(first), [500]);
    let own = service.board(&id, first).await.own_awards.remove(0);
    assert_eq!((own.state(), own.needs_phone), (AwardState::Paid, false));
}

#[tokio::test]
async fn a_phone_that_is_proven_late_is_seen_where_operators_review_the_winners() {
    let service = Service::start().await;
    let world = &service.world;
    let awards = vec![award(1, "Cup", 500), award(2, "Plate", 200)];
    let reviewed = TournamentManifest { awards, review_winners: true, ..manifest("cup") };
    let id = service.apply(reviewed).await;
    let (first, second) = (world.player(), world.player());
    service.record(&id, first, 40).await;
    service.record(&id, second, 30).await;
    world.persons.forget_phone(first);
    settle(&service, &id).await;
    world.persons.share(IdentityKind::Phone, &[first, second]);
    world.persons.prove_phones();
    world.advance(Duration::minutes(1));
    service.until_paid().await;
    let held = service.award_of(first, AwardState::Review).await;
    assert_eq!(held.reason, "shares a phone with the winner of place 2");
    assert_eq!(service.award_of(second, AwardState::Review).await.reason, "");
}

#[tokio::test]
async fn a_phone_that_is_proven_late_does_not_pay_its_person_twice() {
    let service = Service::start_with_hold().await;
    let (id, [first, second, ..]) = cup(&service).await;
    service.world.persons.forget_phone(first);
    settle(&service, &id).await;
    // The second has passed, and the first proves the same phone within the hold.
    service.world.persons.share(IdentityKind::Phone, &[first, second]);
    service.world.persons.prove_phones();
    service.world.advance(Duration::days(1));
    service.until_paid().await;
    assert_eq!(service.paid(second), [200]);
    assert!(service.paid(first).is_empty());
    let held = service.award_of(first, AwardState::Review).await;
    assert_eq!(held.reason, "shares a phone with the winner of place 2");
}

#[tokio::test]
async fn a_winner_with_an_award_in_review_is_paid_no_other_one() {
    let service = Service::start_with_hold().await;
    let (id, [first, second, third, _]) = cup(&service).await;
    service.world.persons.share(IdentityKind::Phone, &[second, third]);
    settle(&service, &id).await;
    for (player, state) in [(third, AwardState::Review), (first, AwardState::Pending)] {
        let award = service.award_of(player, state).await;
        service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
    }
    // What the second gets more waits, because the third was refused.
    eventually("the screening", || async {
        let given = service.given(AwardState::Review).await;
        given.iter().any(|one| one.player_id == second.to_string()).then_some(())
    })
    .await;
    service.world.advance(Duration::days(1));
    service.until_paid().await;
    assert!(service.paid(second).is_empty());
    let award = service.award_of(second, AwardState::Review).await;
    service.decide("wanjiru", &award, AwardDecision::Approve).await.unwrap();
    service.until_paid().await;
    assert_eq!(service.paid(second), [200, 300]);
}

#[tokio::test]
async fn operators_decide_about_a_prize_that_waits_for_a_phone_too_long() {
    let service = Service::start().await;
    let (id, [first, second, ..]) = cup(&service).await;
    service.world.persons.forget_phone(first);
    settle(&service, &id).await;
    assert!(service.award_of(first, AwardState::Pending).await.needs_phone);
    service.world.advance(Duration::days(6));
    service.until_paid().await;
    let held = service.award_of(first, AwardState::Review).await;
    assert_eq!((held.reason.as_str(), held.needs_phone), ("has proven no phone", true));
    // A phone that is proven after that is compared, too.
    service.world.persons.share(IdentityKind::Phone, &[first, second]);
    service.world.persons.prove_phones();
    service.world.advance(Duration::minutes(1));
    service.until_paid().await;
    let held = service.award_of(first, AwardState::Review).await;
    assert_eq!(held.reason, "shares a phone with the winner of place 2");
    assert!(!held.needs_phone);
}

#[tokio::test]
async fn nothing_is_paid_unscreened() {
    let service = Service::start().await;
    let (id, [first, ..]) = cup(&service).await;
    service.world.persons.away.store(1, Ordering::SeqCst);
    service.world.advance(OVER);
    service.until_settled(&id).await;
    // Awards that are due are searched for as often as those that were not screened.
    let asked = &service.world.persons.asked;
    eventually("three rounds", || async { (asked.load(Ordering::SeqCst) > 3).then_some(()) }).await;
    assert_eq!(service.award_of(first, AwardState::Pending).await.decision, "");
    assert!(service.paid(first).is_empty());
    service.world.persons.away.store(0, Ordering::SeqCst);
    service.until_paid().await;
    assert_eq!(service.paid(first), [500]);
}

#[tokio::test]
async fn prizes_wait_while_no_run_can_be_screened() {
    let service = Service::start().await;
    let (id, [first, ..]) = cup(&service).await;
    let games = &service.world.games;
    games.is_screening_away.store(true, Ordering::SeqCst);
    service.world.advance(OVER);
    service.until_settled(&id).await;
    eventually("a call", || async { (!games.screened.lock().unwrap().is_empty()).then_some(()) })
        .await;
    assert_eq!(service.award_of(first, AwardState::Pending).await.decision, "");
    assert!(service.paid(first).is_empty());
    games.is_screening_away.store(false, Ordering::SeqCst);
    service.until_paid().await;
    assert_eq!(service.paid(first), [500]);
}

#[tokio::test]
async fn the_class_of_a_game_limits_the_prizes() {
    let service = Service::start().await;
    let cash = || TournamentManifest { awards: vec![award(1, "Cup", 500)], ..manifest("cup") };
    let reviewed = || TournamentManifest { review_winners: true, ..cash() };
    for (class, manifest) in [
        (PrizeClass::Unspecified, reviewed()),
        (PrizeClass::Solvable, reviewed()),
        (PrizeClass::Open, cash()),
    ] {
        *service.world.games.prize_class.lock().unwrap() = Some(class);
        assert_eq!(field(&service.try_apply(manifest).await.unwrap_err()).0, "game", "{class:?}");
    }
    *service.world.games.prize_class.lock().unwrap() = Some(PrizeClass::Reflex);
    service.world.games.has_no_pieces.store(true, Ordering::SeqCst);
    let not_live = service.try_apply(cash()).await.unwrap_err();
    assert_eq!(field(&not_live).0, "game", "a script may have searched for the best run");
    service.apply(reviewed()).await;
    // A published tournament keeps its prizes when the class of its game changes.
    *service.world.games.prize_class.lock().unwrap() = Some(PrizeClass::Solvable);
    assert_eq!(service.try_apply(reviewed()).await.unwrap(), Change::Unchanged);
    let translated = AwardManifest { name_sw: "Kombe".to_owned(), ..award(1, "Cup", 500) };
    let translated = TournamentManifest { awards: vec![translated], ..reviewed() };
    assert_eq!(service.try_apply(translated).await.unwrap(), Change::Updated);
    let other = TournamentManifest { awards: vec![award(1, "Cup", 400)], ..reviewed() };
    assert_eq!(field(&service.try_apply(other).await.unwrap_err()).0, "game");
}

#[tokio::test]
async fn cash_that_was_published_with_live_runs_does_not_outlast_their_rules() {
    let service = Service::start().await;
    let games = &service.world.games;
    let later = TournamentManifest {
        awards: vec![award(1, "Cup", 500)],
        starts: Some(timestamp(BEGINNING + Duration::days(20))),
        ends: Some(timestamp(BEGINNING + Duration::days(21))),
        ..manifest("cup")
    };
    service.apply(later.clone()).await;
    games.has_no_pieces.store(true, Ordering::SeqCst);
    assert_eq!(service.try_apply(later.clone()).await.unwrap(), Change::Unchanged);
    *games.rules.lock().unwrap() = Some(vec![8; 32]);
    assert_eq!(field(&service.try_apply(later.clone()).await.unwrap_err()).0, "game");
    let reviewed = TournamentManifest { review_winners: true, ..later };
    assert_eq!(service.try_apply(reviewed).await.unwrap(), Change::Updated);
}

#[tokio::test]
async fn winners_of_a_tournament_with_reviews_wait_for_operators() {
    let service = Service::start().await;
    let world = &service.world;
    let awards = vec![award(1, "Cup", 500)];
    let reviewed = TournamentManifest { awards, review_winners: true, ..manifest("cup") };
    let id = service.apply(reviewed).await;
    let winner = world.player();
    service.record(&id, winner, 40).await;
    settle(&service, &id).await;
    assert!(service.paid(winner).is_empty());
    let award = service.award_of(winner, AwardState::Review).await;
    service.decide("wanjiru", &award, AwardDecision::Approve).await.unwrap();
    service.until_paid().await;
    assert_eq!(service.paid(winner), [500]);
}
