//! Operations: what operators do with payments and wallets.

use std::time::Duration;

use futures_util::future::join_all;
use mesh::grpc::client::Outgoing;
use proto::{
    chat::v1::NotificationKind,
    types::v1::PaymentStatus,
    wallet::v1::{
        CaseKind, DecideOperationRequest, InspectPaymentRequest, ListOpenCasesRequest,
        ListOperationsRequest, OpenCase, Operation, OperationKind, OperationState,
        RequestOperationRequest, money_operations_service_client::MoneyOperationsServiceClient,
    },
};
use serde_json::json;
use testkit::eventually;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use types::Money;

use crate::{
    callback_secret::CallbackSecret,
    upstreams::UNKNOWN_PLAYER,
    world::{Player, World, reason},
};

const REASON: &str = "Seen in M-Pesa's statement.";

#[expect(clippy::unnecessary_wraps, reason = "as the contract has the field")]
pub(crate) fn kes(shillings: i32) -> Option<proto::types::v1::Money> {
    Some(Money::from_shillings(shillings).into())
}

/// A request that the caller must complete.
fn asked(kind: OperationKind, request_id: &str) -> RequestOperationRequest {
    RequestOperationRequest {
        request_id: request_id.to_owned(),
        kind: kind.into(),
        reason: REASON.to_owned(),
        ..RequestOperationRequest::default()
    }
}

fn gift(player: &Player, shillings: i32, request_id: &str) -> RequestOperationRequest {
    RequestOperationRequest {
        player_id: Some(player.id.to_string()),
        amount: kes(shillings),
        ..asked(OperationKind::Credit, request_id)
    }
}

pub(crate) fn of_payment(
    kind: OperationKind,
    payment: &str,
    request_id: &str,
) -> RequestOperationRequest {
    RequestOperationRequest { payment_id: Some(payment.to_owned()), ..asked(kind, request_id) }
}

impl World {
    pub(crate) fn operator(&self, name: &str) -> MoneyOperationsServiceClient<Outgoing> {
        MoneyOperationsServiceClient::new(self.connect_operator(name))
    }

    pub(crate) async fn ask(
        &self,
        by: &str,
        request: RequestOperationRequest,
    ) -> Result<Operation, Status> {
        let reply = self.operator(by).request_operation(request).await?;
        Ok(reply.into_inner().operation.unwrap())
    }

    pub(crate) async fn decide(
        &self,
        by: &str,
        id: &str,
        approve: bool,
    ) -> Result<Operation, Status> {
        let (operation_id, reason) = (id.to_owned(), "Compared with the statement.".to_owned());
        let request = DecideOperationRequest { operation_id, approve, reason };
        Ok(self.operator(by).decide_operation(request).await?.into_inner().operation.unwrap())
    }

    pub(crate) async fn cases(&self, kind: CaseKind) -> Vec<OpenCase> {
        let request = ListOpenCasesRequest { kind: kind.into(), ..Default::default() };
        self.operator("wanjiru").list_open_cases(request).await.unwrap().into_inner().cases
    }

