//! Awards of money that wait before they are paid, and what operators decide about them.

use proto::{
    chat::v1::NotificationKind,
    timestamp,
    tournament::v1::{
        AwardDecision, AwardManifest, AwardState, DecideAwardRequest, GivenAward,
        ListGivenAwardsRequest, Tier, TournamentManifest,
        award_admin_service_client::AwardAdminServiceClient,
    },
    types::v1::{Change, Money},
    wallet,
};
use testkit::{BEGINNING, eventually};
use time::Duration;
use tonic::{Code, Status};
use types::PlayerId;

use crate::{
    harness::{Service, award, manifest, reason},
    settlement::{OVER, param, tier},
};

const REASON: &str = "The inputs are those of a script.";

impl Service {
    fn awards(&self, operator: &str) -> AwardAdminServiceClient<mesh::grpc::client::Outgoing> {
        let upstream = testkit::operator(operator, "svc-tournament", self.running.addr);
        AwardAdminServiceClient::new(upstream)
    }

    pub(crate) async fn given(&self, state: AwardState) -> Vec<GivenAward> {
        let request = ListGivenAwardsRequest { state: state.into(), ..Default::default() };
        self.awards("wanjiru").list_given_awards(request).await.unwrap().into_inner().awards
    }

    /// The award that this player has in a state.
    pub(crate) async fn award_of(&self, player: PlayerId, state: AwardState) -> GivenAward {
        let mut given = self.given(state).await;
        given.retain(|one| one.player_id == player.to_string());
        given.remove(0)
    }

    pub(crate) async fn decide(
        &self,
        operator: &str,
        award: &GivenAward,
        decision: AwardDecision,
    ) -> Result<Change, Status> {
        let request = DecideAwardRequest {
            award_id: award.id.clone(),
            decision: decision.into(),
            reason: REASON.to_owned(),
        };
        Ok(self.awards(operator).decide_award(request).await?.into_inner().change())
    }

    /// The settled cup with awards of 500, 200 and 100, and the players of its four places.
    pub(crate) async fn held_cup(&self) -> (String, [PlayerId; 4]) {
        let awards = vec![award(1, "Cup", 500), award(2, "Plate", 200), award(3, "Spoon", 100)];
        self.cup_with(awards).await
    }

    pub(crate) async fn cup_with(&self, awards: Vec<AwardManifest>) -> (String, [PlayerId; 4]) {
        let world = &self.world;
        let id = self.apply(TournamentManifest { awards, ..manifest("cup") }).await;
        let players = [world.player(), world.player(), world.player(), world.player()];
        for (player, points) in players.into_iter().zip([40, 30, 20, 10]) {
            self.record(&id, player, points).await;
        }
        world.advance(OVER);
        self.until_settled(&id).await;
        (id, players)
    }

    /// Waits until all awards are screened, no pending award is due, and the outbox is empty.
    pub(crate) async fn until_paid(&self) {
        let now = self.world.clock.now();
        eventually("the payments", || async {
            let waiting: i64 = sqlx::query_scalar(
                "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM award_given
                     WHERE state IN ('PENDING', 'REVIEW') AND screen_at <= $1
                         OR state = 'PENDING' AND screen_at IS NULL AND due_at <= $1
                             AND NOT EXISTS (
                                 SELECT FROM award_given other
                                 JOIN award_decision ON award_decision.award_id = other.id
                                 WHERE other.player_id = award_given.player_id
                                     AND other.state = 'REVIEW'))",
            )
            .bind(now)
            .fetch_one(&self.world.database.pool)
            .await
            .unwrap();
            (waiting == 0).then_some(())
        })
        .await;
    }

    /// What a player was paid, in shillings, the least first.
    pub(crate) fn paid(&self, player: PlayerId) -> Vec<i64> {
        let paid = self.world.wallets.paid();
        let of_player = paid.iter().filter(|one| one.player_id == player.to_string());
        let mut paid: Vec<_> = of_player.map(|one| one.amount.unwrap().cents / 100).collect();
        paid.sort_unstable();
        paid
    }
}

