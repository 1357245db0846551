//! Reversals of M-Pesa payments by Daraja.

mod doubt;
mod late;

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

    /// Returns the receipt of the newest reversal, and the source of its money.
    async fn newest_reversal(&self) -> (String, String) {
        sqlx::query_as("SELECT receipt, source FROM mpesa_reversal ORDER BY id DESC LIMIT 1")
            .fetch_one(&self.pool)
            .await
            .unwrap()
    }

    /// Returns the field for which an operation is refused.
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

    /// Returns how often, and how many cents, the sandbox's own book gave back.
    async fn bank_reversed(&self) -> (u64, u64) {
        let reversed = self.control("bank").await["reversed"].clone();
        (reversed["count"].as_u64().unwrap(), reversed["amountCents"].as_u64().unwrap())
    }

    /// Asserts that the ledger agrees with M-Pesa's own book to the cent.
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

    /// Ends a reversal whose results are held back, by the result that M-Pesa had reversed it
    /// before.
    async fn finish_reversal(&self) {
        let secret = self.lose_result().await;
        self.report_reversal(&secret, &result(&json!("R000001"), "", 0)).await;
        assert_eq!(self.reversal_state().await, "SUCCEEDED");
    }

    /// Accepts callbacks again, but drops the result of the newest reversal; returns a secret for
    /// another result.
    async fn lose_result(&self) -> String {
        self.until_reversal("SUBMITTED").await;
        self.until_result().await;
        self.until_outbox_empty().await;
        sqlx::query("DELETE FROM mpesa_reversal_secret").execute(&self.pool).await.unwrap();
        self.let_callbacks_in();
        self.reversal_secret().await
    }

    /// Waits for the result of the newest reversal's last call.
    async fn until_result(&self) {
        eventually("the result", || async {
            let secrets: Vec<_> =
                self.callbacks().into_iter().map(|(secret, _)| secret.into_bytes()).collect();
            let came: bool = sqlx::query_scalar(
                "SELECT EXISTS (
                     SELECT FROM mpesa_reversal_secret secret
                     JOIN mpesa_reversal reversal
                         ON id = reversal_id AND attempts = attempt AND purpose = 'REVERSAL'
                     WHERE id = (SELECT id FROM mpesa_reversal ORDER BY id DESC LIMIT 1)
                         AND secret_hash IN (SELECT sha256(seen) FROM unnest($1::bytea[]) seen))",
            )
            .bind(secrets)
            .fetch_one(&self.pool)
            .await
            .unwrap();
            came.then_some(())
        })
        .await;
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
    // A repeat of the request returns how the refund ended, and nothing is left to give back.
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
async fn while_payouts_are_paused_a_reversal_waits() {
    let (world, _, id) = paid().await;
    world.pause("wanjiru").await;
    let asked = of_payment(OperationKind::Refund, &id, "a");
    let refund = world.ask("wanjiru", asked).await.unwrap();
    world.decide("otieno", &refund.id, true).await.unwrap();
    world.until_put_off().await;
    world.wait(Duration::from_hours(25)).await;
    world.until_put_off().await;
    assert_eq!(world.reversal_state().await, "CREATED", "it is not given up");
    assert_eq!(world.bank_reversed().await, (0, 0));
    world.resume_by_two().await;
    world.until_reversal("SUCCEEDED").await;
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
    // The rest is a part too, so it is also given back by hand.
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
    // The money can be credited.
    let credit = of_payment(OperationKind::Credit, &id, "b");
    assert_eq!(world.ask("wanjiru", credit).await.unwrap().amount, kes(120));
    assert_eq!(world.balance(&player).await, Money::from_shillings(120));
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_is_reversed_or_is_a_case_again() {
    let world = World::new().await;
    // Another payment's receipt serves as the second receipt of this one, because the sandbox knows
    // it.
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

    // M-Pesa does not know the receipt.
    world.give_back(&id, "a").await;
    world.until_reversal("FAILED").await;
    assert_eq!(world.cases(CaseKind::PaidTwice).await.len(), 1);
    sqlx::query("UPDATE second_receipt SET receipt = $1")
        .bind(&known)
        .execute(&world.pool)
        .await
        .unwrap();
    // Ids are ordered by time, so the clock must advance.
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
    // The release must name the receipt, so that an operation that waits closes no other.
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
