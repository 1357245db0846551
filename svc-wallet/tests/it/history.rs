//! Histories and statements.

use std::time::Duration;

use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{
        Direction, GetStatementRequest, GetTransactionRequest, ListTransactionsRequest,
        PayAwardRequest, StatementFormat, TopUpRequest, Transaction, TransactionDesc,
        award_service_client::AwardServiceClient,
    },
};
use serde_json::json;
use tonic::{Code, Status};
use types::Money;

use crate::world::{Player, World, bearing, reason};

impl World {
    async fn page(&self, player: &Player, before: &str, page_size: u32) -> Vec<Transaction> {
        let before = Some(before.to_owned());
        let request = ListTransactionsRequest { page: 7, page_size, before };
        let reply = self.client().list_transactions(bearing(&player.token, request)).await;
        reply.unwrap().into_inner().transactions
    }

    async fn transaction(&self, player: &Player, id: &str) -> Result<Transaction, Status> {
        let request = GetTransactionRequest { transaction_id: id.to_owned() };
        let reply = self.client().get_transaction(bearing(&player.token, request)).await?;
        Ok(reply.into_inner().transaction.unwrap())
    }

    async fn statement(
        &self,
        player: &Player,
        from: &str,
        to: &str,
        format: StatementFormat,
    ) -> Result<Vec<u8>, Status> {
        let (from, to) = (from.to_owned(), to.to_owned());
        let request = GetStatementRequest { from, to, format: format.into() };
        let reply = self.client().get_statement(bearing(&player.token, request)).await?;
        Ok(reply.into_inner().document)
    }

    /// The rows of a statement as CSV, without time, receipt and id.
    async fn rows(&self, player: &Player, from: &str, to: &str) -> Vec<String> {
        let document = self.statement(player, from, to, StatementFormat::Csv).await.unwrap();
        let text = String::from_utf8(document).unwrap();
        let rows = text.lines().skip(1).map(|row| {
            let fields: Vec<&str> = row.split(',').collect();
            [fields[0], fields[2], fields[3], fields[4], fields[5]].join(",")
        });
        rows.collect()
    }

    async fn boost(&self, method: &str, payer: &Player, friend: &Player, key: &str) -> String {
        let request = TopUpRequest {
            payment_method_id: self.method(method).await,
            beneficiary_id: Some(friend.id.to_string()),
            ..self.request(75, key).await
        };
        let payment = self.send(payer, request).await.unwrap();
        self.until(payer, &payment.payment_id, PaymentStatus::Completed).await;
        payment.payment_id
    }
}

fn name(player: &Player) -> String {
    let id = player.id.to_string();
    format!("player{}", &id[id.len() - 4..])
}

#[expect(clippy::unnecessary_wraps, reason = "as the contract has the field")]
fn money(shillings: i32) -> Option<proto::types::v1::Money> {
    Some(Money::from_shillings(shillings).into())
}

