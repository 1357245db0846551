//! The bank's book and the requests to pay.

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::reply::Body;
use crate::world::Shared;
use crate::world::airtime::{Charge, Consent};
use crate::world::book::{Float, Line, Side};
use crate::world::outgoing::Outgoing;
use crate::world::payment::Payment;
use crate::world::payout::Payout;
use crate::world::state::{Fact, MAX_BOOK, Received};

/// Requests that `GET /control/payments` lists.
const MAX_LISTED: usize = 100;

#[derive(Deserialize)]
pub(super) struct Page {
    /// Most lines of the book; all by default.
    limit: Option<usize>,
}

/// `GET /control/bank`: what was paid in and out, by the bank's own record. Newest first.
pub(super) async fn book(
    State(world): State<Shared>,
    Query(Page { limit }): Query<Page>,
) -> Json<Value> {
    let limit = limit.unwrap_or(MAX_BOOK);
    Json(world.read(|state| {
        let entries: Vec<&Received> = state.book.iter().rev().take(limit).collect();
        let (count, amount) = (state.totals.count, state.totals.amount);
        let mut book = Map::new();
        let received = json!({ "count": count, "amount": amount, "entries": entries });
        book.insert("received".to_owned(), received);
        book.insert("float".to_owned(), json!(state.float));
        for side in Side::ALL {
            let lines = state.lines.iter().rev().filter(|line| line.side == side).take(limit);
            let lines: Vec<&Line> = lines.collect();
            let mut view = json!(state.sums.get(&side).copied().unwrap_or_default());
            view["entries"] = json!(lines);
            if let Value::String(name) = json!(side) {
                book.insert(name, view);
            }
        }
        Value::Object(book)
    }))
}

/// `GET /control/payouts`: the newest payouts and their outcome.
pub(super) async fn payouts(State(world): State<Shared>) -> Json<Vec<Payout>> {
    Json(world.read(|state| state.payouts.iter().rev().take(MAX_LISTED).cloned().collect()))
}

/// `GET /control/airtime`: the newest charges, and who has consented to which offer.
pub(super) async fn airtime(State(world): State<Shared>) -> Json<Value> {
    Json(world.read(|state| {
        let charges: Vec<&Charge> = state.charges.iter().rev().take(MAX_LISTED).collect();
        let consents: Vec<&Consent> = state.consents.iter().rev().take(MAX_LISTED).collect();
        json!({ "charges": charges, "consents": consents })
    }))
}

/// `GET /control/outgoing`: the newest requests to the business and their deliveries.
pub(super) async fn outgoing(State(world): State<Shared>) -> Json<Vec<Outgoing>> {
    Json(world.read(|state| state.outgoing.iter().rev().take(MAX_LISTED).cloned().collect()))
}

/// `GET /control/float`: the business's accounts at M-Pesa.
pub(super) async fn float(State(world): State<Shared>) -> Json<Float> {
    Json(world.read(|state| state.float))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewFloat {
    utility: u64,
}

/// `PUT /control/float`: sets the account that payouts leave from.
pub(super) async fn set_float(
    State(world): State<Shared>,
    Body(NewFloat { utility }): Body<NewFloat>,
) -> Json<Float> {
    Json(world.update(|state| {
        let float = Float { utility, ..state.float };
        (vec![Fact::Float(float)], float)
    }))
}

/// `GET /control/payments`: the newest requests, their outcome and callbacks.
pub(super) async fn payments(State(world): State<Shared>) -> Json<Vec<Payment>> {
    Json(world.read(|state| state.payments.iter().rev().take(MAX_LISTED).cloned().collect()))
}
