//! The daily match with the statements of M-Pesa and Paystack.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri},
    response::{IntoResponse as _, Response},
    routing::post,
};
use proto::{
    types::v1::PaymentStatus,
    wallet::v1::{Break, ListBreaksRequest, ResolveBreakRequest},
};
use serde_json::{Value, json};
use testkit::eventually;
use types::Money;

use crate::{
    callback_secret::CallbackSecret,
    operations::kes,
    world::{PHONE, World, reason},
};

const DAY: Duration = Duration::from_hours(24);

/// Daraja with another statement than the sandbox's; every other call goes to the sandbox.
#[derive(Clone)]
struct Statement {
    sandbox: Arc<Mutex<String>>,
    lines: Arc<Mutex<Vec<Value>>>,
    http: reqwest::Client,
}

impl Statement {
    /// Opens a world whose Daraja is this stub.
    async fn open() -> (World, Self) {
        let statement = Self {
            sandbox: Arc::default(),
            lines: Arc::default(),
            http: mesh::http::client(Duration::from_secs(30)).unwrap(),
        };
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/pulltransactions/v1/query", post(pull))
            .fallback(forward)
            .with_state(statement.clone());
        let sandbox = Arc::clone(&statement.sandbox);
        let world = World::with(move |args| {
            let own = std::mem::replace(&mut args.daraja.daraja_base_url, url);
            *sandbox.lock().unwrap() = own;
        });
        // The wallet calls the stub as soon as it runs.
        let (world, ()) = tokio::join!(world, async {
            mesh::Shutdown::new()
                .spawn("daraja", async move { axum::serve(listener, router).await.unwrap() });
        });
        (world, statement)
    }

    fn add(&self, receipt: &str, account: &str, shillings: u32, at: time::OffsetDateTime) {
        let at = at.format(&time::format_description::well_known::Rfc3339).unwrap();
        self.lines.lock().unwrap().push(json!({
            "transactionId": receipt, "trxDate": at, "msisdn": PHONE.parse::<u64>().unwrap(),
            "sender": "MPESA", "transactiontype": "c2b-pay-bill-debit",
            "billreference": account, "amount": format!("{shillings}.00"),
            "organizationname": "PlayOn",
        }));
    }
}

async fn pull(State(statement): State<Statement>, Json(request): Json<Value>) -> Json<Value> {
    let offset: usize = request["OffSetValue"].as_str().unwrap().parse().unwrap();
    let lines: Vec<_> =
        statement.lines.lock().unwrap().iter().skip(offset).take(1).cloned().collect();
    let code = if lines.is_empty() { "1001" } else { "1000" };
    Json(json!({"ResponseRefID": "1", "ResponseCode": code, "Response": [lines]}))
}

async fn forward(
    State(statement): State<Statement>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let url = format!("{}{}", statement.sandbox.lock().unwrap(), uri);
    let mut request = statement.http.request(method.as_str().parse().unwrap(), url);
    for name in ["authorization", "content-type"] {
        if let Some(value) = headers.get(name) {
            request = request.header(name, value.as_bytes());
        }
    }
    let reply = request.body(body.to_vec()).send().await.unwrap();
    let status = StatusCode::from_u16(reply.status().as_u16()).unwrap();
    (status, [("content-type", "application/json")], reply.bytes().await.unwrap()).into_response()
}

impl World {
    /// Advances to the next day, and waits for its match.
    async fn next_day(&mut self) {
        self.days_later(1).await;
    }

    /// Advances some days without svc-wallet, and waits for the match.
    async fn days_later(&mut self, days: u32) {
        self.stop_wallet().await;
        self.base.clock.advance(DAY * days);
        self.start_wallet().await;
        self.daily_jobs().await;
    }