#[tokio::test]
async fn a_detail_that_is_stored_is_read_in_the_language_of_the_call() {
    let world = World::new().await;
    let player = world.player();
    world.offer_all().await;
    world.give(&player, 500).await;
    world.subscribe(&player, "WALLET", "gold", "one").await.unwrap();
    let details = async || {
        let lines = world.history(&player).await.into_iter();
        lines.map(|line| line.detail.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(details().await, ["Gold package", "M-Pesa"]);
    assert_eq!(testkit::in_swahili(details()).await, ["Kifurushi cha Gold", "M-Pesa"]);
    world.finish().await;
}

#[tokio::test]
async fn the_payer_of_a_boost_and_of_a_package_by_mpesa_finds_them_in_order() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.offer_all().await;
    world.give(&payer, 500).await;
    let boost = world.boost("MPESA", &payer, &friend, "one").await;
    world.boost("WALLET", &payer, &friend, "two").await;
    let package = world.subscribe(&payer, "MPESA", "gold", "three").await.unwrap().payment_id;
    world.until(&payer, &package, PaymentStatus::Completed).await;
    world.subscribe(&payer, "WALLET", "gold", "four").await.unwrap();

    let lines = world.history(&payer).await;
    let shown: Vec<_> = lines
        .iter()
        .map(|line| {
            let balance = line.balance_after.map(|balance| balance.cents / 100);
            (line.transaction_desc(), line.detail.clone().unwrap(), balance)
        })
        .collect();
    let to_friend = format!("Boost to {}", name(&friend));
    assert_eq!(
        shown,
        [
            (TransactionDesc::Subscription, "Gold package".to_owned(), Some(375)),
            (TransactionDesc::Subscription, "Gold package".to_owned(), None),
            (TransactionDesc::BoostFriend, to_friend.clone(), Some(425)),
            (TransactionDesc::BoostFriend, to_friend, None),
            (TransactionDesc::TopupWallet, "M-Pesa".to_owned(), Some(500)),
        ]
    );
    assert!(lines[..4].iter().all(|line| line.direction() == Direction::Debit));
    let outside = &lines[3];
    assert_eq!((outside.id.as_str(), outside.amount), (boost.as_str(), money(75)));
    assert_eq!(outside.counterparty_id, Some(friend.id.to_string()));
    assert!(outside.payment.as_ref().unwrap().receipt.is_some(), "the payer's receipt");
    assert!(lines[1].payment.as_ref().unwrap().receipt.is_some());
    assert_eq!((lines[1].id.as_str(), lines[1].counterparty_id.as_deref()), (&*package, None));

    let got = world.history(&friend).await;
    assert_eq!(got.len(), 2);
    for line in &got {
        assert_eq!(line.transaction_desc(), TransactionDesc::TopupWallet);
        assert_eq!(line.direction(), Direction::Credit);
        assert_eq!(line.counterparty_id, Some(payer.id.to_string()));
        assert_eq!(line.payment.as_ref().unwrap().receipt, None);
    }
    world.finish().await;
}

#[tokio::test]
async fn pages_by_cursor_are_the_whole_history_once() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give(&payer, 1_000).await;
    for index in 0..4 {
        world.boost("WALLET", &payer, &friend, &format!("wallet-{index}")).await;
        world.boost("MPESA", &payer, &friend, &format!("mpesa-{index}")).await;
    }
    let all = world.history(&payer).await;
    assert_eq!(all.len(), 9);
    let mut paged = world.page(&payer, &i64::MAX.to_string(), 2).await;
    while let Some(last) = paged.last().cloned() {
        let next = world.page(&payer, &last.cursor, 2).await;
        if next.is_empty() {
            break;
        }
        // Transactions that come meanwhile do not shift the pages.
        world.boost("WALLET", &payer, &friend, &format!("later-{}", paged.len())).await;
        paged.extend(next);
    }
    assert_eq!(paged, all);
    let numbered = ListTransactionsRequest { page: 1, page_size: 4, before: None };
    let reply = world.client().list_transactions(bearing(&payer.token, numbered)).await;
    assert_eq!(reply.unwrap().into_inner().transactions.len(), 4);
    world.finish().await;
}

#[tokio::test]
async fn a_transaction_is_shown_to_its_owner_alone() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.give(&payer, 500).await;
    world.boost("WALLET", &payer, &friend, "one").await;
    world.boost("MPESA", &payer, &friend, "two").await;
    for line in world.history(&payer).await {
        assert_eq!(world.transaction(&payer, &line.id).await.unwrap(), line);
    }
    let [outside, wallet, top_up] = &world.history(&payer).await[..] else { panic!("three") };
    // Each player has a line of the same journal.
    let other = world.transaction(&friend, &wallet.id).await.unwrap();
    assert_eq!((other.direction(), other.user_id), (Direction::Credit, friend.id.to_string()));
    let stranger = world.player();
    for (player, id) in [
        (&friend, outside.id.as_str()),
        (&friend, top_up.id.as_str()),
        (&stranger, wallet.id.as_str()),
        (&payer, "00000000-0000-7000-8000-000000000001"),
        (&payer, "no-id"),
    ] {
        let refused = world.transaction(player, id).await.unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::NotFound, "TRANSACTION_NOT_FOUND"),
            "{id}"
        );
    }
    world.finish().await;
}

#[tokio::test]
async fn a_statement_has_the_lines_of_its_days_in_nairobi() {
    let world = World::new().await;
    let (mut payer, friend) = (world.player(), world.player());
    // The test begins on 20 November at noon in Nairobi, and this is the next day there.
    world.give(&payer, 500).await;
    world.wait_signed_in(&mut payer, Duration::from_hours(13)).await;
    world.boost("WALLET", &payer, &friend, "one").await;
    world.boost("MPESA", &payer, &friend, "two").await;
    world.wait_signed_in(&mut payer, Duration::from_hours(24)).await;
    world.boost("WALLET", &payer, &friend, "three").await;

    let to_friend = format!("Boost to {}", name(&friend));
    let boost = |day: u8, balance: &str| {
        format!("2026-11-{day},Boost a friend,{to_friend},-75.00,{balance}")
    };
    let top_up = "2026-11-20,Top up,M-Pesa,500.00,500.00".to_owned();
    let balance = |day: u8, title: &str, cents: &str| format!("2026-11-{day},{title},,,{cents}");
    assert_eq!(
        world.rows(&payer, "2026-11-20", "2026-11-20").await,
        [
            balance(20, "Opening balance", "0.00"),
            top_up.clone(),
            balance(20, "Closing balance", "500.00")
        ]
    );
    assert_eq!(
        world.rows(&payer, "2026-11-21", "2026-11-21").await,
        [
            balance(21, "Opening balance", "500.00"),
            boost(21, "425.00"),
            boost(21, ""),
            balance(21, "Closing balance", "425.00"),
        ]
    );
    assert_eq!(
        world.rows(&payer, "2026-11-01", "2026-11-30").await,
        [
            "2026-11-01,Opening balance,,,0.00".to_owned(),
            top_up,
            boost(21, "425.00"),
            boost(21, ""),
            boost(22, "350.00"),
            balance(30, "Closing balance", "350.00"),
        ]
    );
    for (day, at) in [("2026-11-19", "0.00"), ("2026-11-23", "350.00")] {
        assert_eq!(
            world.rows(&payer, day, day).await,
            [format!("{day},Opening balance,,,{at}"), format!("{day},Closing balance,,,{at}")]
        );
    }
    let pdf = world.statement(&payer, "2026-11-01", "2026-11-30", StatementFormat::Pdf).await;
    assert!(pdf.unwrap().starts_with(b"%PDF-"));
    world.finish().await;
}