    pub(crate) async fn inspected(&self, payment: &str) -> String {
        let request = InspectPaymentRequest { payment_id: payment.to_owned() };
        let reply = self.operator("wanjiru").inspect_payment(request).await.unwrap();
        let lines = reply.into_inner().lines.into_iter().map(|line| line.text);
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Operator and action of each line of the audit, but for the funding of prizes.
    async fn audited(&self) -> Vec<(String, String)> {
        sqlx::query_as(
            "SELECT audit.operator, action FROM money_audit audit
             JOIN money_operation operation ON operation.id = subject_id
             WHERE kind <> 'FUND' ORDER BY at, audit.id",
        )
        .fetch_all(&self.pool)
        .await
        .unwrap()
    }

    /// A top-up of 100 for which 120 arrived.
    pub(crate) async fn suspend(&self, player: &Player) -> String {
        self.phone(json!({"stk": "silent"})).await;
        let id = self.top_up(player, 100).await;
        self.until(player, &id, PaymentStatus::InProgress).await;
        let secret = CallbackSecret::replace(self, &id).await;
        self.send_callback(&secret, &secret.paid(120, "OTHER1")).await;
        self.until_outbox_empty().await;
        id
    }
}

pub(crate) fn refused(status: &Status) -> (Code, String, Option<String>) {
    let field = status.get_details_bad_request().map(|details| {
        let violation = details.field_violations.into_iter().next().unwrap();
        violation.field
    });
    (status.code(), reason(status), field)
}

fn invalid(field: &str) -> (Code, String, Option<String>) {
    (Code::InvalidArgument, "INVALID_OPERATION".to_owned(), Some(field.to_owned()))
}

#[tokio::test]
async fn a_gift_is_credited_once_and_the_player_is_notified() {
    let world = World::with_prizes().await;
    let player = world.player();
    let requests = (0..20).map(|_| world.ask("wanjiru", gift(&player, 500, "one")));
    let replies = join_all(requests).await;
    let first = replies[0].clone().unwrap();
    assert_eq!(first.state(), OperationState::Done);
    assert_eq!(
        (first.requested_by.as_str(), first.decided_by.as_deref()),
        ("wanjiru", Some("wanjiru"))
    );
    assert!(replies.into_iter().all(|reply| reply.unwrap() == first));
    assert_eq!(world.balance(&player).await, Money::from_shillings(500));

    let changed = world.ask("wanjiru", gift(&player, 501, "one")).await.unwrap_err();
    assert_eq!(reason(&changed), "IDEMPOTENCY_KEY_REUSED");
    // The same key of another operator is another request.
    world.wait(Duration::from_secs(1)).await;
    world.ask("otieno", gift(&player, 1, "one")).await.unwrap();
    assert_eq!(world.balance(&player).await, Money::from_shillings(501));

    world.until_outbox_empty().await;
    let mut sent = world.notifications.stored();
    sent.sort_by_key(|one| one.params["amount"].clone());
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[1].kind(), NotificationKind::MoneyReturned);
    assert_eq!(sent[1].params["amount"], "KES 500.00");
    let done =
        |by: &str| [(by.to_owned(), "REQUESTED".to_owned()), (by.to_owned(), "DONE".to_owned())];
    let (mut audited, mut all) =
        (world.audited().await, [done("wanjiru"), done("otieno")].concat());
    audited.sort();
    all.sort();
    assert_eq!(audited, all);
    world.finish().await;
}

