//! Payouts whose outcome is lost, late, repeated or early, and crashes between any two steps.

use std::time::Duration;

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{CaseKind, OperationKind},
};
use serde_json::{Value, json};
use testkit::eventually;
use types::Money;

use crate::{
    operations::of_payment,
    world::{PHONE, Player, World, english},
};

const BOTH: i32 = 1_000;

/// A world with a player who has KES 1,000.
async fn world() -> (World, Player) {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, BOTH).await;
    world.until_outbox_empty().await;
    (world, player)
}

impl World {
    /// The result of a payout, as Daraja posts it.
    pub(crate) fn payout_result(id: &str, code: u32, shillings: u32) -> Value {
        let parameters = json!({"ResultParameter": [
            {"Key": "TransactionAmount", "Value": shillings},
            {"Key": "TransactionReceipt", "Value": format!("R{}", &id[24..])},
            {"Key": "ReceiverPartyPublicName", "Value": format!("{PHONE} - AMINA")},
        ]});
        let mut result = json!({"ResultType": 0, "ResultCode": code, "ResultDesc": "",
            "OriginatorConversationID": id, "TransactionID": format!("R{}", &id[24..])});
        if code == 0 {
            result["ResultParameters"] = parameters;
        }
        json!({"Result": result})
    }

    /// Gives a payout a secret that the test knows.
    pub(crate) async fn payout_secret(&self, id: &str) -> String {
        let secret = "0123456789abcdef0123456789abcdef".to_owned();
        sqlx::query(
            "INSERT INTO b2c_secret (secret_hash, payment_id, purpose, created_at)
             VALUES (sha256($1::bytea), $2::uuid, 'PAYOUT', now())",
        )
        .bind(secret.as_bytes())
        .bind(id)
        .execute(&self.pool)
        .await
        .unwrap();
        secret
    }

    pub(crate) async fn report(&self, hook: &str, secret: &str, body: &Value) {
        let status = self.call_hook(hook, secret, body.to_string().into_bytes()).await;
        assert!(status.is_success(), "{status}");
        self.until_outbox_empty().await;
    }

    pub(crate) async fn payout_conversation(&self) -> String {
        sqlx::query_scalar("SELECT conversation_id FROM b2c_payout")
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }

    async fn case(&self) -> Option<String> {
        sqlx::query_scalar("SELECT case_kind FROM b2c_payout").fetch_one(&self.pool).await.unwrap()
    }

    async fn queries(&self) -> i32 {
        sqlx::query_scalar("SELECT queries FROM b2c_payout").fetch_one(&self.pool).await.unwrap()
    }

    /// Waits until the payout's next query is planned, and none is under way.
    async fn until_next_query(&self, queries: i32) {
        eventually("the next query is planned", || async {
            let planned: bool =
                sqlx::query_scalar("SELECT leased_until IS NULL AND queries >= $1 FROM b2c_payout")
                    .bind(queries)
                    .fetch_one(&self.pool)
                    .await
                    .unwrap();
            planned.then_some(())
        })
        .await;
    }

    /// Puts the outbox row of the payout back, to simulate a crash before it was removed.
    async fn deliver_again(&self, id: &str) {
        let since = self.base.clock.now();
        sqlx::query(
            "INSERT INTO outbox (id, topic, payload, due_at, created_at)
             VALUES (gen_random_uuid(), 'b2c.payout',
                 jsonb_build_object('payment', $1::text, 'since', $2::text), '2026-01-01',
                 '2026-01-01')",
        )
        .bind(id)
        .bind(since.format(&time::format_description::well_known::Rfc3339).unwrap())
        .execute(&self.pool)
        .await
        .unwrap();
        self.until_outbox_empty().await;
    }

    async fn payment_state(&self, id: &str) -> String {
        sqlx::query_scalar("SELECT state FROM payment WHERE id = $1::uuid")
            .bind(id)
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }

    async fn set_state(&self, id: &str, state: &str) {
        sqlx::query("UPDATE payment SET state = $2, failure = NULL WHERE id = $1::uuid")
            .bind(id)
            .bind(state)
            .execute(&self.pool)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_status_query_replaces_a_lost_result() {
    for (outcome, status, balance, left) in
        [("silent", PaymentStatus::Completed, 795, 200), ("lost", PaymentStatus::Error, BOTH, 0)]
    {
        let (world, player) = world().await;
        world.phone(json!({"b2c": outcome})).await;
        let id = world.withdraw(&player, 200).await;
        world.until(&player, &id, PaymentStatus::InProgress).await;
        eventually("the sandbox settles", || async {
            let payouts = world.control("payouts").await;
            (!payouts[0]["settled"].is_null() || payouts[0].get("outcome").is_some()).then_some(())
        })
        .await;
        world.wait(Duration::from_secs(121)).await;
        world.until(&player, &id, status).await;
        assert_eq!(world.available(&player).await, Money::from_shillings(balance), "{outcome}");
        assert_eq!(world.bank_paid_out().await, left);
        world.finish().await;
    }
}

#[tokio::test]
async fn a_timeout_call_is_no_failure() {
    for (outcome, status, balance) in
        [("timeout", PaymentStatus::Completed, 795), ("timeout_unpaid", PaymentStatus::Error, BOTH)]
    {
        let (world, player) = world().await;
        world.phone(json!({"b2c": outcome})).await;
        let id = world.withdraw(&player, 200).await;
        eventually("the timeout call", || async {
            world.outcomes().await.contains(&"timed out".to_owned()).then_some(())
        })
        .await;
        let payment = world.payment(&player, &id).await.unwrap();
        assert_eq!(payment.status(), PaymentStatus::InProgress);
        assert_eq!(world.available(&player).await, Money::from_shillings(795));
        world.wait(Duration::from_secs(121)).await;
        world.until(&player, &id, status).await;
        assert_eq!(world.available(&player).await, Money::from_shillings(balance), "{outcome}");
        world.finish().await;
    }
}

#[tokio::test]
async fn a_lost_reply_leaves_the_payout_open_until_its_result_comes() {
    let (world, player) = world().await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "b2c"})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.payouts_sent().await, 1);
    assert_eq!(world.balance(&player).await, Money::from_shillings(795));
    world.finish().await;
}

#[tokio::test]
async fn a_payout_without_any_call_is_queried_for_a_day_and_then_a_case() {
    let (world, player) = world().await;
    world.phone(json!({"b2c": "silent"})).await;
    // Daraja replies 500 although it has taken the payout.
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "b2c"})).await;
    let id = world.withdraw(&player, 200).await;
    eventually("the payout", || async { (world.payouts_sent().await == 1).then_some(()) }).await;
    world.until_outbox_empty().await;
    world
        .fault(json!({"provider": "daraja", "kind": "spike", "call": "status", "count": 1000}))
        .await;
    for hours in [1, 12, 11] {
        let before = world.queries().await;
        world.wait(Duration::from_hours(hours)).await;
        world.until_next_query(before + 1).await;
        let player = world.renewed(&player);
        let payment = world.payment(&player, &id).await.unwrap();
        assert_eq!(payment.status(), PaymentStatus::Pending, "it never expires");
    }
    world.wait(Duration::from_hours(1)).await;
    let player = world.renewed(&player);
    eventually("a case", || async { world.case().await }).await;
    assert_eq!(world.case().await.as_deref(), Some("UNKNOWN"));
    assert_eq!(world.available(&player).await, Money::from_shillings(795));
    assert_eq!(world.payouts_sent().await, 1, "it is never sent again");

    // The result comes late.
    let secret = world.payout_secret(&id).await;
    world.report("b2c", &secret, &World::payout_result(&id, 0, 200)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.case().await, None);
    world.finish().await;
}

#[tokio::test]
async fn a_result_that_comes_five_times_is_applied_once() {
    let (world, player) = world().await;
    world.phone(json!({"callbacks": 5})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    eventually("five results", || async { (world.callbacks().len() >= 6).then_some(()) }).await;
    world.until_outbox_empty().await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(795));
    assert_eq!(world.history(&player).await.len(), 2);
    world.finish().await;
}

#[tokio::test]
async fn a_result_before_darajas_reply_is_applied() {
    let (world, player) = world().await;
    world.phone(json!({"disorder": true})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.until_outbox_empty().await;
    assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Completed);
    assert_eq!(world.balance(&player).await, Money::from_shillings(795));
    world.finish().await;
}

