//! Taxes, which are taken of money that reaches a wallet.

use std::time::Duration;

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{
        Direction, GetBalanceRequest, GetTaxesRequest, GetTransactionRequest, OperationKind,
        RequestOperationRequest, TaxSum, TopUpRequest, Transaction, TransactionKind,
    },
};
use serde_json::json;
use tonic::Code;
use types::Money;

use crate::{
    operations::{kes, of_payment, refused},
    world::{Player, World, bearing},
};

impl World {
    /// Opens a world in which 5 percent of top-ups and 20 percent of prizes are taxed, from
    /// midnight on.
    async fn with_taxes() -> Self {
        let mut world = Self::with(|_| {}).await;
        let tomorrow = world.base.clock.now().date().next_day().unwrap();
        world.stop_wallet().await;
        world.change_args(|args| {
            args.taxes = format!("{tomorrow} topup=5 prize=20").parse().unwrap();
        });
        world.start_wallet().await;
        world
    }

    /// The tax on top-ups that the wallet's page shows, in hundredths of a percent.
    async fn top_up_tax(&self, player: &Player) -> u32 {
        let request = bearing(&player.token, GetBalanceRequest {});
        self.client().get_balance(request).await.unwrap().into_inner().top_up_tax
    }

    async fn taxes(&self, from: &str, to: &str) -> Vec<TaxSum> {
        let request = GetTaxesRequest { from: from.to_owned(), to: to.to_owned() };
        self.operator("wanjiru").get_taxes(request).await.unwrap().into_inner().taxes
    }
}

/// The kind, amount, direction, detail and tax of a transaction.
fn line(of: &Transaction) -> (TransactionKind, i64, Direction, &str, Option<i64>) {
    (
        of.kind(),
        of.amount.unwrap().cents,
        of.direction(),
        of.detail.as_deref().unwrap(),
        of.tax.map(|tax| tax.cents),
    )
}

#[tokio::test]
async fn a_top_up_is_taxed_from_the_day_of_the_rule_on() {
    let world = World::with_taxes().await;
    let player = world.player();
    assert_eq!(world.top_up_tax(&player).await, 0);
    world.give(&player, 100).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));

    world.base.clock.advance(Duration::from_hours(24));
    let player = world.renewed(&player);
    world.give(&player, 101).await;
    assert_eq!(world.top_up_tax(&player).await, 500);
    // 5 percent of KES 101.00 is KES 5.05.
    assert_eq!(world.balance(&player).await, Money::from_cents(19_595));
    let history = world.history(&player).await;
    let lines: Vec<_> = history.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            (TransactionKind::ExciseDuty, 505, Direction::Debit, "5% of KES 101.00", None),
            (TransactionKind::TopUp, 10_100, Direction::Credit, "M-Pesa", Some(505)),
            (TransactionKind::TopUp, 10_000, Direction::Credit, "M-Pesa", None),
        ]
    );
    assert_eq!(world.house("EXCISE_DUTY").await, 505);
    let one = GetTransactionRequest { transaction_id: history[1].id.clone() };
    let one = world.client().get_transaction(bearing(&player.token, one)).await.unwrap();
    assert_eq!(one.into_inner().transaction.as_ref().map(line), Some(lines[1]));
    world.finish().await;
}

#[tokio::test]
async fn a_boost_from_outside_is_taxed_in_the_friends_wallet_and_other_money_is_not() {
    let world = World::with_taxes().await;
    world.base.clock.advance(Duration::from_hours(24));
    let (payer, friend) = (world.player(), world.player());
    let boost = async |method: &str, key: &str| {
        let request = TopUpRequest {
            payment_method_id: world.method(method).await,
            beneficiary_id: Some(friend.id.to_string()),
            ..world.request(100, key).await
        };
        let payment = world.send(&payer, request).await.unwrap().payment_id;
        world.until(&payer, &payment, PaymentStatus::Completed).await;
    };
    world.give(&payer, 1_000).await;
    boost("MPESA", "by-mpesa").await;
    boost("WALLET", "by-wallet").await;

    assert_eq!(world.balance(&friend).await, Money::from_shillings(195));
    let taxes: Vec<_> = world.history(&friend).await.iter().map(|line| line.tax).collect();
    assert_eq!(taxes, [None, None, kes(5)]);
    assert_eq!(world.balance(&payer).await, Money::from_shillings(850));
    let taxes: Vec<_> = world.history(&payer).await.iter().map(|line| line.tax).collect();
    assert_eq!(taxes, [None, None, None, kes(50)]);
    world.finish().await;
}

