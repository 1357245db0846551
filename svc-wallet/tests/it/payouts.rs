//! Withdrawing to a phone.

use std::time::Duration;

use futures_util::future::join_all;
use mesh::grpc::client::Upstream;
use proto::{
    chat::v1::NotificationKind,
    types::v1::PaymentStatus,
    wallet::v1::{
        Direction, GetBalanceRequest, GetWithdrawChargesRequest, GetWithdrawChargesResponse,
        PayAwardRequest, Payment, PaymentType, TransactionDesc, WatchPaymentsRequest,
        WithdrawRequest, award_service_client::AwardServiceClient,
        payout_service_client::PayoutServiceClient,
    },
};
use serde_json::{Value, json};
use svc_wallet::WithdrawalArgs;
use tonic::{Code, Status};
use types::Money;

use crate::world::{Player, World, bearing, english, reason};

impl World {
    pub(crate) fn payouts(&self) -> PayoutServiceClient<Upstream> {
        self.payouts_of(false)
    }

    /// The request for a withdrawal, as the PWA sends it.
    pub(crate) async fn withdrawal(&self, shillings: i32, request_id: &str) -> WithdrawRequest {
        WithdrawRequest {
            request_id: request_id.to_owned(),
            payment_method_id: self.method("MPESA").await,
            amount: Some(Money::from_shillings(shillings).into()),
            mpesa_phone_number: "0712 345 678".to_owned(),
        }
    }

    pub(crate) async fn send_withdrawal(
        &self,
        player: &Player,
        request: WithdrawRequest,
    ) -> Result<Payment, Status> {
        let reply = self.payouts().withdraw(bearing(&player.token, request)).await?;
        Ok(reply.into_inner().payment.unwrap())
    }

    /// Withdraws; returns the payment's id.
    pub(crate) async fn withdraw(&self, player: &Player, shillings: i32) -> String {
        let request_id = self.base.rng.uuid_v7(self.base.clock.now()).to_string();
        let request = self.withdrawal(shillings, &request_id).await;
        self.send_withdrawal(player, request).await.unwrap().payment_id
    }

    /// Returns the part of the balance that can be spent.
    pub(crate) async fn available(&self, player: &Player) -> Money {
        let request = bearing(&player.token, GetBalanceRequest {});
        let reply = self.client().get_balance(request).await.unwrap().into_inner();
        reply.available.unwrap().into()
    }

    pub(crate) async fn control(&self, path: &str) -> Value {
        let url = format!("http://{}/control/{path}", self.sandbox.addr);
        self.http.get(url).send().await.unwrap().json().await.unwrap()
    }

    /// Returns the number of payouts that reached the sandbox.
    pub(crate) async fn payouts_sent(&self) -> usize {
        self.control("payouts").await.as_array().unwrap().len()
    }

    /// Returns the payouts in the sandbox's own book, in shillings.
    pub(crate) async fn bank_paid_out(&self) -> u64 {
        self.control("bank").await["paidOut"]["amountCents"].as_u64().unwrap() / 100
    }

    async fn charges(
        &self,
        player: &Player,
        method: &str,
        shillings: i32,
    ) -> Result<GetWithdrawChargesResponse, Status> {
        let request = GetWithdrawChargesRequest {
            payment_method_id: self.method(method).await,
            amount: Some(Money::from_shillings(shillings).into()),
        };
        let reply = self.payouts().get_withdraw_charges(bearing(&player.token, request)).await?;
        Ok(reply.into_inner())
    }
}

