//! Giving M-Pesa payments back by Daraja's reversal.

use std::time::Duration;

use futures_util::future::join_all;
use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{
        CaseKind, OpenCase, Operation, OperationKind, OperationState, RequestOperationRequest,
    },
};
use serde_json::{Value, json};
use testkit::eventually;
use types::Money;

use crate::{
    callback_secret::CallbackSecret,
    operations::{kes, of_payment, refused},
    world::{Player, World, reason},
};

/// A world with a player who has topped KES 100 up by M-Pesa.
async fn paid() -> (World, Player, String) {
    let world = World::new().await;
    let (player, id) = world.paid_by_mpesa(100).await;
    (world, player, id)
}

impl World {
    async fn paid_by_mpesa(&self, shillings: i32) -> (Player, String) {
        let player = self.player();
        self.phone(json!({"stk": "approve"})).await;
        let id = self.top_up(&player, shillings).await;
        self.until(&player, &id, PaymentStatus::Completed).await;
        self.until_outbox_empty().await;
        (player, id)
    }

    /// Gives a payment a second receipt, as a callback does.
    async fn add_second_receipt(&self, payment: &str, receipt: &str, shillings: i64) {
        sqlx::query(
            "INSERT INTO second_receipt (receipt, payment_id, amount_cents, found_at)
             VALUES ($1, $2::uuid, $3, $4)",
        )
        .bind(receipt)
        .bind(payment)
        .bind(shillings * 100)
        .bind(self.base.clock.now())
        .execute(&self.pool)
        .await
        .unwrap();
    }

    /// The receipt of the newest reversal, and where its money was.
    async fn newest_reversal(&self) -> (String, String) {
        sqlx::query_as("SELECT receipt, source FROM mpesa_reversal ORDER BY id DESC LIMIT 1")
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }

    /// The field because of which an operation is refused.
    async fn refused_field(&self, request: RequestOperationRequest) -> String {
        let refusal = self.ask("wanjiru", request).await.unwrap_err();
        refused(&refusal).2.unwrap_or_else(|| refusal.to_string())
    }

    async fn give_back(&self, payment: &str, request: &str) -> Operation {
        let asked = of_payment(OperationKind::Refund, payment, request);
        let refund = self.ask("wanjiru", asked).await.unwrap();
        assert_eq!(refund.state(), OperationState::Done);
        refund
    }

    async fn reversal_state(&self) -> String {
        sqlx::query_scalar("SELECT state FROM mpesa_reversal ORDER BY id DESC LIMIT 1")
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }

    /// Waits until the newest reversal is in this state.
    async fn until_reversal(&self, state: &str) {
        eventually(&format!("a reversal {state}"), || async {
            (self.reversal_state().await == state).then_some(())
        })
        .await;
    }

    /// What the sandbox's own book says that it gave back: how often, and how many cents.
    async fn bank_reversed(&self) -> (u64, u64) {
        let reversed = self.control("bank").await["reversed"].clone();
        (reversed["count"].as_u64().unwrap(), reversed["amountCents"].as_u64().unwrap())
    }

    /// The ledger has as much at M-Pesa as M-Pesa's own book, to the cent.
    async fn assert_books_agree(&self) {
        let received = i64::try_from(self.bank_received().await).unwrap() * 100;
        let reversed = i64::try_from(self.bank_reversed().await.1).unwrap();
        assert_eq!(-self.house("MPESA_UTILITY").await, received - reversed);
    }

    async fn set_bank_float(&self, utility: u64) {
        let url = format!("http://{}/control/float", self.sandbox.addr);
        let reply = self.http.put(url).json(&json!({"utility": utility})).send().await.unwrap();
        assert!(reply.status().is_success());
    }

    async fn spike_reversals(&self) {
        let spike = json!({"provider": "daraja", "kind": "spike", "call": "reversal",
            "count": 1000});
        self.fault(spike).await;
    }

    async fn receipt_of(&self, payment: &str) -> String {
        sqlx::query_scalar("SELECT receipt FROM stk_push WHERE payment_id = $1::uuid")
            .bind(payment)
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }

