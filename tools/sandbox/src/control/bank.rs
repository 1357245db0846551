//! The bank's own book, and the requests behind it.

use axum::Json;
use axum::extract::{Query, State as Held};
use serde::{Deserialize, Serialize};

use crate::world::Shared;
use crate::world::payment::Payment;
use crate::world::state::{MAX_BOOK, Received, Totals};

/// Requests that `GET /control/payments` lists.
const LISTED: usize = 100;

/// What the bank holds, told without asking PlayOn.
#[derive(Serialize)]
pub(super) struct Book {
    received: Side,
}

#[derive(Serialize)]
struct Side {
    #[serde(flatten)]
    totals: Totals,
    /// Newest first.
    entries: Vec<Received>,
}

/// How much of the book to show.
#[derive(Deserialize)]
pub(super) struct Part {
    /// Lines at most; all by default.
    limit: Option<usize>,
}

/// `GET /control/bank`
pub(super) async fn book(
    Held(world): Held<Shared>,
    Query(Part { limit }): Query<Part>,
) -> Json<Book> {
    let limit = limit.unwrap_or(MAX_BOOK);
    Json(world.read(|state| Book {
        received: Side {
            totals: state.totals,
            entries: state.book.iter().rev().take(limit).cloned().collect(),
        },
    }))
}

/// `GET /control/payments`: the newest requests and what became of them.
pub(super) async fn payments(Held(world): Held<Shared>) -> Json<Vec<Payment>> {
    Json(world.read(|state| state.payments().rev().take(LISTED).cloned().collect()))
}