#[tokio::test]
async fn a_statement_is_of_a_year_and_5000_lines_at_most() {
    let world = World::new().await;
    let player = world.player();
    for (from, to) in [
        ("2026-11-02", "2026-11-01"),
        ("2025-11-01", "2026-11-02"),
        ("2026-11-31", "2026-12-01"),
        ("", ""),
    ] {
        let refused = world.statement(&player, from, to, StatementFormat::Csv).await.unwrap_err();
        assert_eq!(reason(&refused), "INVALID_ARGUMENT", "{from} {to}");
    }
    let unspecified =
        world.statement(&player, "2026-11-01", "2026-11-01", StatementFormat::Unspecified).await;
    assert_eq!(reason(&unspecified.unwrap_err()), "INVALID_ARGUMENT");

    // Insert one line more than fits.
    let lines = "INSERT INTO outside_payment
            (payer_id, payment_id, kind, amount_cents, counterparty_id, created_at)
        SELECT $1, gen_random_uuid(), 'BOOST', 100, $1, '2026-11-10 09:00Z'
        FROM generate_series(1, $2)";
    let insert = async |count: i32| {
        sqlx::query(lines).bind(player.id.uuid()).bind(count).execute(&world.pool).await.unwrap();
    };
    let day = "2026-11-10";
    insert(5_000).await;
    for format in [StatementFormat::Pdf, StatementFormat::Csv] {
        let document = world.statement(&player, day, day, format).await.unwrap();
        assert!(document.len() < 2 * 1024 * 1024, "{}", document.len());
    }
    insert(1).await;
    let refused = world.statement(&player, day, day, StatementFormat::Pdf).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::FailedPrecondition, "STATEMENT_TOO_LONG")
    );
    sqlx::query("DELETE FROM outside_payment").execute(&world.pool).await.unwrap();
    world.finish().await;
}

#[tokio::test]
async fn an_award_that_is_posted_late_is_on_one_statement_only() {
    let world = World::with_prizes().await;
    let mut player = world.player();
    world.give(&player, 100).await;
    world.wait_signed_in(&mut player, Duration::from_hours(24)).await;
    world.give(&player, 200).await;
    // The award was given on the 20th, and posted on the 21st after the second top-up.
    let award = PayAwardRequest {
        award_id: world.base.rng.uuid_v7(world.base.clock.now()).to_string(),
        player_id: player.id.to_string(),
        amount: money(50),
        detail: "Friday Dash".to_owned(),
        awarded_at: Some(proto::timestamp(testkit::BEGINNING)),
        reservation_id: None,
    };
    let mut awards = AwardServiceClient::new(world.connect("svc-tournament"));
    awards.pay_award(award).await.unwrap();
    let amounts = async |day: &str| -> Vec<String> {
        let rows = world.rows(&player, day, day).await;
        rows.iter().map(|row| row.split(',').skip(3).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(amounts("2026-11-20").await, [" 0.00", "100.00 100.00", " 100.00"]);
    assert_eq!(
        amounts("2026-11-21").await,
        [" 100.00", "200.00 300.00", "50.00 350.00", " 350.00"]
    );
    world.finish().await;
}

#[tokio::test]
async fn a_cancelled_boost_leaves_no_line() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player());
    world.phone(json!({"stk": "cancel"})).await;
    let request = TopUpRequest {
        beneficiary_id: Some(friend.id.to_string()),
        ..world.request(75, "one").await
    };
    let payment = world.send(&payer, request).await.unwrap();
    world.until(&payer, &payment.payment_id, PaymentStatus::Error).await;
    assert!(world.history(&payer).await.is_empty());
    world.finish().await;
}
