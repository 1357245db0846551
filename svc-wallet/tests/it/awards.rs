//! Awards of money, which svc-tournament has paid.

use futures_util::future::join_all;
use mesh::grpc::client::Outgoing;
use proto::wallet::v1::{
    Direction, PayAwardRequest, TransactionDesc, TransactionKind,
    award_service_client::AwardServiceClient,
};
use testkit::eventually;
use time::Duration;
use tonic::{Code, Status};
use types::Money;

use crate::world::{Player, World, reason};

impl World {
    pub(crate) fn awards(&self) -> AwardServiceClient<Outgoing> {
        AwardServiceClient::new(self.connect("svc-tournament"))
    }

    /// A new award of KES 500, given an hour ago.
    pub(crate) fn award(&self, player: &Player) -> PayAwardRequest {
        let now = self.base.clock.now();
        PayAwardRequest {
            award_id: self.base.rng.uuid_v7(now).to_string(),
            player_id: player.id.to_string(),
            amount: Some(Money::from_shillings(500).into()),
            detail: "Friday Dash · place 1".to_owned(),
            awarded_at: Some(proto::timestamp(now - Duration::HOUR)),
            reservation_id: None,
        }
    }

    pub(crate) async fn pay(&self, award: &PayAwardRequest) -> Result<(), Status> {
        self.awards().pay_award(award.clone()).await.map(drop)
    }

    /// The sum of the awards' postings on the promotions account, in cents.
    async fn promotions(&self) -> i64 {
        let sum = "SELECT coalesce(sum(amount_cents), 0)::bigint FROM posting
                   WHERE account_id = house_account('PROMOTIONS') AND kind = 'AWARD'";
        sqlx::query_scalar(sum).fetch_one(&self.pool).await.unwrap()
    }

    /// Ends the connections that wait for a lock; returns their number.
    async fn end_waiting_connections(&self) -> i64 {
        let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
        sqlx::query_scalar(end).fetch_one(&self.pool).await.unwrap()
    }
}

#[tokio::test]
async fn an_award_is_in_the_winners_wallet_and_history() {
    let world = World::with_prizes().await;
    let winner = world.player();
    let award = world.award(&winner);

    world.pay(&award).await.unwrap();

    assert_eq!(world.balance(&winner).await, Money::from_shillings(500));
    assert_eq!(world.promotions().await, -50_000);
    let history = world.history(&winner).await;
    let [line] = history.as_slice() else { panic!("{history:?}") };
    assert_eq!(line.transaction_desc(), TransactionDesc::TopupWallet);
    assert_eq!(line.kind(), TransactionKind::Prize);
    assert_eq!(line.direction(), Direction::Credit);
    assert_eq!(line.detail.as_deref(), Some("Friday Dash · place 1"));
    assert_eq!(line.created_at, award.awarded_at);
    assert!(line.payment.as_ref().unwrap().successful);
    assert_eq!(line.payment.as_ref().unwrap().receipt, None);
    world.finish().await;
}

#[tokio::test]
async fn awards_beyond_the_limit_of_an_hour_are_paid_in_the_next() {
    let world = World::with(|args| args.awards_an_hour = Money::from_shillings(1_200)).await;
    world.fund(10_000, "QKL1").await;
    let winner = world.player();
    let awards = [(); 3].map(|()| world.award(&winner));
    for award in &awards[..2] {
        world.pay(award).await.unwrap();
    }
    let refused = world.pay(&awards[2]).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::ResourceExhausted, "AWARDS_OVER_LIMIT")
    );
    // A repeat of a paid award is no further one.
    world.pay(&awards[0]).await.unwrap();
    assert_eq!(world.promotions().await, -100_000);

    world.wait(std::time::Duration::from_hours(1)).await;
    world.pay(&awards[2]).await.unwrap();
    assert_eq!(world.promotions().await, -150_000);
    world.finish().await;
}