#[tokio::test]
async fn a_withdrawal_reaches_the_phone() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    world.until_outbox_empty().await;

    let id = world.withdraw(&player, 200).await;
    let payment = world.until(&player, &id, PaymentStatus::Completed).await;

    assert_eq!(english(payment.text.as_ref()), "Funds withdrawn successfully!");
    assert_eq!(payment.r#type(), PaymentType::Withdrawal);
    assert_eq!(Money::from(payment.amount.unwrap()), Money::from_shillings(200));
    assert_eq!(Money::from(payment.fee.unwrap()), Money::from_shillings(5));
    assert_eq!(world.balance(&player).await, Money::from_shillings(795));
    assert_eq!(world.available(&player).await, Money::from_shillings(795));
    assert_eq!(world.bank_paid_out().await, 200);

    let line = world.history(&player).await.remove(0);
    assert_eq!(line.transaction_desc(), TransactionDesc::WithdrawWallet);
    assert_eq!(line.direction(), Direction::Debit);
    assert_eq!(Money::from(line.amount.unwrap()), Money::from_shillings(205));
    assert_eq!(Money::from(line.balance_after.unwrap()), Money::from_shillings(795));
    assert_eq!(line.payment, None);
    let payout = line.payout.unwrap();
    assert!(payout.successful && payout.receipt.is_some());
    assert!(payout.transaction_completed_date_time.is_some());

    world.until_outbox_empty().await;
    let notified = world.notifications.stored().pop().unwrap();
    assert_eq!(notified.kind(), NotificationKind::WithdrawalPaid);
    assert_eq!(notified.params["amount"], "KES 200.00");
    assert_eq!(notified.params["phone"], "0712 … 678");
    world.finish().await;
}

#[tokio::test]
async fn a_watcher_sees_the_withdrawal_through() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    world.phone(json!({"delayMs": 500})).await;
    let id = world.withdraw(&player, 200).await;
    let request = WatchPaymentsRequest { payment_ids: vec![id] };
    let mut updates =
        world.client().watch_payments(bearing(&player.token, request)).await.unwrap().into_inner();
    let mut seen = Vec::new();
    while let Some(update) = updates.message().await.unwrap() {
        seen.push((update.status(), english(update.text.as_ref())));
    }
    let is_under_way = |(status, message): &(PaymentStatus, String)| {
        *status == PaymentStatus::InProgress && message == "Your money is on its way to 0712 … 678."
    };
    assert!(seen.iter().any(is_under_way), "{seen:?}");
    assert_eq!(seen.last().unwrap().1, "Funds withdrawn successfully!");
    world.finish().await;
}

#[tokio::test]
async fn a_definite_failure_gives_everything_back() {
    for (outcome, text) in [
        ("not_registered", "not on M-Pesa"),
        ("full", "M-Pesa's limit"),
        ("no_float", "cannot send money right now"),
        ("bad_initiator", "could not send"),
    ] {
        let world = World::new().await;
        let player = world.player();
        world.give(&player, 1_000).await;
        world.phone(json!({"b2c": outcome})).await;

        let id = world.withdraw(&player, 200).await;
        let payment = world.until(&player, &id, PaymentStatus::Error).await;

        assert!(
            english(payment.text.as_ref()).contains(text),
            "{outcome}: {}",
            english(payment.text.as_ref())
        );
        assert!(
            english(payment.text.as_ref()).contains("back in your wallet"),
            "{}",
            english(payment.text.as_ref())
        );
        assert_eq!(world.available(&player).await, Money::from_shillings(1_000));
        assert_eq!(world.history(&player).await.len(), 1, "no money moved");
        world.until_outbox_empty().await;
        let notified = world.notifications.stored().pop().unwrap();
        assert_eq!(notified.kind(), NotificationKind::WithdrawalFailed);
        world.finish().await;
    }
}

#[tokio::test]
async fn a_float_that_ran_out_gives_everything_back() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    let url = format!("http://{}/control/float", world.sandbox.addr);
    let reply = world.http.put(url).json(&json!({"utility": 100})).send().await.unwrap();
    assert!(reply.status().is_success());

    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    assert_eq!(world.available(&player).await, Money::from_shillings(1_000));
    assert_eq!(world.bank_paid_out().await, 0);
    world.finish().await;
}

#[tokio::test]
async fn amount_and_fee_are_held_while_the_payout_is_under_way() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 205).await;
    world.phone(json!({"b2c": "silent"})).await;

    let id = world.withdraw(&player, 200).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;

    assert_eq!(world.balance(&player).await, Money::from_shillings(205));
    assert_eq!(world.available(&player).await, Money::ZERO);
    let again = world.withdrawal(10, "another").await;
    let refused = world.send_withdrawal(&player, again).await.unwrap_err();
    assert_eq!(reason(&refused), "INSUFFICIENT_FUNDS");
    world.finish().await;
}