#[tokio::test]
async fn an_award_is_paid_when_its_hold_is_over_and_its_player_sees_how_far_it_is() {
    let service = Service::start_with_hold().await;
    let (id, [first, ..]) = service.held_cup().await;
    let own = service.board(&id, first).await.own_awards.remove(0);
    assert_eq!(
        (own.state(), own.cash, own.due_at),
        (
            AwardState::Pending,
            Some(Money { cents: 50_000 }),
            Some(timestamp(BEGINNING + OVER + Duration::days(1)))
        )
    );
    service.until_paid().await;
    let told = service.world.notified(first).remove(0);
    assert_eq!((told.kind(), param(&told, "hours")), (NotificationKind::CashAwardPending, "24"));
    assert!(service.paid(first).is_empty());

    service.world.advance(Duration::days(1));
    service.until_paid().await;
    assert_eq!(service.paid(first), [500]);
    let own = service.board(&id, first).await.own_awards.remove(0);
    assert_eq!(own.state(), AwardState::Paid);
    let told = service.world.notified(first).remove(1);
    assert_eq!(told.kind(), NotificationKind::CashAwardWon);
}

#[tokio::test]
async fn an_award_in_review_waits_until_it_is_approved_and_others_do_not() {
    let service = Service::start_with_hold().await;
    let (id, [first, second, ..]) = service.held_cup().await;
    let award = service.award_of(first, AwardState::Pending).await;
    assert_eq!((award.rank, award.points, award.tournament.as_str()), (1, Some(40), "The cup"));

    let change = service.decide("wanjiru", &award, AwardDecision::Review).await.unwrap();
    assert_eq!(change, Change::Updated);
    let again = service.decide("wanjiru", &award, AwardDecision::Review).await.unwrap();
    assert_eq!(again, Change::Unchanged);
    service.world.advance(Duration::days(3));
    service.until_paid().await;
    assert_eq!((service.paid(first), service.paid(second)), (vec![], vec![200]));
    let own = service.board(&id, first).await.own_awards.remove(0);
    assert_eq!(own.state(), AwardState::Review);
    let reviewed = service.award_of(first, AwardState::Review).await;
    assert_eq!((reviewed.decision.as_str(), reviewed.decided_by.as_str()), ("REVIEW", "wanjiru"));

    service.decide("wanjiru", &award, AwardDecision::Approve).await.unwrap();
    service.until_paid().await;
    assert_eq!(service.paid(first), [500]);
    let late = service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap_err();
    assert_eq!((late.code(), reason(&late).as_str()), (Code::FailedPrecondition, "AWARD_DECIDED"));
}

#[tokio::test]
async fn the_players_below_a_refused_winner_move_up_whether_they_are_paid_or_not() {
    for is_late in [false, true] {
        let service = Service::start_with_hold().await;
        let (id, [first, second, third, fourth]) = service.held_cup().await;
        let award = service.award_of(first, AwardState::Pending).await;
        service.decide("wanjiru", &award, AwardDecision::Review).await.unwrap();
        if is_late {
            service.world.advance(Duration::days(1));
            service.until_paid().await;
            assert_eq!(service.paid(second), [200]);
        }
        service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
        assert_eq!(
            service.decide("otieno", &award, AwardDecision::Refuse).await.unwrap(),
            Change::Unchanged
        );
        service.world.advance(Duration::days(1));
        service.until_paid().await;

        assert!(service.paid(first).is_empty());
        assert_eq!(service.paid(second), [200, 300]);
        assert_eq!(service.paid(third), [100, 100]);
        assert_eq!(service.paid(fourth), [100]);
        let own = service.board(&id, first).await.own_awards.remove(0);
        assert_eq!((own.state(), own.reason.as_str()), (AwardState::Refused, REASON));
        let told = service.world.notified(first);
        let refused = told.iter().find(|one| one.kind() == NotificationKind::CashAwardRefused);
        assert_eq!(param(refused.unwrap(), "reason"), REASON);
        // The reservation is the sum of the awards that are not refused.
        let reserved: i64 = service.world.wallets.reserved().iter().map(|one| one.1).sum();
        assert_eq!(reserved, 800);
    }
}