#[tokio::test]
async fn money_that_leaves_after_a_failure_is_a_case_and_not_the_players() {
    let (world, player) = world().await;
    world.phone(json!({"b2c": "not_registered"})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    let secret = world.payout_secret(&id).await;
    let conversation = world.payout_conversation().await;
    let mut result = World::payout_result(&id, 0, 200);
    result["Result"]["ConversationID"] = conversation.into();
    world.report("b2c", &secret, &result).await;
    assert_eq!(world.case().await.as_deref(), Some("PAID_AFTER_FAILURE"));
    let payment = world.payment(&player, &id).await.unwrap();
    assert!(
        english(payment.text.as_ref()).contains("looking into it"),
        "{}",
        english(payment.text.as_ref())
    );
    assert_eq!(world.available(&player).await, Money::from_shillings(BOTH));
    // A second result changes nothing more.
    result["Result"]["ResultDesc"] = "again".into();
    world.report("b2c", &secret, &result).await;
    assert_eq!(world.available(&player).await, Money::from_shillings(BOTH));
    world.finish().await;
}

#[tokio::test]
async fn a_result_that_is_not_about_this_payout_moves_nothing() {
    let (world, player) = world().await;
    world.phone(json!({"b2c": "silent"})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = world.payout_secret(&id).await;
    let other = World::payout_result("01940000-0000-7000-8000-000000000000", 2040, 200);
    let mut conversation = World::payout_result(&id, 2040, 200);
    conversation["Result"]["ConversationID"] = "AG_other".into();
    let mut phone = World::payout_result(&id, 0, 200);
    phone["Result"]["ResultParameters"]["ResultParameter"][2]["Value"] =
        "254700000000 - EVE".into();
    let amount = World::payout_result(&id, 0, 199);
    let unknown = World::payout_result(&id, 17, 200);
    for body in [other, conversation, phone, amount, unknown, json!({"Result": 1})] {
        world.report("b2c", &secret, &body).await;
    }
    assert_eq!(
        world.outcomes().await.iter().filter(|outcome| *outcome != "applied").collect::<Vec<_>>(),
        [
            "another amount",
            "another conversation",
            "another payout",
            "another phone",
            "outcome unknown",
            "unreadable"
        ]
    );
    assert_eq!(world.case().await.as_deref(), Some("OTHER_AMOUNT"));
    let payment = world.payment(&player, &id).await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::InProgress);
    assert_eq!(world.balance(&player).await, Money::from_shillings(BOTH));
    // A payout's secret is valid for no other hook, and a forged one for none.
    let body = World::payout_result(&id, 0, 200).to_string().into_bytes();
    for (hook, secret) in [("status", secret.as_str()), ("stk", &secret), ("b2c", "forged")] {
        let status = world.call_hook(hook, secret, body.clone()).await;
        assert_eq!(status, axum::http::StatusCode::NOT_FOUND, "{hook}");
    }
    world.finish().await;
}

#[tokio::test]
async fn a_death_before_the_call_is_finished_by_another_delivery() {
    let (mut world, player) = world().await;
    world.fault(json!({"provider": "daraja", "kind": "spike", "call": "b2c", "count": 1000})).await;
    let id = world.withdraw(&player, 200).await;
    world.until_put_off().await;
    // A process that has leased the row dies.
    world.stop_wallet().await;
    sqlx::query("UPDATE outbox SET leased = true, due_at = '2026-01-01'")
        .execute(&world.pool)
        .await
        .unwrap();
    world.clear_faults().await;
    world.start_wallet().await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.payouts_sent().await, 1);
    assert_eq!(world.balance(&player).await, Money::from_shillings(795));
    world.finish().await;
}

