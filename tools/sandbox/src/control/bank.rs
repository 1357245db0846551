//! The bank's book and the requests to pay.

use axum::Json;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::world::Shared;
use crate::world::payment::Payment;
use crate::world::state::{MAX_BOOK, Received};

/// Requests that `GET /control/payments` lists.
const MAX_LISTED: usize = 100;

#[derive(Deserialize)]
pub(super) struct Page {
    /// Most lines of the book; all by default.
    limit: Option<usize>,
}

/// `GET /control/bank`: what was paid in, by the bank's own record. Newest first.
pub(super) async fn book(
    State(world): State<Shared>,
    Query(Page { limit }): Query<Page>,
) -> Json<Value> {
    Json(world.read(|state| {
        let lines = state.book.iter().rev().take(limit.unwrap_or(MAX_BOOK));
        let entries: Vec<&Received> = lines.collect();
        let (count, amount) = (state.totals.count, state.totals.amount);
        json!({ "received": { "count": count, "amount": amount, "entries": entries } })
    }))
}

/// `GET /control/payments`: the newest requests, their outcome and callbacks.
pub(super) async fn payments(State(world): State<Shared>) -> Json<Vec<Payment>> {
    Json(world.read(|state| state.payments.iter().rev().take(MAX_LISTED).cloned().collect()))
}