#[tokio::test]
async fn who_moves_up_wins_by_the_tier_at_the_start_of_the_run() {
    let service = Service::start_with_hold().await;
    let awards = vec![award(1, "Cup", 100), tier(Tier::Gold, award(1, "Gold cup", 300))];
    let world = service.world.clone();
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    let (first, second) = (world.player(), world.player());
    world.wallets.hold(second, wallet::v1::Tier::Gold);
    service.record(&id, first, 40).await;
    service.record(&id, second, 30).await;
    world.advance(OVER);
    service.until_settled(&id).await;
    let award = service.award_of(first, AwardState::Pending).await;
    service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
    world.advance(Duration::days(1));
    service.until_paid().await;
    assert_eq!((service.paid(first), service.paid(second)), (vec![], vec![300]));
}

#[tokio::test]
async fn a_refusal_can_be_taken_back_and_nobody_loses_by_it() {
    let service = Service::start_with_hold().await;
    let (_, [first, second, ..]) = service.held_cup().await;
    let award = service.award_of(first, AwardState::Pending).await;
    service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
    let alone = service.decide("wanjiru", &award, AwardDecision::Approve).await.unwrap_err();
    assert_eq!(reason(&alone), "NEEDS_SECOND_OPERATOR");
    service.decide("otieno", &award, AwardDecision::Approve).await.unwrap();
    service.world.advance(Duration::days(1));
    service.until_paid().await;
    assert_eq!((service.paid(first), service.paid(second)), (vec![500], vec![200, 300]));
    service.world.database.assert_append_only("award_decision").await;
}

#[tokio::test]
async fn a_refusal_is_about_all_that_its_player_won_and_can_be_repeated_for_another_winner() {
    let service = Service::start_with_hold().await;
    let (_, [first, second, third, fourth]) = service.held_cup().await;
    let award = service.award_of(first, AwardState::Pending).await;
    service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
    // The second has an award of the second place now, and one of what the first has more.
    let award = service.award_of(second, AwardState::Pending).await;
    service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
    assert_eq!(service.given(AwardState::Refused).await.len(), 3);
    service.world.advance(Duration::days(1));
    service.until_paid().await;
    assert!(service.paid(first).is_empty() && service.paid(second).is_empty());
    assert_eq!(service.paid(third).iter().sum::<i64>(), 500);
    assert_eq!(service.paid(fourth).iter().sum::<i64>(), 200);
}

#[tokio::test]
async fn a_player_in_review_gets_nothing_more_until_that_is_decided() {
    let service = Service::start_with_hold().await;
    let (_, [first, second, ..]) = service.held_cup().await;
    let suspect = service.award_of(second, AwardState::Pending).await;
    service.decide("wanjiru", &suspect, AwardDecision::Review).await.unwrap();
    let award = service.award_of(first, AwardState::Pending).await;
    service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
    service.world.advance(Duration::days(2));
    service.until_paid().await;
    assert!(service.paid(second).is_empty());
    service.decide("wanjiru", &suspect, AwardDecision::Approve).await.unwrap();
    service.until_paid().await;
    assert_eq!(service.paid(second), [200, 300]);
}

#[tokio::test]
async fn one_operator_moves_nobody_up_to_much_money() {
    let service = Service::start_with_hold().await;
    let awards = vec![award(1, "Cup", 11_000)];
    let cup = TournamentManifest { awards: awards.clone(), ..manifest("cup") };
    service.apply_as("wanjiru", cup.clone()).await.unwrap_err();
    service.apply_as("otieno", cup).await.unwrap();
    let (_, [first, second, ..]) = service.cup_with(awards).await;
    let award = service.award_of(first, AwardState::Pending).await;
    service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
    service.world.advance(Duration::days(2));
    service.until_paid().await;
    assert!(service.paid(second).is_empty());
    let award = service.award_of(second, AwardState::Review).await;
    service.decide("wanjiru", &award, AwardDecision::Approve).await.unwrap_err();
    service.decide("otieno", &award, AwardDecision::Approve).await.unwrap();
    service.until_paid().await;
    assert_eq!(service.paid(second), [11_000]);
}