    /// Ends a reversal whose results are held, as M-Pesa does one that it has carried out before.
    async fn finish_reversal(&self) {
        let secret = self.lose_result().await;
        self.report_reversal(&secret, &result(&json!("R000001"), "", 0)).await;
        assert_eq!(self.reversal_state().await, "SUCCEEDED");
    }

    /// Lets callbacks in again, but never the result of the newest reversal; returns a secret for
    /// another one.
    async fn lose_result(&self) -> String {
        self.until_reversal("SUBMITTED").await;
        self.until_outbox_empty().await;
        sqlx::query("DELETE FROM mpesa_reversal_secret").execute(&self.pool).await.unwrap();
        self.let_callbacks_in();
        self.reversal_secret().await
    }

    /// Gives the newest reversal's last call a secret that the test knows.
    async fn reversal_secret(&self) -> String {
        let secret = "0123456789abcdef0123456789abcdef".to_owned();
        sqlx::query(
            "INSERT INTO mpesa_reversal_secret (secret_hash, reversal_id, purpose, attempt,
                 created_at)
             SELECT sha256($1::bytea), id, 'REVERSAL', attempts, now() FROM mpesa_reversal
             ORDER BY id DESC LIMIT 1",
        )
        .bind(secret.as_bytes())
        .execute(&self.pool)
        .await
        .unwrap();
        secret
    }

    async fn report_reversal(&self, secret: &str, body: &Value) {
        let body = body.to_string().into_bytes();
        let status = self.call_hook("reversal", secret, body).await;
        assert!(status.is_success(), "{status}");
        self.until_outbox_empty().await;
    }

    /// The newest result that Daraja posted about a reversal.
    async fn reversal_result(&self) -> (String, Vec<u8>) {
        let is_result = |body: &[u8]| {
            let body = String::from_utf8_lossy(body);
            body.contains("\"Result\"") && !body.contains("TransactionStatus")
        };
        eventually("a result", || async {
            self.callbacks().into_iter().rev().find(|(_, body)| is_result(body))
        })
        .await
    }
}

/// An operation that names a receipt.
fn of_receipt(
    kind: OperationKind,
    payment: &str,
    receipt: &str,
    request: &str,
) -> RequestOperationRequest {
    RequestOperationRequest {
        receipt: Some(receipt.to_owned()),
        ..of_payment(kind, payment, request)
    }
}

/// The result of a reversal, as Daraja posts it.
fn result(code: &Value, receipt: &str, shillings: u32) -> Value {
    let mut result = json!({"ResultType": 0, "ResultCode": code, "ResultDesc": "",
        "TransactionID": "BACK1"});
    if *code == json!(0) {
        result["ResultParameters"] = json!({"ResultParameter": [
            {"Key": "Amount", "Value": shillings},
            {"Key": "OriginalTransactionID", "Value": receipt},
        ]});
    }
    json!({"Result": result})
}

#[tokio::test]
async fn a_top_up_goes_back_to_its_payer_and_the_books_agree() {
    let (world, player, id) = paid().await;
    let refund = world.give_back(&id, "a").await;
    assert_eq!(refund.amount, kes(100));
    assert_eq!(refund.remark, "M-Pesa is asked to reverse it");
    assert_eq!(world.balance(&player).await, Money::ZERO, "it leaves the wallet first");
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    world.assert_books_agree().await;
    assert_eq!(world.house("MPESA_UTILITY").await, 0);
    // The request's repeat reads how it ended, and nothing is left to give back.
    assert_eq!(world.give_back(&id, "a").await.remark, "M-Pesa reversed it");
    let again = world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "b")).await;
    assert_eq!(reason(&again.unwrap_err()), "INVALID_OPERATION");
    let log = world.inspected(&id).await;
    for part in ["reversal by M-Pesa: 100.00 succeeded", "MPESA_REVERSAL, applied"] {
        assert!(log.contains(part), "{part}: {log}");
    }
    world.finish().await;
}