    /// Waits for the jobs of the day.
    async fn daily_jobs(&self) {
        let day = (self.base.clock.now() - Duration::from_hours(3))
            .to_offset(time::macros::offset!(+3))
            .date()
            .previous_day();
        eventually("the daily jobs", || async {
            let done: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM daily_job
                     WHERE done_for = $1 AND name LIKE 'match_%'",
            )
            .bind(day)
            .fetch_one(&self.pool)
            .await
            .unwrap();
            (done == 2).then_some(())
        })
        .await;
    }

    async fn breaks(&self, resolved_too: bool) -> Vec<Break> {
        let request = ListBreaksRequest { resolved_too, ..ListBreaksRequest::default() };
        self.operator("wanjiru").list_breaks(request).await.unwrap().into_inner().breaks
    }
}

fn kinds(breaks: &[Break]) -> Vec<(&str, &str)> {
    let mut kinds: Vec<_> =
        breaks.iter().map(|one| (one.reference.as_str(), one.kind.as_str())).collect();
    kinds.sort_unstable();
    kinds
}

#[tokio::test]
async fn differences_are_breaks_until_a_later_match_or_an_operator_ends_them() {
    let (mut world, statement) = Statement::open().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let now = world.base.clock.now();
    // All three are paid; the first is listed, the second with another amount, the third not at
    // all.
    for (number, shillings) in [(1, 100), (2, 200), (3, 300)] {
        let id = world.top_up(&player, shillings).await;
        world.until(&player, &id, PaymentStatus::InProgress).await;
        let secret = CallbackSecret::replace(&world, &id).await;
        let receipt = format!("QKL{number}");
        let paid = secret.paid_with(&[
            ("Amount", json!(shillings)),
            ("MpesaReceiptNumber", json!(receipt)),
            ("TransactionDate", json!(compact(now))),
            ("PhoneNumber", json!(PHONE)),
        ]);
        world.send_callback(&secret, &paid).await;
        world.until(&player, &id, PaymentStatus::Completed).await;
        forget_secret(&world, &id).await;
    }
    statement.add("QKL1", "PLAY00000001", 100, now);
    statement.add("QKL2", "PLAY00000002", 20, now);
    statement.add("STRANGE", "PLAY00000003", 40, now);
    world.next_day().await;
    let found = world.breaks(false).await;
    assert_eq!(
        kinds(&found),
        [("QKL2", "AMOUNT_DIFFERS"), ("QKL3", "MISSING_THEIRS"), ("STRANGE", "MISSING_OURS")]
    );
    let amounts = found.iter().find(|one| one.reference == "QKL2").unwrap();
    assert_eq!((amounts.ours, amounts.theirs), (kes(200), kes(20)));

    // M-Pesa lists the third payment late; an operator explains the one that is not ours.
    statement.add("QKL3", "PLAY00000003", 300, now);
    let strange = found.iter().find(|one| one.reference == "STRANGE").unwrap();
    let request = ResolveBreakRequest {
        break_id: strange.id.clone(),
        resolution: "A test of the paybill.".to_owned(),
    };
    for _ in 0..2 {
        world.operator("wanjiru").resolve_break(request.clone()).await.unwrap();
    }
    let unknown = ResolveBreakRequest {
        break_id: "00000000-0000-7000-8000-00000000dead".to_owned(),
        ..request
    };
    let unknown = world.operator("wanjiru").resolve_break(unknown).await.unwrap_err();
    assert_eq!(reason(&unknown), "BREAK_NOT_FOUND");
    world.next_day().await;
    assert_eq!(kinds(&world.breaks(false).await), [("QKL2", "AMOUNT_DIFFERS")]);
    let all = world.breaks(true).await;
    let resolution = |reference: &str| {
        all.iter().find(|one| one.reference == reference).unwrap().resolution.clone()
    };
    assert_eq!(resolution("QKL3").as_deref(), Some("a later match"));
    assert_eq!(resolution("STRANGE").as_deref(), Some("A test of the paybill."));
    world.finish().await;
}

