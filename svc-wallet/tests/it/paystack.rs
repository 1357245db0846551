//! A stub of Paystack: pages, transactions, refunds, and its signature.

use std::{
    collections::{HashMap, VecDeque},
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode},
    routing::{get, post},
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use mesh::Shutdown;
use serde_json::{Value, json};
use sha2::Sha512;
use svc_wallet::PaystackArgs;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

pub(crate) const KEY: &str = "sk_test_of-the-tests";
/// The time at which payers pay.
const PAID_AT: &str = "2026-11-20T09:00:00.000Z";

/// How the stub replies to one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The stub replies 500 without doing anything.
    Down,
    /// The stub does what is asked, and loses the reply.
    LostReply,
    /// The stub refuses the call.
    Refuse,
}

#[derive(Clone, Default)]
pub(crate) struct Paystack {
    book: Arc<Mutex<Book>>,
}

#[derive(Default)]
struct Book {
    transactions: HashMap<String, Value>,
    initialized: Vec<Value>,
    refunds: Vec<Value>,
    verified: usize,
    faults: VecDeque<(&'static str, Fault)>,
}

impl Paystack {
    pub(crate) async fn open(shutdown: &Shutdown) -> (Self, SocketAddr) {
        let stub = Self::default();
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/transaction", get(list))
            .route("/transaction/initialize", post(initialize))
            .route("/transaction/verify/{reference}", get(verify))
            .route("/refund", post(refund).get(refunds))
            .route("/refund/{id}", get(refund_status))
            .with_state(stub.clone());
        shutdown
            .spawn("paystack stub", async move { axum::serve(listener, router).await.unwrap() });
        (stub, addr)
    }

    pub(crate) fn args(addr: SocketAddr) -> PaystackArgs {
        PaystackArgs {
            paystack_base_url: format!("http://{addr}"),
            paystack_secret_key: KEY.into(),
            paystack_live: false,
            paystack_email_domain: "players.example".to_owned(),
            paystack_return_url: "http://127.0.0.1:8080/waiting".to_owned(),
            paystack_timeout: Duration::from_secs(5),
            card_payment_expiry: Duration::from_mins(30),
        }
    }

    /// Sets how the next calls of a kind fail: initialize, verify or refund.
    pub(crate) fn fault(&self, call: &'static str, faults: &[Fault]) {
        self.book.lock().unwrap().faults.extend(faults.iter().map(|fault| (call, *fault)));
    }

    /// The initialisations that were carried out.
    pub(crate) fn initialized(&self) -> Vec<Value> {
        self.book.lock().unwrap().initialized.clone()
    }

    pub(crate) fn verified(&self) -> usize {
        self.book.lock().unwrap().verified
    }

    pub(crate) fn refunded(&self) -> Vec<Value> {
        self.book.lock().unwrap().refunds.clone()
    }

    /// Changes a transaction, as its payer or Paystack would.
    pub(crate) fn set(&self, reference: &str, change: &Value) {
        let mut book = self.book.lock().unwrap();
        let transaction = book.transactions.get_mut(reference).expect("a transaction");
        let change = change.as_object().unwrap().clone();
        transaction.as_object_mut().unwrap().extend(change);
    }

    /// Marks a transaction as paid.
    pub(crate) fn pay(&self, reference: &str) {
        let paid = json!({"status": "success", "paid_at": PAID_AT, "fees": 290});
        self.set(reference, &paid);
    }

    /// Removes a transaction from Paystack.
    pub(crate) fn remove(&self, reference: &str) {
        self.book.lock().unwrap().transactions.remove(reference).expect("a transaction");
    }

    /// Adds a paid transaction that another system began.
    pub(crate) fn add_paid(&self, reference: &str, cents: u32) {
        let transaction = json!({
            "id": 77, "domain": "test", "status": "success", "reference": reference,
            "amount": cents, "currency": "KES", "paid_at": PAID_AT, "fees": 0,
        });
        self.book.lock().unwrap().transactions.insert(reference.to_owned(), transaction);
    }

    pub(crate) fn set_refund(&self, status: &str) {
        for refund in &mut self.book.lock().unwrap().refunds {
            refund["status"] = json!(status);
        }
    }

    /// Returns the event of a transaction in its current state.
    pub(crate) fn charge(&self, reference: &str) -> Value {
        let data = self.book.lock().unwrap().transactions[reference].clone();
        json!({"event": "charge.success", "data": data})
    }