#[tokio::test]
async fn a_part_is_taken_out_of_the_books_and_the_operator_is_told() {
    let (world, player, id) = paid().await;
    let part = |request: &str| RequestOperationRequest {
        amount: kes(30),
        ..of_payment(OperationKind::Refund, &id, request)
    };
    let refund = world.ask("wanjiru", part("a")).await.unwrap();
    assert!(refund.remark.contains("provider's portal"), "{}", refund.remark);
    // So is the rest, which is a part too.
    let rest = world.give_back(&id, "b").await;
    assert_eq!(rest.amount, kes(70));
    assert!(rest.remark.contains("provider's portal"), "{}", rest.remark);
    world.until_outbox_empty().await;
    assert_eq!(world.bank_reversed().await, (0, 0));
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn however_many_operators_and_replicas_order_it_the_payer_gets_it_once() {
    let (mut world, player, id) = paid().await;
    world.start_replica().await;
    let asks = (0..8).map(|number| {
        let by = if number % 2 == 0 { "wanjiru" } else { "otieno" };
        world.ask(by, of_payment(OperationKind::Refund, &id, &format!("key-{}", number / 2)))
    });
    let replies = join_all(asks).await;
    let mut done: Vec<_> = replies.into_iter().filter_map(Result::ok).map(|one| one.id).collect();
    done.dedup();
    assert_eq!(done.len(), 1, "{done:?}");
    world.until_reversal("SUCCEEDED").await;
    world.until_outbox_empty().await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn money_in_suspense_that_m_pesa_does_not_reverse_is_in_suspense_again() {
    let world = World::new().await;
    let player = world.player();
    // The sandbox does not know the receipt OTHER1.
    let id = world.suspend(&player).await;
    let refund = world.give_back(&id, "a").await;
    assert_eq!(refund.amount, kes(120));
    assert_eq!(world.house("SUSPENSE").await, 0);
    world.until_reversal("FAILED").await;
    assert_eq!(world.house("SUSPENSE").await, 12_000);
    assert_eq!(world.cases(CaseKind::Suspended).await.len(), 1);
    // So it can be credited.
    let credit = of_payment(OperationKind::Credit, &id, "b");
    assert_eq!(world.ask("wanjiru", credit).await.unwrap().amount, kes(120));
    assert_eq!(world.balance(&player).await, Money::from_shillings(120));
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_is_reversed_or_is_a_case_again() {
    let world = World::new().await;
    // Another payment's receipt stands for the second of this one: the sandbox knows it.
    let (_, other) = world.paid_by_mpesa(100).await;
    let known = world.receipt_of(&other).await;
    sqlx::query("UPDATE stk_push SET receipt = 'ELSEWHERE' WHERE payment_id = $1::uuid")
        .bind(&other)
        .execute(&world.pool)
        .await
        .unwrap();
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(&world, &id).await;
    world.send_callback(&secret, &secret.paid(100, "FIRST1")).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.send_callback(&secret, &secret.paid(100, "FORGED1")).await;
    world.until_outbox_empty().await;

    // M-Pesa does not know it.
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    assert_eq!(world.cases(CaseKind::PaidTwice).await.len(), 1);
    sqlx::query("UPDATE second_receipt SET receipt = $1")
        .bind(&known)
        .execute(&world.pool)
        .await
        .unwrap();
    // Ids are ordered by time.
    world.wait(Duration::from_secs(1)).await;
    world.give_back(&id, "b").await;
    assert!(world.cases(CaseKind::PaidTwice).await.is_empty());
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::from_shillings(100), "it was not in the books");
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_that_m_pesa_does_not_know_is_closed_by_release() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(&world, &id).await;
    for receipt in ["FIRST1", "FORGED1"] {
        world.send_callback(&secret, &secret.paid(100, receipt)).await;
        world.until_outbox_empty().await;
    }
    // It names the receipt, so that an operation that waits closes no other.
    let release = of_payment(OperationKind::Release, &id, "a");
    let refusal = world.ask("wanjiru", release).await.unwrap_err();
    assert_eq!(refused(&refusal).2.as_deref(), Some("receipt"));
    let another = of_receipt(OperationKind::Release, &id, "FIRST1", "b");
    assert_eq!(world.refused_field(another).await, "receipt");
    let named = of_receipt(OperationKind::Release, &id, "FORGED1", "c");
    assert_eq!(world.ask("wanjiru", named).await.unwrap().remark, "");
    assert!(world.cases(CaseKind::PaidTwice).await.is_empty());
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn while_daraja_is_out_of_reach_a_reversal_waits() {
    for fault in [
        json!({"provider": "daraja", "kind": "spike", "call": "reversal", "count": 1000}),
        json!({"provider": "daraja", "kind": "down", "call": "token", "count": 1000}),
    ] {
        let (world, player, id) = paid().await;
        world.cancel_token().await;
        world.fault(fault).await;
        world.give_back(&id, "a").await;
        world.until_put_off().await;
        assert_eq!(world.reversal_state().await, "CREATED");
        assert_eq!(world.balance(&player).await, Money::ZERO);
        world.clear_faults().await;
        world.wait(Duration::from_secs(61)).await;
        world.until_reversal("SUCCEEDED").await;
        assert_eq!(world.bank_reversed().await, (1, 10_000));
        world.assert_books_agree().await;
        world.finish().await;
    }
}

#[tokio::test]
async fn one_that_cannot_be_sent_for_a_day_returns_its_money() {
    let (world, player, id) = paid().await;
    world.spike_reversals().await;
    world.give_back(&id, "a").await;
    world.until_put_off().await;
    world.wait(Duration::from_hours(25)).await;
    world.until_reversal("FAILED").await;
    let player = world.renewed(&player);
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert_eq!(world.bank_reversed().await, (0, 0));
    world.finish().await;
}

#[tokio::test]
async fn a_lost_reply_leaves_it_unknown_until_its_result_comes() {
    let (world, player, id) = paid().await;
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "reversal"})).await;
    world.give_back(&id, "a").await;
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn where_reply_and_result_are_lost_a_query_finds_that_the_receipt_is_reversed() {
    let (world, _, id) = paid().await;
    world.hold_callbacks();
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "reversal"})).await;
    world.give_back(&id, "a").await;
    world.until_reversal("UNKNOWN").await;
    world.reversal_result().await;
    world.let_callbacks_in();
    world.wait(Duration::from_secs(121)).await;
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn a_result_that_comes_late_and_twice_is_applied_once() {
    let (world, player, id) = paid().await;
    world.hold_callbacks();
    world.give_back(&id, "a").await;
    let (secret, body) = world.reversal_result().await;
    world.until_reversal("SUBMITTED").await;
    world.until_outbox_empty().await;
    world.let_callbacks_in();
    for _ in 0..3 {
        assert!(world.call_hook("reversal", &secret, body.clone()).await.is_success());
    }
    world.until_reversal("SUCCEEDED").await;
    // A failure afterwards changes nothing.
    let refused = result(&json!(1), "", 0);
    world.report_reversal(&secret, &refused).await;
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn a_result_before_darajas_reply_is_applied() {
    let (world, player, id) = paid().await;
    let slow = json!({"provider": "daraja", "kind": "slow", "call": "reversal", "delayMs": 1500});
    world.fault(slow).await;
    world.give_back(&id, "a").await;
    world.until_reversal("SUCCEEDED").await;
    let held: i64 =
        sqlx::query_scalar("SELECT count(*) FROM outbox WHERE topic = 'daraja.reverse'")
            .fetch_one(&world.pool)
            .await
            .unwrap();
    assert_eq!(held, 1, "the reply is still awaited");
    world.until_outbox_empty().await;
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn a_refused_reversal_returns_the_money_once_and_another_can_try() {
    let (world, player, id) = paid().await;
    world.set_bank_float(0).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    let (secret, body) = world.reversal_result().await;
    assert!(world.call_hook("reversal", &secret, body).await.is_success());
    world.until_outbox_empty().await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.assert_books_agree().await;
    let failed = world.give_back(&id, "a").await;
    assert!(failed.remark.contains("where it was before"), "{}", failed.remark);

    world.set_bank_float(1_000).await;
    // Ids are ordered by time.
    world.wait(Duration::from_secs(1)).await;
    world.give_back(&id, "b").await;
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn a_death_between_claim_and_call_is_unknown_and_not_sent_again() {
    let (mut world, player, id) = paid().await;
    world.spike_reversals().await;
    world.give_back(&id, "a").await;
    world.until_put_off().await;
    world.stop_wallet().await;
    // As the process leaves it that dies with the claim.
    let due = world.base.clock.now() + Duration::from_mins(2);
    sqlx::query(
        "UPDATE mpesa_reversal SET state = 'SUBMITTING', attempts = 1, submitted_at = $1,
             query_due_at = $2",
    )
    .bind(world.base.clock.now())
    .bind(due)
    .execute(&world.pool)
    .await
    .unwrap();
    sqlx::query("UPDATE outbox SET leased = true, due_at = '2026-01-01'")
        .execute(&world.pool)
        .await
        .unwrap();
    world.clear_faults().await;
    world.start_wallet().await;
    world.until_put_off().await;
    assert_eq!(world.reversal_state().await, "SUBMITTING");
    world.wait(Duration::from_secs(121)).await;
    world.until_reversal("UNKNOWN").await;
    world.wait(Duration::from_secs(31)).await;
    world.until_outbox_empty().await;
    world.until_next_reversal_query(1).await;
    assert_eq!(world.bank_reversed().await, (0, 0), "it is not sent again");
    assert_eq!(world.balance(&player).await, Money::ZERO, "and its money is not free");

    // An hour later it is a case, and an operator has it sent again.
    world.wait(Duration::from_hours(1)).await;
    let player = world.renewed(&player);
    let cases = world.cases(CaseKind::Reversal).await;
    assert_eq!(cases.len(), 1);
    assert!(cases[0].detail.contains("no result of a reversal of KES 100.00"), "{cases:?}");
    let again = world.give_back(&id, "again").await;
    assert_eq!(again.remark, "M-Pesa is asked to reverse it");
    assert!(world.cases(CaseKind::Reversal).await.is_empty(), "it begins anew");
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::ZERO, "the money left once");
    assert!(world.cases(CaseKind::Reversal).await.is_empty());
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn one_that_is_taken_back_after_its_delivery_was_repeated_is_sent() {
    let (world, player, id) = paid().await;
    world.spike_reversals().await;
    world.give_back(&id, "a").await;
    world.until_put_off().await;
    // As a delivery leaves it that was cancelled while Daraja was slow.
    let set = |state: &'static str, attempts: i32| {
        sqlx::query("UPDATE mpesa_reversal SET state = $1, attempts = $2")
            .bind(state)
            .bind(attempts)
            .execute(&world.pool)
    };
    set("SUBMITTING", 1).await.unwrap();
    world.clear_faults().await;
    world.wait(Duration::from_secs(31)).await;
    world.until_put_off().await;
    assert_eq!(world.reversal_state().await, "SUBMITTING");
    // Its call ends: Daraja did not get it.
    set("CREATED", 0).await.unwrap();
    world.wait(Duration::from_secs(31)).await;
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn already_reversed_ends_an_unknown_one_and_pays_nothing_twice() {
    let (world, player, id) = paid().await;
    world.hold_callbacks();
    world.fault(json!({"provider": "daraja", "kind": "http500", "call": "reversal"})).await;
    world.give_back(&id, "a").await;
    world.until_reversal("UNKNOWN").await;
    world.reversal_result().await;
    world.let_callbacks_in();
    world.give_back(&id, "again").await;
    world.until_reversal("SUCCEEDED").await;
    let code: String = sqlx::query_scalar("SELECT result_code FROM mpesa_reversal")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(code, "R000001");
    assert_eq!(world.bank_reversed().await, (1, 10_000));
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.assert_books_agree().await;
    world.finish().await;
}

#[tokio::test]
async fn an_unknown_one_is_a_case_after_a_day_and_an_operator_ends_it() {
    for (kind, state, balance) in
        [(OperationKind::Confirm, "SUCCEEDED", 0), (OperationKind::Release, "FAILED", 100)]
    {
        let (world, player, id) = paid().await;
        // Daraja does nothing, and its reply is lost.
        world.fault(json!({"provider": "daraja", "kind": "down", "call": "reversal"})).await;
        world.give_back(&id, "a").await;
        world.until_reversal("UNKNOWN").await;
        world.wait(Duration::from_hours(25)).await;
        eventually("a case", || async {
            let case: Option<String> = sqlx::query_scalar("SELECT case_kind FROM mpesa_reversal")
                .fetch_one(&world.pool)
                .await
                .unwrap();
            case
        })
        .await;
        let player = world.renewed(&player);
        assert_eq!(world.balance(&player).await, Money::ZERO);
        if kind == OperationKind::Confirm {
            let own = world.receipt_of(&id).await;
            let asked = of_receipt(kind, &id, &own, "payments");
            assert_eq!(world.refused_field(asked).await, "receipt");
            assert_eq!(world.reversal_state().await, "UNKNOWN");
        }
        let receipt = (kind == OperationKind::Confirm).then(|| "BACK1".to_owned());
        let asked = RequestOperationRequest { receipt, ..of_payment(kind, &id, "end") };
        world.ask("otieno", asked).await.unwrap();
        assert_eq!(world.reversal_state().await, state);
        assert_eq!(world.balance(&player).await, Money::from_shillings(balance));
        assert!(world.cases(CaseKind::Reversal).await.is_empty());
        world.finish().await;
    }
}

#[tokio::test]
async fn a_result_that_is_not_about_this_reversal_moves_nothing() {
    let (world, player, id) = paid().await;
    world.hold_callbacks();
    world.give_back(&id, "a").await;
    world.reversal_result().await;
    world.until_reversal("SUBMITTED").await;
    world.until_outbox_empty().await;
    world.let_callbacks_in();
    let receipt = world.receipt_of(&id).await;
    let secret = world.reversal_secret().await;
    let mut conversation = result(&json!(1), &receipt, 100);
    conversation["Result"]["ConversationID"] = "AG_other".into();
    for body in [
        result(&json!(0), "ANOTHER1", 100),
        conversation,
        result(&json!(0), &receipt, 99),
        json!({"Result": 1}),
    ] {
        world.report_reversal(&secret, &body).await;
    }
    // Its queue was too long: no evidence.
    let queued = result(&json!(1), "", 0).to_string().into_bytes();
    assert!(world.call_hook("timeout", &secret, queued).await.is_success());
    world.until_outbox_empty().await;
    let outcomes = world.outcomes().await;
    let outcomes: Vec<_> = outcomes.iter().filter(|outcome| *outcome != "applied").collect();
    let expected =
        ["another amount", "another conversation", "another receipt", "timed out", "unreadable"];
    assert_eq!(outcomes, expected);
    assert_eq!(world.reversal_state().await, "UNKNOWN");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    let cases = world.cases(CaseKind::Reversal).await;
    assert!(cases[0].detail.starts_with("M-Pesa reversed another amount"), "{cases:?}");
    // A secret opens the hooks of its purpose only, and a forged one opens none.
    let body = result(&json!(0), &receipt, 100).to_string().into_bytes();
    for (hook, secret) in
        [("status", secret.as_str()), ("b2c", &secret), ("stk", &secret), ("reversal", "forged")]
    {
        let status = world.call_hook(hook, secret, body.clone()).await;
        assert_eq!(status, axum::http::StatusCode::NOT_FOUND, "{hook}");
    }
    // What M-Pesa has contradicted itself about is ended by an operator alone.
    for later in [result(&json!(0), &receipt, 100), result(&json!("R000001"), "", 0)] {
        world.report_reversal(&secret, &later).await;
        assert_eq!(world.reversal_state().await, "UNKNOWN");
    }
    let resent = of_payment(OperationKind::Refund, &id, "again");
    assert_eq!(world.refused_field(resent).await, "payment_id");
    assert_eq!(world.cases(CaseKind::Reversal).await.len(), 1);
    let confirm = of_receipt(OperationKind::Confirm, &id, "BACK2", "confirm");
    world.ask("wanjiru", confirm).await.unwrap();
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    world.finish().await;
}

#[tokio::test]
async fn one_receipt_of_m_pesa_ends_one_reversal() {
    let (world, _, first) = paid().await;
    let (player, id) = world.paid_by_mpesa(100).await;
    world.give_back(&first, "first").await;
    world.until_reversal("SUCCEEDED").await;
    sqlx::query("UPDATE mpesa_reversal SET reversal_receipt = 'BACK1'")
        .execute(&world.pool)
        .await
        .unwrap();
    world.until_outbox_empty().await;
    // Ids are ordered by time.
    world.wait(Duration::from_secs(1)).await;
    world.hold_callbacks();
    world.give_back(&id, "a").await;
    let (secret, receipt) = (world.lose_result().await, world.receipt_of(&id).await);
    world.report_reversal(&secret, &result(&json!(0), &receipt, 100)).await;
    assert_eq!(world.reversal_state().await, "UNKNOWN");
    assert!(world.outcomes().await.contains(&"receipt already used".to_owned()));
    assert_eq!(world.cases(CaseKind::Reversal).await.len(), 1);
    let used = of_receipt(OperationKind::Confirm, &id, "BACK1", "b");
    assert_eq!(world.refused_field(used).await, "receipt");
    world.ask("wanjiru", of_receipt(OperationKind::Confirm, &id, "BACK2", "c")).await.unwrap();
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn a_release_that_waits_closes_no_second_receipt() {
    let world = World::new().await;
    let (_, id) = world.paid_by_mpesa(12_000).await;
    world.fault(json!({"provider": "daraja", "kind": "down", "call": "reversal"})).await;
    let refund = of_payment(OperationKind::Refund, &id, "a");
    let refund = world.ask("wanjiru", refund).await.unwrap();
    world.decide("otieno", &refund.id, true).await.unwrap();
    world.until_reversal("UNKNOWN").await;
    world.add_second_receipt(&id, "SECOND1", 12_000).await;
    let release = of_payment(OperationKind::Release, &id, "b");
    let release = world.ask("wanjiru", release).await.unwrap();
    assert_eq!(release.state(), OperationState::Waiting);
    // The result ends what it was requested for.
    let (secret, receipt) = (world.reversal_secret().await, world.receipt_of(&id).await);
    world.report_reversal(&secret, &result(&json!(0), &receipt, 12_000)).await;
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert!(world.decide("otieno", &release.id, true).await.is_err());
    assert_eq!(world.cases(CaseKind::PaidTwice).await.len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_that_is_another_payments_moves_no_money() {
    let (world, player, id) = paid().await;
    let (other, others) = world.paid_by_mpesa(100).await;
    let receipt = world.receipt_of(&others).await;
    world.add_second_receipt(&id, &receipt, 100).await;
    for kind in [OperationKind::Refund, OperationKind::Credit] {
        let asked = of_payment(kind, &id, kind.as_str_name());
        assert_eq!(world.refused_field(asked).await, "payment_id");
    }
    let release = of_receipt(OperationKind::Release, &id, &receipt, "release");
    world.ask("wanjiru", release).await.unwrap();
    assert!(world.cases(CaseKind::PaidTwice).await.is_empty());
    for player in [&player, &other] {
        assert_eq!(world.balance(player).await, Money::from_shillings(100));
    }
    assert_eq!(world.bank_reversed().await, (0, 0));
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_that_is_reversed_late_is_given_back_and_not_credited() {
    let (world, player, id) = paid().await;
    world.add_second_receipt(&id, "SECOND1", 100).await;
    world.give_back(&id, "a").await;
    // The sandbox does not know it.
    world.until_reversal("FAILED").await;
    assert_eq!(world.cases(CaseKind::PaidTwice).await.len(), 1);
    let secret = world.reversal_secret().await;
    world.report_reversal(&secret, &result(&json!(0), "SECOND1", 100)).await;
    assert_eq!(world.reversal_state().await, "SUCCEEDED");
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    let credit = of_payment(OperationKind::Credit, &id, "b");
    assert_eq!(world.refused_field(credit).await, "payment_id");
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_that_is_reversed_after_its_credit_is_taken_out_of_the_wallet() {
    let (world, player, id) = paid().await;
    world.add_second_receipt(&id, "SECOND1", 100).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    world.ask("wanjiru", of_payment(OperationKind::Credit, &id, "b")).await.unwrap();
    let secret = world.reversal_secret().await;
    world.report_reversal(&secret, &result(&json!(0), "SECOND1", 100)).await;
    assert_eq!(world.reversal_state().await, "FAILED");
    assert_eq!(world.balance(&player).await, Money::from_shillings(200));
    assert_eq!(world.cases(CaseKind::Reversal).await.len(), 1);
    // It is this receipt that is given back, and not the payment's first one.
    world.hold_callbacks();
    world.wait(Duration::from_secs(1)).await;
    world.give_back(&id, "c").await;
    assert_eq!(world.newest_reversal().await, ("SECOND1".to_owned(), "WALLET".to_owned()));
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    world.finish_reversal().await;
    // The first one can be given back still.
    world.wait(Duration::from_secs(1)).await;
    assert_eq!(world.give_back(&id, "d").await.amount, kes(100));
    assert_eq!(world.newest_reversal().await.0, world.receipt_of(&id).await);
    world.until_reversal("SUCCEEDED").await;
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn suspense_that_is_reversed_late_is_not_credited_but_taken_out() {
    let world = World::new().await;
    let player = world.player();
    let id = world.suspend(&player).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    let secret = world.reversal_secret().await;
    world.report_reversal(&secret, &result(&json!(0), "OTHER1", 120)).await;
    // Of a payment with several cases this one is listed, because it comes first.
    let cases = world.cases(CaseKind::Unspecified).await;
    assert_eq!(cases.iter().map(OpenCase::kind).collect::<Vec<_>>(), [CaseKind::Reversal]);
    let credit = of_payment(OperationKind::Credit, &id, "b");
    assert_eq!(world.refused_field(credit).await, "payment_id");
    let release = of_receipt(OperationKind::Release, &id, "OTHER1", "c");
    assert_eq!(world.refused_field(release).await, "payment_id", "it is not spent");
    world.hold_callbacks();
    world.wait(Duration::from_secs(1)).await;
    world.give_back(&id, "d").await;
    assert_eq!(world.newest_reversal().await, ("OTHER1".to_owned(), "SUSPENSE".to_owned()));
    assert_eq!(world.house("SUSPENSE").await, 0);
    world.finish_reversal().await;
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    world.finish().await;
}

#[tokio::test]
async fn playon_bears_the_loss_of_what_was_reversed_late_and_is_spent() {
    let (world, player, id) = paid().await;
    world.set_bank_float(0).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    let (secret, receipt) = (world.reversal_secret().await, world.receipt_of(&id).await);
    world.report_reversal(&secret, &result(&json!(0), &receipt, 100)).await;
    let unnamed = of_payment(OperationKind::Release, &id, "b");
    assert_eq!(world.refused_field(unnamed).await, "receipt");
    let release = of_receipt(OperationKind::Release, &id, &receipt, "c");
    assert_eq!(world.ask("wanjiru", release).await.unwrap().amount, kes(100));
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert_eq!(world.house("PROMOTIONS").await, -10_000);
    assert_eq!(world.house("MPESA_UTILITY").await, 0);
    // Neither a repeat nor an operator gives it back once more.
    world.report_reversal(&secret, &result(&json!("R000001"), "", 0)).await;
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    let refund = of_payment(OperationKind::Refund, &id, "d");
    assert_eq!(world.refused_field(refund).await, "payment_id");
    world.finish().await;
}

#[tokio::test]
async fn a_reversal_after_its_money_was_returned_is_a_case_until_it_is_taken_out_again() {
    let (world, player, id) = paid().await;
    world.set_bank_float(0).await;
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    let (secret, receipt) = (world.reversal_secret().await, world.receipt_of(&id).await);
    world.report_reversal(&secret, &result(&json!(0), &receipt, 100)).await;
    assert_eq!(world.reversal_state().await, "FAILED");
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    let cases = world.cases(CaseKind::Reversal).await;
    assert!(cases[0].detail.contains("refund takes it out again"), "{cases:?}");
    world.set_bank_float(1_000).await;
    // Ids are ordered by time.
    world.wait(Duration::from_secs(1)).await;
    world.give_back(&id, "b").await;
    world.until_reversal("SUCCEEDED").await;
    assert!(world.cases(CaseKind::Reversal).await.is_empty());
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

impl World {
    /// Waits until the reversal's next query is planned, and none is under way.
    async fn until_next_reversal_query(&self, queries: i32) {
        eventually("the next query is planned", || async {
            let planned: bool = sqlx::query_scalar(
                "SELECT leased_until IS NULL AND queries >= $1 FROM mpesa_reversal",
            )
            .bind(queries)
            .fetch_one(&self.pool)
            .await
            .unwrap();
            planned.then_some(())
        })
        .await;
    }
}