#[tokio::test]
async fn a_late_run_wins_its_place_after_a_refusal_too() {
    let service = Service::start_with_hold().await;
    let (id, [first, ..]) = service.held_cup().await;
    let award = service.award_of(first, AwardState::Pending).await;
    service.decide("wanjiru", &award, AwardDecision::Refuse).await.unwrap();
    let late = service.world.player();
    service.release(&id, late, 35).await;
    service.world.advance(Duration::days(1));
    service.until_paid().await;
    // Without the refused one it is the best.
    assert_eq!(service.paid(late), [500]);
}

#[tokio::test]
async fn a_decision_about_a_removed_tournament_changes_nothing_in_the_one_that_took_its_place() {
    let service = Service::start_with_hold().await;
    let (id, [first, second, ..]) = service.held_cup().await;
    let given = service.award_of(first, AwardState::Pending).await;
    service.delete("cup").await.unwrap();
    let again = TournamentManifest {
        awards: vec![award(1, "Cup", 500)],
        starts: Some(timestamp(service.world.clock.now())),
        ends: Some(timestamp(service.world.clock.now() + Duration::hours(1))),
        ..manifest("cup")
    };
    service.apply(again).await;
    service.record(&id, second, 30).await;
    service.world.advance(Duration::hours(2));
    service.until_settled(&id).await;
    assert_eq!(service.board(&id, first).await.own_awards, []);

    service.decide("wanjiru", &given, AwardDecision::Refuse).await.unwrap();
    service.world.advance(Duration::days(1));
    service.until_paid().await;
    assert!(service.paid(first).is_empty());
    assert_eq!(service.paid(second), [200, 500]);
}

#[tokio::test]
async fn two_operators_approve_an_award_of_much_money() {
    let service = Service::start_with_hold().await;
    let awards = vec![award(1, "Cup", 11_000)];
    let cup = TournamentManifest { awards: awards.clone(), ..manifest("cup") };
    service.apply_as("wanjiru", cup.clone()).await.unwrap_err();
    service.apply_as("otieno", cup).await.unwrap();
    let (_, [first, ..]) = service.cup_with(awards).await;
    let award = service.award_of(first, AwardState::Pending).await;

    for operator in ["wanjiru", "Wanjiru"] {
        let refused = service.decide(operator, &award, AwardDecision::Approve).await.unwrap_err();
        assert_eq!(reason(&refused), "NEEDS_SECOND_OPERATOR");
    }
    assert_eq!(service.award_of(first, AwardState::Pending).await.decision, "PROPOSED");
    service.decide("otieno", &award, AwardDecision::Approve).await.unwrap();
    service.until_paid().await;
    assert_eq!(service.paid(first), [11_000]);
}

#[tokio::test]
async fn what_is_no_decision_is_refused() {
    let service = Service::start_with_hold().await;
    let (_, [first, ..]) = service.held_cup().await;
    let award = service.award_of(first, AwardState::Pending).await;
    let decided = async |id: &str, decision: AwardDecision, reason: &str| {
        let request = DecideAwardRequest {
            award_id: id.to_owned(),
            decision: decision.into(),
            reason: reason.to_owned(),
        };
        service.awards("wanjiru").decide_award(request).await.unwrap_err().code()
    };
    let (id, other) = (award.id.as_str(), award.player_id.as_str());
    assert_eq!(decided(other, AwardDecision::Refuse, REASON).await, Code::NotFound);
    assert_eq!(decided("x", AwardDecision::Refuse, REASON).await, Code::NotFound);
    assert_eq!(decided(id, AwardDecision::Unspecified, REASON).await, Code::InvalidArgument);
    assert_eq!(decided(id, AwardDecision::Refuse, " ").await, Code::InvalidArgument);
    assert_eq!(decided(id, AwardDecision::Refuse, &"x".repeat(121)).await, Code::InvalidArgument);
}