#[tokio::test]
async fn many_small_operations_of_a_day_need_a_second_operator_too() {
    let world = World::with_prizes().await;
    let player = world.player();
    let of = |number: u32| world.ask("wanjiru", gift(&player, 10_000, &format!("gift-{number}")));
    let replies = join_all((0..8).map(of)).await;
    let done = replies.iter().filter(|one| one.as_ref().unwrap().state() == OperationState::Done);
    assert_eq!(done.count(), 5, "50,000 a day, also of eight at once");
    assert_eq!(world.balance(&player).await, Money::from_shillings(50_000));

    let other = world.ask("otieno", gift(&player, 10_000, "other")).await.unwrap();
    assert_eq!(other.state(), OperationState::Done);
    world.wait(Duration::from_hours(24)).await;
    assert_eq!(of(9).await.unwrap().state(), OperationState::Done);
    world.finish().await;
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_with_its_field() {
    let world = World::with_prizes().await;
    let player = world.player();
    world.give(&player, 100).await;
    let ask = async |request| refused(&world.ask("wanjiru", request).await.unwrap_err());

    let short = RequestOperationRequest { reason: "too short".to_owned(), ..gift(&player, 1, "a") };
    assert_eq!(ask(short).await, invalid("reason"));
    for shillings in [-1, 0, 1_000_001] {
        assert_eq!(ask(gift(&player, shillings, "a")).await, invalid("amount"), "{shillings}");
    }
    let for_no_player = RequestOperationRequest {
        player_id: Some(UNKNOWN_PLAYER.to_owned()),
        ..gift(&player, 1, "a")
    };
    assert_eq!(ask(for_no_player).await.1, "USER_NOT_FOUND");
    for kind in [OperationKind::Refund, OperationKind::Release, OperationKind::Approve] {
        assert_eq!(ask(asked(kind, "a")).await, invalid("payment_id"), "{kind:?}");
    }
    let unknown = of_payment(OperationKind::Refund, UNKNOWN_PLAYER, "a");
    assert_eq!(ask(unknown).await.1, "PAYMENT_NOT_FOUND");
    let id: String =
        sqlx::query_scalar("SELECT id::text FROM payment").fetch_one(&world.pool).await.unwrap();
    for kind in [OperationKind::Credit, OperationKind::Release, OperationKind::Approve] {
        assert_eq!(ask(of_payment(kind, &id, "a")).await, invalid("payment_id"), "{kind:?}");
    }
    assert_eq!(ask(of_payment(OperationKind::Confirm, &id, "a")).await, invalid("receipt"));
    assert!(world.audited().await.is_empty());
    // A refused request does not use up its key.
    world.ask("wanjiru", gift(&player, 1, "a")).await.unwrap();
    world.finish().await;
}

#[tokio::test]
async fn over_ten_thousand_a_second_operator_decides_even_after_a_crash() {
    let mut world = World::with_prizes().await;
    let player = world.player();
    let at_limit = world.ask("wanjiru", gift(&player, 10_000, "limit")).await.unwrap();
    assert_eq!(at_limit.state(), OperationState::Done);
    world.wait(Duration::from_secs(1)).await;
    let waiting = world.ask("wanjiru", gift(&player, 10_001, "over")).await.unwrap();
    assert_eq!((waiting.state(), &waiting.decided_by), (OperationState::Waiting, &None));
    assert_eq!(world.balance(&player).await, Money::from_shillings(10_000));
    world.stop_wallet().await;
    world.start_wallet().await;

    let own = world.decide("wanjiru", &waiting.id, true).await.unwrap_err();
    assert_eq!((own.code(), reason(&own).as_str()), (Code::FailedPrecondition, "SAME_OPERATOR"));
    // Two others decide at the same time, each twice, and one of the decisions is a refusal.
    let decisions = [("otieno", true), ("achieng", true), ("otieno", true), ("achieng", false)];
    let decisions = decisions.map(|(by, approve)| world.decide(by, &waiting.id, approve));
    let decided: Vec<_> = join_all(decisions).await.into_iter().map(Result::unwrap).collect();
    assert!(decided.iter().all(|one| *one == decided[0]), "{decided:?}");
    let expected = match decided[0].state() {
        OperationState::Done => 20_001,
        OperationState::Refused => 10_000,
        state => panic!("{state:?}"),
    };
    assert_eq!(world.balance(&player).await, Money::from_shillings(expected));
    // A repeat of the request returns how the operation ended.
    let again = world.ask("wanjiru", gift(&player, 10_001, "over")).await.unwrap();
    assert_eq!(again, decided[0]);

    let list =
        ListOperationsRequest { state: OperationState::Waiting.into(), ..Default::default() };
    let waiting = world.operator("otieno").list_operations(list).await.unwrap().into_inner();
    assert!(waiting.operations.is_empty());
    let list = ListOperationsRequest::default();
    let all = world.operator("otieno").list_operations(list).await.unwrap().into_inner();
    assert_eq!(all.operations.len(), 3, "with the funding of the prizes");
    assert_eq!(all.operations[0], again);
    let unknown = world.decide("otieno", UNKNOWN_PLAYER, true).await.unwrap_err();
    assert_eq!(reason(&unknown), "OPERATION_NOT_FOUND");
    world.finish().await;
}

#[tokio::test]
async fn the_requester_may_refuse_and_the_key_is_used_up() {
    let world = World::new().await;
    let player = world.player();
    let waiting = world.ask("wanjiru", gift(&player, 20_000, "a")).await.unwrap();
    let ended = world.decide("wanjiru", &waiting.id, false).await.unwrap();
    assert_eq!(ended.state(), OperationState::Refused);
    assert_eq!(world.decide("otieno", &waiting.id, true).await.unwrap(), ended);
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.finish().await;
}

#[tokio::test]
async fn another_amount_leaves_suspense_once_however_many_operators_credit_it() {
    let world = World::new().await;
    let player = world.player();
    let id = world.suspend(&player).await;
    let cases = world.cases(CaseKind::Suspended).await;
    assert_eq!(cases.len(), 1);
    assert_eq!(cases[0].payment_id, id);
    assert_eq!(cases[0].detail, "KES 120.00 in suspense, KES 100.00 asked for");

    // A reversal that M-Pesa refuses would return the money to suspense.
    world.hold_callbacks();
    let requests = (0..6).map(|number| {
        let kind = if number % 2 == 0 { OperationKind::Credit } else { OperationKind::Refund };
        let by = if number < 3 { "wanjiru" } else { "otieno" };
        let request = of_payment(kind, &id, &format!("key-{number}"));
        world.ask(by, request)
    });
    let done: Vec<_> = join_all(requests).await.into_iter().filter_map(Result::ok).collect();
    assert_eq!(done.len(), 1, "{done:?}");
    let credited = if done[0].kind() == OperationKind::Credit { 120 } else { 0 };
    assert_eq!(world.balance(&player).await, Money::from_shillings(credited));
    assert!(world.cases(CaseKind::Unspecified).await.is_empty());
    let log = world.inspected(&id).await;
    for part in [
        "payment: TOPUP by MPESA",
        "state: CONFLICTED (callback)",
        "callback: MPESA_STK, applied",
        "on SUSPENSE",
        "operation:",
        REASON,
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
    world.finish().await;
}

#[tokio::test]
async fn a_part_of_suspense_may_be_credited_and_the_rest_given_back() {
    let world = World::new().await;
    let player = world.player();
    let id = world.suspend(&player).await;
    let credit = RequestOperationRequest {
        amount: kes(100),
        ..of_payment(OperationKind::Credit, &id, "credit")
    };
    world.ask("wanjiru", credit).await.unwrap();
    let more = RequestOperationRequest {
        amount: kes(21),
        ..of_payment(OperationKind::Refund, &id, "more")
    };
    assert_eq!(refused(&world.ask("wanjiru", more).await.unwrap_err()), invalid("amount"));
    let rest = world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "rest")).await.unwrap();
    assert_eq!(rest.amount, kes(20));
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    let reversed: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM journal back JOIN journal first ON first.id = back.reverses_id
         WHERE back.kind = 'REFUND' AND first.kind = 'SUSPENSE'",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    assert_eq!(reversed, 1);
    world.finish().await;
}