    fn next_fault(&self, call: &str) -> Option<Fault> {
        let mut book = self.book.lock().unwrap();
        let index = book.faults.iter().position(|(of, _)| *of == call)?;
        book.faults.remove(index).map(|(_, fault)| fault)
    }
}

/// Returns Paystack's signature of a body.
pub(crate) fn sign(body: &[u8]) -> String {
    let mut mac = Hmac::<Sha512>::new_from_slice(KEY.as_bytes()).unwrap();
    mac.update(body);
    hex::encode(mac.finalize().into_bytes())
}

type Reply = (StatusCode, Json<Value>);

fn good(data: &Value) -> Reply {
    (StatusCode::OK, Json(json!({"status": true, "message": "ok", "data": data})))
}

fn bad(status: StatusCode, code: &str, message: &str) -> Reply {
    let body = json!({"status": false, "message": message, "code": code, "type": "api_error"});
    (status, Json(body))
}

fn lost() -> Reply {
    bad(StatusCode::BAD_GATEWAY, "gateway", "Bad gateway")
}

fn authorized(headers: &HeaderMap) -> bool {
    headers.get("authorization").is_some_and(|value| value == "Bearer sk_test_of-the-tests")
}

async fn initialize(
    State(stub): State<Paystack>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Reply {
    assert!(authorized(&headers));
    let fault = stub.next_fault("initialize");
    match fault {
        Some(Fault::Down) => return lost(),
        Some(Fault::Refuse) => {
            return bad(StatusCode::BAD_REQUEST, "invalid_params", "Merchant may not transact");
        }
        Some(Fault::LostReply) | None => {}
    }
    let reference = body["reference"].as_str().unwrap().to_owned();
    let mut book = stub.book.lock().unwrap();
    if book.transactions.contains_key(&reference) {
        return bad(
            StatusCode::BAD_REQUEST,
            "duplicate_reference",
            "Duplicate Transaction Reference",
        );
    }
    let id = 4_099_260_500_u64 + book.transactions.len() as u64;
    let transaction = json!({
        "id": id, "domain": "test", "status": "abandoned", "reference": reference,
        "amount": body["amount"], "currency": body["currency"], "paid_at": null, "fees": null,
        "channel": "card", "gateway_response": "The transaction was not completed",
    });
    book.transactions.insert(reference.clone(), transaction);
    book.initialized.push(body);
    if fault == Some(Fault::LostReply) {
        return lost();
    }
    good(&json!({
        "authorization_url": format!("https://checkout.paystack.example/{reference}"),
        "access_code": "x", "reference": reference,
    }))
}

async fn verify(State(stub): State<Paystack>, Path(reference): Path<String>) -> Reply {
    stub.book.lock().unwrap().verified += 1;
    if stub.next_fault("verify").is_some() {
        return lost();
    }
    match stub.book.lock().unwrap().transactions.get(&reference) {
        Some(transaction) => good(transaction),
        None => bad(
            StatusCode::BAD_REQUEST,
            "transaction_not_found",
            "Transaction reference not found.",
        ),
    }
}

/// Returns the transactions that were paid in a period, by pages.
async fn list(State(stub): State<Paystack>, Query(page): Query<HashMap<String, String>>) -> Reply {
    if stub.next_fault("list").is_some() {
        return lost();
    }
    let number = |name: &str| page[name].parse::<usize>().unwrap();
    let time = |text: &str| OffsetDateTime::parse(text, &Rfc3339).unwrap();
    let span = time(&page["from"])..=time(&page["to"]);
    let is_listed = |transaction: &&Value| {
        transaction["paid_at"].as_str().is_some_and(|paid| span.contains(&time(paid)))
    };
    let book = stub.book.lock().unwrap();
    let mut all: Vec<_> = book.transactions.values().filter(is_listed).collect();
    all.sort_by_key(|transaction| transaction["id"].as_u64());
    let begin = (number("page") - 1) * number("perPage");
    good(&all.into_iter().skip(begin).take(number("perPage")).cloned().collect())
}

async fn refund(State(stub): State<Paystack>, Json(body): Json<Value>) -> Reply {
    let fault = stub.next_fault("refund");
    match fault {
        Some(Fault::Down) => return lost(),
        Some(Fault::Refuse) => {
            return bad(StatusCode::BAD_REQUEST, "invalid", "Refund is not possible");
        }
        Some(Fault::LostReply) | None => {}
    }
    let mut book = stub.book.lock().unwrap();
    let refund = json!({
        "id": 1_000_000 + book.refunds.len(), "status": "pending", "amount": body["amount"],
        "currency": "KES", "transaction": body["transaction"],
        "merchant_note": body["merchant_note"],
    });
    book.refunds.push(refund.clone());
    if fault == Some(Fault::LostReply) { lost() } else { good(&refund) }
}

async fn refunds(
    State(stub): State<Paystack>,
    Query(query): Query<HashMap<String, String>>,
) -> Reply {
    let book = stub.book.lock().unwrap();
    let transaction = query["transaction"].as_str();
    let of = |refund: &&Value| refund["transaction"].as_str() == Some(transaction);
    good(&book.refunds.iter().filter(of).cloned().collect())
}

async fn refund_status(State(stub): State<Paystack>, Path(id): Path<String>) -> Reply {
    let book = stub.book.lock().unwrap();
    match book
        .refunds
        .iter()
        .find(|refund| refund["id"].as_u64().is_some_and(|one| one.to_string() == id))
    {
        Some(refund) => good(refund),
        None => bad(StatusCode::NOT_FOUND, "not_found", "Refund not found"),
    }
}
