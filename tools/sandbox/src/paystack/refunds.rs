//! Refunds: accepted at once, carried out in steps, each of which is an event.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::reply::{Refusal, authorize, ok};
use super::transactions::{new_id, view};
use super::{actions, events};
use crate::clock;
use crate::outgoing;
use crate::world::Shared;
use crate::world::book::Side;
use crate::world::card::{CardPayment, CardStatus, Refund, RefundStatus};
use crate::world::state::Fact;

/// The time from one status to the next.
const STEP: Duration = Duration::from_millis(300);

#[derive(Deserialize)]
struct Request {
    transaction: Option<Value>,
    amount: Option<Value>,
    currency: Option<String>,
    customer_note: Option<String>,
    merchant_note: Option<String>,
}

/// `POST /refund`
pub(super) async fn create(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    authorize(&world, &headers)?;
    let request: Request = serde_json::from_slice(&body)
        .map_err(|_| Refusal::invalid("invalid_params", "Invalid request body"))?;
    let key = request.transaction.as_ref().map(plain).unwrap_or_default();
    if request.currency.as_ref().is_some_and(|currency| currency != "KES") {
        return Err(Refusal::invalid("unsupported_currency", "Currency does not match"));
    }
    let now = clock::now();
    let (card, refund, ids) = world.change(|state| {
        let card = state.card(&key).filter(|card| card.status == CardStatus::Success);
        let mut card = card.cloned().ok_or_else(|| {
            Refusal::invalid("transaction_not_found", "Transaction not found or not refundable")
        })?;
        let left = card.refundable_cents();
        let amount = match &request.amount {
            None | Some(Value::Null) => Some(left),
            Some(amount) => plain(amount).parse().ok(),
        };
        let amount = amount.filter(|amount| (1..=left).contains(amount)).ok_or_else(|| {
            let message = "Refund amount cannot be more than the amount left of the transaction";
            Refusal::invalid("invalid_amount", message)
        })?;
        let refund = Refund {
            id: new_id(),
            amount_cents: amount,
            customer_note: request.customer_note.clone(),
            merchant_note: request.merchant_note.clone(),
            status: RefundStatus::Pending,
            created_at: now,
            due_at: now + STEP,
        };
        card.refunds.push(refund.clone());
        let mut facts = vec![Fact::Card(Box::new(card.clone()))];
        facts.extend(events::refund(&world, state, &card, &refund, now));
        let ids = outgoing::ids(&facts);
        Ok((facts, (card, refund, ids)))
    })?;
    outgoing::start(&world, ids);
    start(&world, refund.id);
    let mut data = refund_view(&card, &refund);
    data["transaction"] = view(&card);
    Ok(ok("Refund has been queued for processing", data))
}

/// `GET /refund/{id}`
pub(super) async fn fetch(
    State(world): State<Shared>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    authorize(&world, &headers)?;
    let found = world.read(|state| {
        let all = state.cards.iter().flat_map(|card| card.refunds.iter().map(move |r| (card, r)));
        let mut matching = all.filter(|(_, refund)| refund.id.to_string() == id);
        matching.next().map(|(card, refund)| refund_view(card, refund))
    });
    found.map(|data| ok("Refund retrieved", data)).ok_or_else(|| {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "validation_error",
            "refund_not_found",
            "Refund not found",
        )
    })
}

#[derive(Deserialize)]
pub(super) struct Listing {
    transaction: Option<String>,
}

/// `GET /refund?transaction=`
pub(super) async fn list(
    State(world): State<Shared>,
    headers: HeaderMap,
    Query(Listing { transaction }): Query<Listing>,
) -> Result<Json<Value>, Refusal> {
    authorize(&world, &headers)?;
    let is_of = |card: &CardPayment| {
        transaction.as_ref().is_none_or(|key| card.reference == *key || card.id.to_string() == *key)
    };
    let found: Vec<Value> = world.read(|state| {
        let cards = state.cards.iter().rev().filter(|card| is_of(card));
        cards.flat_map(|card| card.refunds.iter().map(|r| refund_view(card, r))).take(100).collect()
    });
    Ok(ok("Refunds retrieved", json!(found)))
}

/// Restarts the tasks of refunds that were under way at the last stop.
pub(crate) fn resume(world: &Shared) {
    let open: Vec<u64> = world.read(|state| {
        let all = state.cards.iter().flat_map(|card| &card.refunds);
        all.filter(|refund| refund.status.next().is_some()).map(|refund| refund.id).collect()
    });
    for id in open {
        start(world, id);
    }
}

fn start(world: &Shared, id: u64) {
    world.tasks.spawn(carry_out(Arc::clone(world), id));
}

async fn carry_out(world: Shared, id: u64) {
    let due = || {
        world.read(|state| {
            let mut all = state.cards.iter().flat_map(|card| &card.refunds);
            let refund = all.find(|refund| refund.id == id)?;
            refund.status.next().map(|_| refund.due_at)
        })
    };
    while let Some(due) = due() {
        if !world.wait_until(due).await {
            return;
        }
        step(&world, id);
    }
}

/// Gives a refund its next status.
fn step(world: &Shared, id: u64) {
    let now = clock::now();
    let ids = world.update(|state| {
        let known = state.cards.iter().find(|card| card.refunds.iter().any(|r| r.id == id));
        let Some(mut card) = known.cloned() else {
            return (Vec::new(), Vec::new());
        };
        let mut facts = Vec::new();
        for index in 0..card.refunds.len() {
            let refund = &mut card.refunds[index];
            let Some(next) = refund.status.next().filter(|_| refund.id == id) else {
                continue;
            };
            let fails = next == RefundStatus::Processed && state.settings.refunds_fail;
            refund.status = if fails { RefundStatus::Failed } else { next };
            refund.due_at = now + STEP;
            let refund = refund.clone();
            if refund.status == RefundStatus::Processed {
                let line = actions::line(&card, Side::CardRefunds, refund.amount_cents, 0);
                facts.push(Fact::Line(line));
                if card.refundable_cents() == 0 {
                    card.status = CardStatus::Reversed;
                }
            }
            facts.extend(events::refund(world, state, &card, &refund, now));
        }
        facts.push(Fact::Card(Box::new(card)));
        let ids = outgoing::ids(&facts);
        (facts, ids)
    });
    outgoing::start(world, ids);
}

fn refund_view(card: &CardPayment, refund: &Refund) -> Value {
    let is_done = refund.status == RefundStatus::Processed;
    json!({
        "id": refund.id,
        "integration": 100_043,
        "domain": "test",
        "transaction": card.id,
        "dispute": null,
        "amount": refund.amount_cents,
        "deducted_amount": if is_done { refund.amount_cents } else { 0 },
        "fully_deducted": is_done,
        "currency": card.currency,
        "channel": "card",
        "status": refund.status,
        "refunded_by": "playon@example.test",
        "refunded_at": is_done.then(|| clock::zoned(refund.due_at)),
        "expected_at": clock::zoned(refund.created_at + time::Duration::days(7)),
        "customer_note": refund.customer_note,
        "merchant_note": refund.merchant_note,
        "createdAt": clock::zoned(refund.created_at),
        "updatedAt": clock::zoned(refund.due_at),
    })
}

/// Converts a number or a text to a text.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