#[tokio::test]
async fn a_payment_whose_messages_were_lost_is_settled_by_the_statement() {
    let (mut world, statement) = Statement::open().await;
    let player = world.player();
    world.phone(json!({"stk": "silent"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::InProgress).await;
    let end = id.replace('-', "").to_uppercase();
    let account = format!("PLAY{}", &end[end.len() - 8..]);
    statement.add("LOST1", &account, 100, world.base.clock.now() + Duration::from_secs(30));
    world.next_day().await;
    let player = world.renewed(&player);
    world.until(&player, &id, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(100));
    assert!(world.breaks(true).await.is_empty());
    let receipt: Option<String> =
        sqlx::query_scalar("SELECT receipt FROM stk_push").fetch_one(&world.pool).await.unwrap();
    assert_eq!(receipt.as_deref(), Some("LOST1"));
    world.finish().await;
}

#[tokio::test]
async fn a_days_cards_are_compared_with_paystacks_list() {
    let mut world = World::new().await;
    let player = world.player();
    let mut ids = Vec::new();
    for shillings in [100, 200, 300, 400] {
        ids.push(world.card(&player, shillings).await.payment_id);
    }
    let [matched, other_amount, not_listed, lost] = &ids[..] else { panic!("four payments") };
    for id in [matched, other_amount, not_listed] {
        world.paystack.pay(id);
        world.event(&world.paystack.charge(id)).await.unwrap();
        world.until(&player, id, PaymentStatus::Completed).await;
    }
    world.paystack.set(other_amount, &json!({"amount": 1_900}));
    world.paystack.remove(not_listed);
    // The payment is paid, no event came, and no verification is left.
    world.paystack.pay(lost);
    sqlx::query("UPDATE card_payment SET verify_due_at = NULL WHERE payment_id = $1::uuid")
        .bind(lost)
        .execute(&world.pool)
        .await
        .unwrap();
    // A payment that another system began.
    world.paystack.add_paid("SHOP-1", 5_000);
    world.next_day().await;

    let found = world.breaks(false).await;
    let amounts = |kind: &str| {
        let of: Vec<_> = found.iter().filter(|one| one.kind == kind).collect();
        let [one] = &of[..] else { panic!("one {kind}, not {found:?}") };
        (one.ours, one.theirs)
    };
    assert_eq!(found.len(), 3);
    assert_eq!(amounts("AMOUNT_DIFFERS"), (kes(200), kes(19)));
    assert_eq!(amounts("MISSING_THEIRS"), (kes(300), None));
    assert_eq!(amounts("MISSING_OURS"), (None, kes(50)));
    let player = world.renewed(&player);
    world.until(&player, lost, PaymentStatus::Completed).await;
    assert_eq!(world.balance(&player).await, Money::from_shillings(1_000));
    world.finish().await;
}

#[tokio::test]
async fn days_without_a_match_are_made_up_for_at_paystack() {
    let mut world = World::new().await;
    world.daily_jobs().await;
    world.paystack.add_paid("SHOP-1", 5_000);
    world.days_later(3).await;
    assert_eq!(kinds(&world.breaks(false).await), [("77", "MISSING_OURS")]);
    world.finish().await;
}

#[tokio::test]
async fn a_day_that_paystack_does_not_list_is_not_done_and_holds_up_no_other() {
    let mut world = World::new().await;
    world.stop_wallet().await;
    world.paystack.fault("list", &[crate::paystack::Fault::Down]);
    world.base.clock.advance(DAY);
    world.start_wallet().await;
    eventually("the failed day", || async {
        let done: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM daily_job
             WHERE leased_until IS NULL AND name LIKE 'match_%'
                 AND done_for = (SELECT max(done_for) FROM daily_job WHERE name LIKE 'match_%')",
        )
        .fetch_all(&world.pool)
        .await
        .unwrap();
        (done == ["match_mpesa"]).then_some(())
    })
    .await;
    world.finish().await;
}

/// Formats a time as M-Pesa does, in East Africa Time.
fn compact(at: time::OffsetDateTime) -> u64 {
    let format = time::macros::format_description!("[year][month][day][hour][minute][second]");
    let at = at.to_offset(time::macros::offset!(+3)).format(format).unwrap();
    at.parse().unwrap()
}

/// Replaces the secret of a payment, so that the next payment can have the test's.
async fn forget_secret(world: &World, payment: &str) {
    sqlx::query("UPDATE stk_push SET secret_hash = sha256(payment_id::text::bytea) WHERE payment_id = $1::uuid")
        .bind(payment)
        .execute(&world.pool)
        .await
        .unwrap();
}