#[tokio::test]
async fn fifty_repeats_at_once_over_two_replicas_pay_one_award() {
    let mut world = World::with_prizes().await;
    world.start_replica().await;
    let winner = world.player();
    let award = world.award(&winner);
    let clients =
        [world.awards(), AwardServiceClient::new(world.connect_replica("svc-tournament"))];

    let calls = (0..50).map(|call| {
        let (mut client, award) = (clients[call % 2].clone(), award.clone());
        async move { client.pay_award(award).await.map(drop) }
    });
    for outcome in join_all(calls).await {
        outcome.unwrap();
    }

    assert_eq!(world.balance(&winner).await, Money::from_shillings(500));
    assert_eq!(world.history(&winner).await.len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn many_awards_of_one_player_at_once_are_all_paid() {
    let world = World::with_prizes().await;
    let winner = world.player();
    let awards: Vec<_> = (0..20).map(|_| world.award(&winner)).collect();
    for outcome in join_all(awards.iter().map(|award| world.pay(award))).await {
        outcome.unwrap();
    }
    assert_eq!(world.balance(&winner).await, Money::from_shillings(10_000));
    world.finish().await;
}

#[tokio::test]
async fn an_award_whose_connection_ends_half_way_is_paid_once_by_the_repeat() {
    let world = World::with_prizes().await;
    let winner = world.player();
    // The wallet exists, so that the payment can be stopped in front of its lock.
    world.pay(&world.award(&winner)).await.unwrap();
    let award = world.award(&winner);
    let mut lock = world.pool.begin().await.unwrap();
    sqlx::query("SELECT FROM wallet FOR UPDATE").execute(&mut *lock).await.unwrap();

    let ended = eventually("a payment that waits for the wallet", || async {
        Some(world.end_waiting_connections().await).filter(|ended| *ended > 0)
    });
    let (outcome, _) = tokio::join!(world.pay(&award), ended);
    assert!(outcome.is_err(), "its connection was ended");
    assert_eq!(world.balance(&winner).await, Money::from_shillings(500));
    lock.rollback().await.unwrap();

    world.pay(&award).await.unwrap();
    world.pay(&award).await.unwrap();
    assert_eq!(world.balance(&winner).await, Money::from_shillings(1_000));
    world.finish().await;
}

#[tokio::test]
async fn an_award_whose_caller_is_gone_half_way_is_paid_once_by_the_repeat() {
    let world = World::with_prizes().await;
    let winner = world.player();
    world.pay(&world.award(&winner)).await.unwrap();
    let award = world.award(&winner);
    let mut lock = world.pool.begin().await.unwrap();
    sqlx::query("SELECT FROM wallet FOR UPDATE").execute(&mut *lock).await.unwrap();

    let waits = eventually("a payment that waits for the wallet", || async {
        let waiting = "SELECT count(*) FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let waiting: i64 = sqlx::query_scalar(waiting).fetch_one(&world.pool).await.unwrap();
        (waiting > 0).then_some(())
    });
    tokio::select! {
        outcome = world.pay(&award) => panic!("{outcome:?} in spite of the lock"),
        () = waits => {}
    }
    lock.rollback().await.unwrap();

    // The first call was either cancelled or committed.
    world.pay(&award).await.unwrap();
    assert_eq!(world.balance(&winner).await, Money::from_shillings(1_000));
    world.finish().await;
}

#[tokio::test]
async fn other_content_under_the_same_id_is_refused() {
    let world = World::with_prizes().await;
    let (winner, other) = (world.player(), world.player());
    let award = world.award(&winner);
    world.pay(&award).await.unwrap();
    for changed in [
        PayAwardRequest { player_id: other.id.to_string(), ..award.clone() },
        PayAwardRequest { amount: Some(Money::from_shillings(501).into()), ..award.clone() },
        PayAwardRequest { detail: "Ajua Open · place 1".to_owned(), ..award.clone() },
    ] {
        let refused = world.pay(&changed).await.unwrap_err();
        assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED", "{changed:?}");
    }
    assert_eq!(world.balance(&winner).await, Money::from_shillings(500));
    assert_eq!(world.balance(&other).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn of_two_players_with_one_award_id_at_once_one_is_paid() {
    let world = World::with_prizes().await;
    let (ann, ben) = (world.player(), world.player());
    let award = world.award(&ann);
    let other = PayAwardRequest { player_id: ben.id.to_string(), ..award.clone() };
    let calls = [&award, &other, &award, &other].map(|award| world.pay(award));
    let paid = join_all(calls).await.into_iter().flatten().count();
    assert!((1..=2).contains(&paid), "{paid} of the calls");
    let total = world.balance(&ann).await.checked_add(world.balance(&ben).await);
    assert_eq!(total, Some(Money::from_shillings(500)));
    world.finish().await;
}

#[tokio::test]
async fn an_award_out_of_its_limits_is_refused() {
    let world = World::new().await;
    let good = world.award(&world.player());
    let money = |cents| Some(Money::from_cents(cents).into());
    for bad in [
        PayAwardRequest { award_id: "one".to_owned(), ..good.clone() },
        PayAwardRequest { player_id: String::new(), ..good.clone() },
        PayAwardRequest { amount: None, ..good.clone() },
        PayAwardRequest { amount: money(0), ..good.clone() },
        PayAwardRequest { amount: money(-1), ..good.clone() },
        PayAwardRequest { amount: money(100_000_001), ..good.clone() },
        PayAwardRequest { detail: String::new(), ..good.clone() },
        PayAwardRequest { detail: "x".repeat(201), ..good.clone() },
        PayAwardRequest { awarded_at: None, ..good.clone() },
    ] {
        let refused = world.pay(&bad).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{bad:?}");
    }
    assert_eq!(world.promotions().await, 0);
    world.finish().await;
}

#[tokio::test]
async fn only_svc_tournament_may_pay_awards() {
    let world = World::new().await;
    let award = world.award(&world.player());
    for caller in ["gateway", "playonctl"] {
        let mut client = AwardServiceClient::new(world.connect(caller));
        let refused = client.pay_award(award.clone()).await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied, "{caller}");
    }
    world.finish().await;
}

#[tokio::test]
async fn the_proof_finds_promotions_that_are_no_awards() {
    let world = World::new().await;
    let mut tx = world.pool.begin().await.unwrap();
    sqlx::raw_sql(
        "WITH entry AS (
             INSERT INTO journal (id, kind, ref, created_at)
             VALUES ('00000000-0000-7000-8000-0000000000a1', 'AWARD',
                     '00000000-0000-7000-8000-0000000000a2', now()) RETURNING *
         )
         INSERT INTO posting (journal_id, account_id, amount_cents, kind, ref, created_at,
                              counterparty_id)
         SELECT id, house_account(name), cents, kind, ref, created_at, house_account(other)
         FROM entry, (VALUES ('PROMOTIONS', 'SUSPENSE', 5), ('SUSPENSE', 'PROMOTIONS', -5))
             line (name, other, cents)",
    )
    .execute(&mut *tx)
    .await
    .unwrap();
    let found: Vec<(String, String, String)> =
        sqlx::query_as(include_str!("../../proof.sql")).fetch_all(&mut *tx).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    tx.rollback().await.unwrap();
    world.finish().await;
}
