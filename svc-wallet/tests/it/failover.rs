//! A database that has lost its last commits, as after a failover to a standby that was behind: no
//! money leaves until two operators have compared the books.

use std::time::Duration;

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{
        Break, GetPayoutPauseRequest, ListBreaksRequest, OperationKind, OperationState,
        PausePayoutsRequest, PayoutPause, RequestOperationRequest, ResolveBreakRequest,
        ResumePayoutsRequest,
    },
};
use serde_json::json;
use testkit::eventually;
use tonic::{Code, Status};
use types::Money;

use crate::{
    operations::{of_payment, refused},
    world::{Player, World, reason},
};

const REASON: &str = "Compared with M-Pesa.";

impl World {
    /// Why payouts are paused; empty while they are not.
    async fn causes(&self) -> Vec<String> {
        let reply = self.operator("wanjiru").get_payout_pause(GetPayoutPauseRequest {}).await;
        reply.unwrap().into_inner().pause.unwrap().causes
    }

    pub(crate) async fn pause(&self, by: &str) -> PayoutPause {
        let request = PausePayoutsRequest { reason: "The float is too low.".to_owned() };
        self.operator(by).pause_payouts(request).await.unwrap().into_inner().pause.unwrap()
    }

    /// Resumes payouts, as two operators do.
    pub(crate) async fn resume_by_two(&self) {
        self.resume("wanjiru").await.unwrap();
        assert_eq!(self.resume("otieno").await.unwrap(), PayoutPause::default());
        self.wait(Duration::from_secs(30)).await;
    }

    async fn resume(&self, by: &str) -> Result<PayoutPause, Status> {
        let request = ResumePayoutsRequest { reason: REASON.to_owned() };
        Ok(self.operator(by).resume_payouts(request).await?.into_inner().pause.unwrap())
    }

    async fn lost(&self) -> Vec<Break> {
        let request = ListBreaksRequest::default();
        self.operator("wanjiru").list_breaks(request).await.unwrap().into_inner().breaks
    }

    /// Makes the database appear to have gone on from a standby.
    pub(crate) async fn promote(&self) {
        sqlx::query("UPDATE payout_pause SET timeline = timeline - 1")
            .execute(&self.pool)
            .await
            .unwrap();
    }

    async fn assert_withdrawals_paused(&self, player: &Player) {
        let request_id = self.base.rng.uuid_v7(self.base.clock.now()).to_string();
        let request = self.withdrawal(100, &request_id).await;
        let refused = self.send_withdrawal(player, request).await.unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused)),
            (Code::FailedPrecondition, "WITHDRAWALS_PAUSED".to_owned())
        );
    }

    /// A player with a withdrawal that Daraja does not take, until its faults are cleared.
    async fn waiting_withdrawal(&self) -> (Player, String) {
        let player = self.player();
        self.give(&player, 1_000).await;
        self.until_outbox_empty().await;
        let fault =
            json!({"provider": "daraja", "kind": "unauthorized", "call": "b2c", "count": 1000});
        self.fault(fault).await;
        let id = self.withdraw(&player, 200).await;
        self.until_put_off().await;
        (player, id)
    }
}