#[tokio::test]
async fn a_second_receipt_is_a_case_until_it_is_credited() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(&world, &id).await;
    world.send_callback(&secret, &secret.paid(100, "FIRST1")).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    for _ in 0..2 {
        world.send_callback(&secret, &secret.paid(100, "SECOND1")).await;
    }
    world.until_outbox_empty().await;
    let cases = world.cases(CaseKind::PaidTwice).await;
    assert_eq!(cases.len(), 1);
    assert_eq!(cases[0].detail, "second receipt SECOND1 of KES 100.00");

    let other = RequestOperationRequest {
        amount: kes(90),
        ..of_payment(OperationKind::Credit, &id, "other")
    };
    assert_eq!(refused(&world.ask("wanjiru", other).await.unwrap_err()), invalid("amount"));
    let (first, second) = tokio::join!(
        world.ask("wanjiru", of_payment(OperationKind::Credit, &id, "a")),
        world.ask("otieno", of_payment(OperationKind::Credit, &id, "b")),
    );
    assert_ne!(first.is_ok(), second.is_ok());
    assert_eq!(world.balance(&player).await, Money::from_shillings(200));
    assert!(world.cases(CaseKind::PaidTwice).await.is_empty());
    assert!(world.inspected(&id).await.contains("second receipt: SECOND1 of 100.00"));
    world.finish().await;
}