#[tokio::test]
async fn a_death_after_the_call_sends_nothing_again() {
    let (world, player) = world().await;
    world.phone(json!({"b2c": "silent"})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    // Simulate a crash before Daraja's reply was stored.
    world.set_state(&id, "SUBMITTING").await;
    sqlx::query("UPDATE b2c_payout SET conversation_id = NULL").execute(&world.pool).await.unwrap();
    world.deliver_again(&id).await;
    assert_eq!(world.payouts_sent().await, 1);
    world.wait(Duration::from_secs(121)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.payouts_sent().await, 1);
    assert_eq!(world.balance(&player).await, Money::from_shillings(795));
    world.finish().await;
}

#[tokio::test]
async fn a_payout_whose_row_is_gone_when_daraja_turns_out_not_to_have_it_is_sent_again() {
    let (world, player) = world().await;
    // The first call takes long, and ends without sending the payout.
    for fault in [
        json!({"provider": "daraja", "kind": "unauthorized", "call": "b2c"}),
        json!({"provider": "daraja", "kind": "slow", "call": "token", "delayMs": 3000}),
        json!({"provider": "daraja", "kind": "spike", "call": "b2c"}),
    ] {
        world.fault(fault).await;
    }
    let id = world.withdraw(&player, 200).await;
    eventually("the payout is claimed", || async {
        (world.payment_state(&id).await == "SUBMITTING").then_some(())
    })
    .await;
    // Simulate a delivery that reached its time limit: the row is delivered again meanwhile.
    let row: sqlx::types::Uuid =
        sqlx::query_scalar("UPDATE outbox SET leased = false, due_at = '2026-01-01' RETURNING id")
            .fetch_one(&world.pool)
            .await
            .unwrap();
    eventually("the row is gone", || async {
        let left: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox WHERE id = $1")
            .bind(row)
            .fetch_one(&world.pool)
            .await
            .unwrap();
        (left == 0).then_some(())
    })
    .await;
    eventually("the payout is not sent", || async {
        (world.faults_left().await == 0).then_some(())
    })
    .await;
    eventually("the payout is sent after all", || async {
        world.database.advance_outbox(Duration::from_secs(5)).await;
        let payment = world.payment(&player, &id).await.unwrap();
        (payment.status() == PaymentStatus::Completed).then_some(())
    })
    .await;
    assert_eq!(world.payouts_sent().await, 1);
    world.finish().await;
}

#[tokio::test]
async fn a_payout_that_nothing_sends_is_a_case_after_an_hour() {
    let (world, player) = world().await;
    world.phone(json!({"b2c": "silent"})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    world.until_outbox_empty().await;
    world.set_state(&id, "CREATED").await;
    world.wait(Duration::from_mins(59)).await;
    assert!(world.cases(CaseKind::Unknown).await.is_empty());
    world.wait(Duration::from_mins(2)).await;
    let cases = world.cases(CaseKind::Unknown).await;
    assert_eq!(cases.len(), 1);
    assert_eq!(cases[0].payment_id, id);
    assert_eq!(cases[0].detail, "not sent for 1 hour: release gives it back");
    let player = world.renewed(&player);
    world.ask("wanjiru", of_payment(OperationKind::Release, &id, "a")).await.unwrap();
    assert_eq!(world.available(&player).await, Money::from_shillings(BOTH));
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    world.finish().await;
}

#[tokio::test]
async fn daraja_refuses_a_payout_that_it_has_and_the_money_moves_once() {
    let (world, player) = world().await;
    world.phone(json!({"b2c": "silent"})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    // Simulate the worst case: a restored copy of the database sends the payout again.
    world.set_state(&id, "CREATED").await;
    sqlx::query("UPDATE b2c_payout SET conversation_id = NULL").execute(&world.pool).await.unwrap();
    world.deliver_again(&id).await;
    assert_eq!(world.payouts_sent().await, 1);
    let payment = world.payment(&player, &id).await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::InProgress, "a duplicate is on its way");
    world.wait(Duration::from_secs(121)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.bank_paid_out().await, 200);
    world.finish().await;
}

#[tokio::test]
async fn a_withdrawal_survives_a_restart_that_missed_its_result() {
    let (mut world, player) = world().await;
    world.phone(json!({"delayMs": 300})).await;
    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    world.stop_wallet().await;
    eventually("the result", || async { (world.callbacks().len() >= 2).then_some(()) }).await;
    world.start_wallet().await;
    world.wait(Duration::from_secs(121)).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(795));
    world.finish().await;
}