#[tokio::test]
async fn the_result_of_a_lost_payout_stops_payouts_until_two_operators_have_compared() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    world.until_outbox_empty().await;
    world.hold_callbacks();
    let before = world.callbacks().len();
    let id = world.withdraw(&player, 200).await;
    let (secret, body) =
        eventually("the result", || async { world.callbacks().into_iter().nth(before) }).await;
    // The database has lost the commit before the payout was sent.
    sqlx::query("DELETE FROM b2c_secret").execute(&world.pool).await.unwrap();
    world.let_callbacks_in();
    for _ in 0..2 {
        assert!(world.call_hook("b2c", &secret, body.clone()).await.is_success());
    }

    let lost = world.lost().await;
    assert_eq!(lost.len(), 1, "a repeat changes nothing");
    assert_eq!((lost[0].kind.as_str(), lost[0].provider.as_str()), ("LOST", "M-Pesa"));
    assert_eq!(lost[0].theirs.map(Money::from), Some(Money::from_shillings(200)));
    assert!(!lost[0].reference.is_empty() && lost[0].reference != id, "a receipt");
    assert_eq!(world.causes().await.len(), 2);
    world.assert_withdrawals_paused(&player).await;

    let early = world.resume("wanjiru").await.unwrap_err();
    assert_eq!(
        refused(&early),
        (Code::InvalidArgument, "INVALID_OPERATION".to_owned(), Some("payouts".to_owned()))
    );
    let request = ResolveBreakRequest {
        break_id: lost[0].id.clone(),
        resolution: "Confirmed by its receipt.".to_owned(),
    };
    world.operator("wanjiru").resolve_break(request).await.unwrap();
    world.assert_withdrawals_paused(&player).await;
    assert_eq!(world.resume("wanjiru").await.unwrap().resume_requested_by.unwrap(), "wanjiru");
    assert_eq!(world.resume("wanjiru").await.unwrap().causes.len(), 1, "one operator is not two");
    assert_eq!(world.resume("otieno").await.unwrap(), PayoutPause::default());

    let next = world.withdraw(&player, 100).await;
    world.until(&player, &next, PaymentStatus::Completed).await;
    assert_eq!(world.payouts_sent().await, 2);
    world.finish().await;
}

#[tokio::test]
async fn a_made_up_secret_and_a_refused_payout_are_no_breaks() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    world.until_outbox_empty().await;
    let body = World::payout_result("00000000-0000-7000-8000-000000000001", 0, 200);
    let body = body.to_string().into_bytes();
    let made_up = world.call_hook("b2c", "0123456789abcdef0123456789abcdef", body).await;
    assert_eq!(made_up.as_u16(), 404);

    world.hold_callbacks();
    let before = world.callbacks().len();
    world.phone(json!({"b2c": "not_registered"})).await;
    world.withdraw(&player, 200).await;
    let (secret, body) =
        eventually("the result", || async { world.callbacks().into_iter().nth(before) }).await;
    sqlx::query("DELETE FROM b2c_secret").execute(&world.pool).await.unwrap();
    world.let_callbacks_in();
    assert!(world.call_hook("b2c", &secret, body).await.is_success());
    assert!(world.lost().await.is_empty() && world.causes().await.is_empty());
    world.finish().await;
}

#[tokio::test]
async fn the_result_of_a_lost_top_up_is_a_break() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    world.hold_callbacks();
    let id = world.top_up(&player, 300).await;
    eventually("the result", || async { world.callbacks().into_iter().next() }).await;
    sqlx::query("UPDATE stk_push SET secret_hash = NULL WHERE payment_id = $1::uuid")
        .bind(&id)
        .execute(&world.pool)
        .await
        .unwrap();
    world.release_callback().await;
    let lost = world.lost().await;
    assert_eq!(lost[0].kind, "LOST");
    assert_eq!(lost[0].theirs.map(Money::from), Some(Money::from_shillings(300)));
    world.finish().await;
}

#[tokio::test]
async fn after_a_promotion_no_payout_is_sent_or_given_back_until_two_operators_resume() {
    let world = World::new().await;
    let (player, waiting) = world.waiting_withdrawal().await;
    world.promote().await;
    world.clear_faults().await;
    world.wait(Duration::from_mins(11)).await;
    world.until_put_off().await;
    let payment = world.payment(&player, &waiting).await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::Pending);
    assert_eq!(world.payouts_sent().await, 0);
    assert!(world.causes().await[0].contains("from a standby or a backup"));
    world.assert_withdrawals_paused(&player).await;

    world.resume_by_two().await;
    world.until(&player, &waiting, PaymentStatus::Completed).await;
    assert_eq!(world.payouts_sent().await, 1);
    world.finish().await;
}