#[tokio::test]
async fn a_top_up_is_given_back_in_parts_up_to_its_amount() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    let part = RequestOperationRequest {
        amount: kes(30),
        ..of_payment(OperationKind::Refund, &id, "part")
    };
    world.ask("wanjiru", part).await.unwrap();
    let rest = world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "rest")).await.unwrap();
    assert_eq!(rest.amount, kes(70));
    assert_eq!(world.balance(&player).await, Money::ZERO);
    let again = world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "again")).await;
    assert_eq!(refused(&again.unwrap_err()), invalid("payment_id"));
    world.finish().await;
}

#[tokio::test]
async fn what_the_player_has_spent_is_not_given_back() {
    let world = World::new().await;
    let (player, friend) = (world.player(), world.player());
    world.phone(json!({"stk": "approve"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    let boost = proto::wallet::v1::TopUpRequest {
        payment_method_id: world.method("WALLET").await,
        beneficiary_id: Some(friend.id.to_string()),
        mpesa_phone_number: None,
        ..world.request(60, "boost").await
    };
    world.send(&player, boost).await.unwrap();
    let refund = world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "a")).await;
    assert_eq!(reason(&refund.unwrap_err()), "INSUFFICIENT_FUNDS");
    assert!(world.audited().await.is_empty());
    world.finish().await;
}

#[tokio::test]
async fn an_expired_top_up_is_confirmed_by_its_receipt_and_a_late_callback_changes_nothing() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(&world, &id).await;
    let confirm = RequestOperationRequest {
        receipt: Some("LATE1".to_owned()),
        ..of_payment(OperationKind::Confirm, &id, "a")
    };
    let replies = join_all((0..5).map(|_| world.ask("wanjiru", confirm.clone()))).await;
    assert!(replies.iter().all(|reply| reply.as_ref().is_ok_and(|one| one.amount == kes(100))));
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.send_callback(&secret, &secret.paid(100, "LATE1")).await;
    world.until_outbox_empty().await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert!(world.inspected(&id).await.contains("state: SUCCEEDED (operator)"));

    // The receipt that confirmed the payment ends no other payment.
    let other = world.top_up(&player, 50).await;
    let confirm = RequestOperationRequest {
        receipt: Some("LATE1".to_owned()),
        ..of_payment(OperationKind::Confirm, &other, "b")
    };
    assert_eq!(refused(&world.ask("wanjiru", confirm).await.unwrap_err()), invalid("receipt"));
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    world.finish().await;
}

#[tokio::test]
async fn one_secret_has_at_most_twenty_contents() {
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let secret = CallbackSecret::replace(&world, &id).await;
    let body = |number: usize| format!("{{\"number\": {number}}}").into_bytes();
    let mut sent = Vec::new();
    for wave in 0..6 {
        let calls = (0..4).map(|number| world.call_back(&secret.text, body(4 * wave + number)));
        sent.extend(join_all(calls).await);
    }
    assert_eq!(sent.iter().filter(|status| status.is_success()).count(), 20);
    let stored: i64 = sqlx::query_scalar("SELECT count(*) FROM callback_inbox")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(stored, 20);
    // A repeat of a stored callback is no new content.
    let number = sent.iter().position(reqwest::StatusCode::is_success).unwrap();
    assert!(world.call_back(&secret.text, body(number)).await.is_success());
    eventually("applied", || async { (world.outcomes().await.len() == 20).then_some(()) }).await;
    world.wait(Duration::from_secs(1)).await;
    world.finish().await;
}