#[tokio::test]
async fn the_duty_is_returned_once_with_a_refund_of_the_whole_payment() {
    let world = World::with_taxes().await;
    world.base.clock.advance(Duration::from_hours(24));
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    let payment = world.top_up(&player, 100).await;
    world.until(&player, &payment, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(95));

    world.ask("wanjiru", of_payment(OperationKind::Refund, &payment, "a-refund")).await.unwrap();
    assert_eq!(world.balance(&player).await, Money::ZERO);
    assert_eq!(world.house("EXCISE_DUTY").await, 0);
    let history = world.history(&player).await;
    let returned =
        (TransactionKind::Reversal, 500, Direction::Credit, "Excise duty returned", None);
    assert_eq!(line(&history[1]), returned);
    world.finish().await;
}

#[tokio::test]
async fn a_lost_dispute_of_a_taxed_payment_leaves_the_wallet_empty() {
    let world = World::with_taxes().await;
    world.base.clock.advance(Duration::from_hours(24));
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.event(&world.paystack.charge(&id)).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    let lost = json!({"event": "charge.dispute.resolve", "data": {
        "id": 358_950, "refund_amount": 10_000, "currency": "KES",
        "resolution": "merchant-accepted", "transaction": {"id": 1, "reference": id},
    }});
    world.event(&lost).await.unwrap();
    world.until_outbox_empty().await;

    world.ask("wanjiru", of_payment(OperationKind::Refund, &id, "a")).await.unwrap();

    assert_eq!(world.balance(&player).await, Money::ZERO);
    assert_eq!(world.house("EXCISE_DUTY").await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_refund_of_a_part_returns_no_duty() {
    let world = World::with_taxes().await;
    world.base.clock.advance(Duration::from_hours(24));
    let player = world.player();
    let id = world.card(&player, 100).await.payment_id;
    world.paystack.pay(&id);
    world.event(&world.paystack.charge(&id)).await.unwrap();
    world.until(&player, &id, PaymentStatus::Completed).await;
    let part = of_payment(OperationKind::Refund, &id, "a");
    let part = RequestOperationRequest { amount: kes(40), ..part };
    world.ask("wanjiru", part).await.unwrap();
    assert_eq!(world.balance(&player).await, Money::from_shillings(55));
    assert_eq!(world.house("EXCISE_DUTY").await, 500);
    world.finish().await;
}

#[tokio::test]
async fn of_a_prize_a_tax_is_withheld_once() {
    let world = World::with_taxes().await;
    world.fund(10_000, "QKL1").await;
    world.base.clock.advance(Duration::from_hours(24));
    let winner = world.player();
    let award = world.award(&winner);
    world.pay(&award).await.unwrap();
    world.pay(&award).await.unwrap();

    assert_eq!(world.balance(&winner).await, Money::from_shillings(400));
    let history = world.history(&winner).await;
    let lines: Vec<_> = history.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            (TransactionKind::WithholdingTax, 10_000, Direction::Debit, "20% of KES 500.00", None),
            (
                TransactionKind::Prize,
                50_000,
                Direction::Credit,
                "Friday Dash · place 1",
                Some(10_000)
            ),
        ]
    );
    world.finish().await;
}

#[tokio::test]
async fn operators_read_what_was_taken_by_days() {
    let world = World::with_taxes().await;
    world.fund(10_000, "QKL1").await;
    world.base.clock.advance(Duration::from_hours(24));
    for _ in 0..2 {
        world.pay(&world.award(&world.player())).await.unwrap();
    }
    let day = world.base.clock.now().to_offset(types::NAIROBI).date();
    let (today, tomorrow) = (day.to_string(), day.next_day().unwrap().to_string());
    let sums = async |from: &str, to: &str| -> Vec<_> {
        world.taxes(from, to).await.iter().map(|one| (one.tax(), one.sum, one.count)).collect()
    };
    let (excise, withholding) = (TransactionKind::ExciseDuty, TransactionKind::WithholdingTax);
    assert_eq!(sums(&today, &today).await, [(excise, kes(0), 0), (withholding, kes(200), 2)]);
    assert_eq!(sums(&tomorrow, &tomorrow).await, [(excise, kes(0), 0), (withholding, kes(0), 0)]);

    let request = GetTaxesRequest { from: tomorrow, to: today };
    let status = world.operator("wanjiru").get_taxes(request).await.unwrap_err();
    assert_eq!(refused(&status).0, Code::InvalidArgument);
    world.finish().await;
}