#[tokio::test]
async fn the_fee_must_be_in_the_wallet_too() {
    let world = World::new().await;
    let (player, poor) = (world.player(), world.player());
    world.give(&player, 204).await;
    for player in [&player, &poor] {
        let request = world.withdrawal(200, "one").await;
        let refused = world.send_withdrawal(player, request).await.unwrap_err();
        assert_eq!(refused.code(), Code::FailedPrecondition);
        assert_eq!(reason(&refused), "INSUFFICIENT_FUNDS");
    }
    assert_eq!(world.payouts_sent().await, 0);
    world.finish().await;
}

#[tokio::test]
async fn refuses_amounts_methods_and_phones_that_cannot_be_paid() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    let valid = world.withdrawal(200, "one").await;
    let card = world.method("CARD").await;
    for (request, expected) in [
        (world.withdrawal(9, "one").await, "AMOUNT_OUT_OF_RANGE"),
        (world.withdrawal(250_001, "one").await, "AMOUNT_OUT_OF_RANGE"),
        (
            WithdrawRequest { amount: Some(Money::from_cents(1_050).into()), ..valid.clone() },
            "WHOLE_SHILLINGS_ONLY",
        ),
        (WithdrawRequest { payment_method_id: card, ..valid.clone() }, "METHOD_NOT_ALLOWED"),
        (WithdrawRequest { mpesa_phone_number: "12".to_owned(), ..valid.clone() }, "INVALID_PHONE"),
    ] {
        let refused = world.send_withdrawal(&player, request).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
    }
    assert_eq!(world.available(&player).await, Money::from_shillings(1_000));
    world.finish().await;
}

#[tokio::test]
async fn no_more_than_half_a_million_leaves_in_a_day() {
    let world = World::with(|args| {
        let most = Money::from_shillings(1_000_000);
        args.withdrawals.hold_first_withdrawals_over = most;
        args.withdrawals.hold_withdrawals_of_a_day_over = most;
        args.withdrawals.hold_withdrawals_of_a_week_over = most;
    })
    .await;
    world.fund(1_000_000, "PRIZES").await;
    let player = world.player();
    let award = PayAwardRequest {
        award_id: world.base.rng.uuid_v7(world.base.clock.now()).to_string(),
        player_id: player.id.to_string(),
        amount: Some(Money::from_shillings(600_000).into()),
        detail: "Friday Dash · place 1".to_owned(),
        awarded_at: Some(proto::timestamp(world.base.clock.now())),
        reservation_id: None,
    };
    let mut awards = AwardServiceClient::new(world.connect("svc-tournament"));
    awards.pay_award(award).await.unwrap();
    world.phone(json!({"b2c": "silent"})).await;
    for _ in 0..2 {
        let id = world.withdraw(&player, 249_995).await;
        world.until(&player, &id, PaymentStatus::InProgress).await;
    }
    let request = world.withdrawal(11, "over").await;
    let refused = world.send_withdrawal(&player, request).await.unwrap_err();
    assert_eq!(reason(&refused), "DAILY_LIMIT");
    world.withdraw(&player, 10).await;
    world.finish().await;
}

#[tokio::test]
async fn one_request_that_comes_twenty_times_at_once_is_one_withdrawal() {
    let mut world = World::new().await;
    world.start_replica().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    let request = world.withdrawal(200, "storm").await;
    let calls = (0..20).map(|call| {
        let mut client = world.payouts_of(call % 2 == 1);
        let request = bearing(&player.token, request.clone());
        async move {
            // A call that conflicts with a concurrent one may fail, and be repeated.
            client.withdraw(request).await.map(|reply| reply.into_inner().payment.unwrap())
        }
    });
    let replies = join_all(calls).await;
    let ids: Vec<_> = replies.iter().flatten().map(|payment| &payment.payment_id).collect();
    assert!(ids.len() > 1 && ids.iter().all(|id| *id == ids[0]), "{replies:?}");
    let id = ids[0].clone();
    world.until(&player, &id, PaymentStatus::Completed).await;

    // The request is repeated after a restart.
    world.stop_wallet().await;
    world.start_wallet().await;
    assert_eq!(world.send_withdrawal(&player, request.clone()).await.unwrap().payment_id, id);
    let changed = WithdrawRequest { amount: Some(Money::from_shillings(201).into()), ..request };
    let refused = world.send_withdrawal(&player, changed).await.unwrap_err();
    assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED");
    // The same key is used for another kind of call.
    let top_up = world.request(200, "storm").await;
    let refused = world.send(&player, top_up).await.unwrap_err();
    assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(world.payouts_sent().await, 1);
    assert_eq!(world.balance(&player).await, Money::from_shillings(795));
    world.finish().await;
}