#[tokio::test]
async fn an_operator_pauses_payouts_and_two_resume_them() {
    let world = World::new().await;
    let (player, waiting) = world.waiting_withdrawal().await;
    assert_eq!(world.pause("wanjiru").await.causes.len(), 1);
    world.clear_faults().await;
    world.wait(Duration::from_secs(30)).await;
    world.until_put_off().await;
    assert_eq!(world.payouts_sent().await, 0);
    world.assert_withdrawals_paused(&player).await;

    let second = Duration::from_secs(1);
    world.wait(second).await;
    world.resume("otieno").await.unwrap();
    world.wait(second).await;
    world.pause("wanjiru").await;
    world.wait(second).await;
    let requested = world.resume("wanjiru").await.unwrap();
    assert_eq!(
        requested.resume_requested_by.as_deref(),
        Some("wanjiru"),
        "a new pause voids the request"
    );
    world.wait(second).await;
    world.resume("otieno").await.unwrap();
    world.wait(Duration::from_secs(30)).await;
    world.until(&player, &waiting, PaymentStatus::Completed).await;
    let actions: Vec<String> = sqlx::query_scalar("SELECT action FROM money_audit ORDER BY id")
        .fetch_all(&world.pool)
        .await
        .unwrap();
    assert_eq!(actions, ["PAUSED", "RESUME_REQUESTED", "PAUSED", "RESUME_REQUESTED", "RESUMED"]);
    world.finish().await;
}

#[tokio::test]
async fn a_time_out_of_a_lost_payout_is_no_refusal() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    world.until_outbox_empty().await;
    world.hold_callbacks();
    let before = world.callbacks().len();
    world.withdraw(&player, 200).await;
    let (secret, _) =
        eventually("the result", || async { world.callbacks().into_iter().nth(before) }).await;
    sqlx::query("DELETE FROM b2c_secret").execute(&world.pool).await.unwrap();
    world.let_callbacks_in();
    let body = World::payout_result("00000000-0000-7000-8000-000000000001", 2_040, 0);
    let status = world.call_hook("timeout", &secret, body.to_string().into_bytes()).await;
    assert!(status.is_success());
    assert_eq!(world.lost().await[0].reference, "00000000-0000-7000-8000-000000000001");
    world.finish().await;
}

#[tokio::test]
async fn while_payouts_are_paused_no_operator_decides_alone() {
    let world = World::new().await;
    let (_, waiting) = world.waiting_withdrawal().await;
    let confirm = |request_id| RequestOperationRequest {
        receipt: Some("QKL1".to_owned()),
        ..of_payment(OperationKind::Confirm, &waiting, request_id)
    };
    let operation = world.ask("wanjiru", confirm("before")).await.unwrap();
    assert_eq!(operation.state(), OperationState::Waiting, "nothing was sent, to our knowledge");
    world.pause("wanjiru").await;
    let release = of_payment(OperationKind::Release, &waiting, "release");
    let operation = world.ask("wanjiru", release).await.unwrap();
    assert_eq!(operation.state(), OperationState::Waiting);
    let operation = world.ask("wanjiru", confirm("confirm")).await.unwrap();
    let operation = world.decide("otieno", &operation.id, true).await.unwrap();
    assert_eq!(operation.state(), OperationState::Done, "a payout whose claim was lost");
    world.wait(Duration::from_secs(30)).await;
    world.until_outbox_empty().await;
    assert_eq!(world.payouts_sent().await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_payout_whose_claim_is_lost_while_it_is_sent_is_tried_again() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    world.until_outbox_empty().await;
    world.hold_callbacks();
    world
        .fault(json!({"provider": "daraja", "kind": "slow", "call": "b2c",
        "delayMs": 3000}))
        .await;
    let id = world.withdraw(&player, 200).await;
    eventually("the payout is at Daraja", || async {
        (world.payouts_sent().await == 1).then_some(())
    })
    .await;
    // The database goes on without the claim.
    sqlx::raw_sql(
        "DELETE FROM b2c_secret; UPDATE payment SET state = 'CREATED' WHERE kind = 'WITHDRAWAL'",
    )
    .execute(&world.pool)
    .await
    .unwrap();
    world.promote().await;
    world.until_put_off().await;
    assert_eq!(world.payouts_sent().await, 1);
    world.clear_faults().await;
    world.let_callbacks_in();
    world.resume_by_two().await;
    // Daraja has the payout already, and a query finds that it was paid.
    world.until(&player, &id, PaymentStatus::InProgress).await;
    world.wait(Duration::from_mins(2)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.payouts_sent().await, 1);
    assert_eq!(world.bank_paid_out().await, 200);
    world.finish().await;
}