#[tokio::test]
async fn a_large_first_withdrawal_waits_for_an_operator() {
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 50_000).await;
    let id = world.withdraw(&player, 20_001).await;
    world.until_outbox_empty().await;
    let payment = world.payment(&player, &id).await.unwrap();
    assert_eq!(payment.status(), PaymentStatus::Pending);
    let text = english(payment.text.as_ref());
    assert!(text.starts_with("We look at first withdrawals above KES 20,000"), "{text}");
    assert_eq!(world.payouts_sent().await, 0);
    assert_eq!(world.available(&player).await, Money::from_shillings(50_000 - 20_001 - 13));
    // The withdrawal waits for the operator, however long that takes.
    world.wait(Duration::from_hours(48)).await;
    world.until_outbox_empty().await;
    let player = world.renewed(&player);
    assert_eq!(world.payment(&player, &id).await.unwrap().status(), PaymentStatus::Pending);
    world.finish().await;
}

#[tokio::test]
async fn charges_say_what_a_withdrawal_costs_and_until_when() {
    let world = World::with(|args| {
        args.withdrawals = WithdrawalArgs {
            withdrawal_fees: "2020-01-01 1000=5 250000=9; 2100-01-01 250000=20".parse().unwrap(),
            withdrawal_fee_margin: Money::from_shillings(2),
            ..WithdrawalArgs::default()
        };
    })
    .await;
    let player = world.player();
    for (amount, fee) in [(10, 7), (1_000, 7), (1_001, 11)] {
        let charge = world.charges(&player, "MPESA", amount).await.unwrap();
        assert_eq!(Money::from(charge.fee.unwrap()), Money::from_shillings(fee));
        let until = proto::from_timestamp(charge.valid_until, "valid_until").unwrap();
        assert_eq!(until, time::macros::datetime!(2099-12-31 21:00 UTC));
    }
    let refused = world.charges(&player, "MPESA", 9).await.unwrap_err();
    assert_eq!(reason(&refused), "AMOUNT_OUT_OF_RANGE");
    let refused = world.charges(&player, "WALLET", 100).await.unwrap_err();
    assert_eq!(reason(&refused), "METHOD_NOT_ALLOWED");
    world.finish().await;
}

#[tokio::test]
async fn a_payout_waits_for_daraja_and_is_given_back_after_ten_minutes() {
    for (kind, call) in [("spike", "b2c"), ("unauthorized", "b2c")] {
        let world = World::new().await;
        let player = world.player();
        world.give(&player, 1_000).await;
        world.until_outbox_empty().await;
        let fault = json!({"provider": "daraja", "kind": kind, "call": call, "count": 1000});
        world.fault(fault.clone()).await;
        let back = world.withdraw(&player, 200).await;
        world.until_put_off().await;
        world.wait(Duration::from_mins(9)).await;
        world.until_put_off().await;
        let payment = world.payment(&player, &back).await.unwrap();
        assert_eq!(payment.status(), PaymentStatus::Pending);
        world.wait(Duration::from_mins(1)).await;
        world.until(&player, &back, PaymentStatus::Error).await;
        assert_eq!(world.available(&player).await, Money::from_shillings(1_000));
        assert_eq!(world.payouts_sent().await, 0);

        // A payout that Daraja gets in time is paid.
        let paid = world.withdraw(&player, 300).await;
        world.until_put_off().await;
        world.clear_faults().await;
        world.wait(Duration::from_secs(5)).await;
        world.until(&player, &paid, PaymentStatus::Completed).await;
        assert_eq!(world.payouts_sent().await, 1);
        world.finish().await;
    }
}
