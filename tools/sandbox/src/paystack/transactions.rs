//! Transactions: opened, verified and listed.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use serde::Deserialize;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::reply::{Refusal, authorize, ok};
use crate::clock;
use crate::world::Shared;
use crate::world::card::{CardPayment, CardStatus};
use crate::world::state::Fact;

const MAX_PER_PAGE: usize = 100;

#[derive(Deserialize)]
struct Request {
    email: Option<String>,
    amount: Option<Value>,
    currency: Option<String>,
    reference: Option<String>,
    channels: Option<Vec<String>>,
    callback_url: Option<String>,
    #[serde(default)]
    metadata: Value,
}

/// `POST /transaction/initialize`
pub(super) async fn initialize(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    authorize(&world, &headers)?;
    let request: Request = serde_json::from_slice(&body)
        .map_err(|_| Refusal::invalid("invalid_params", "Invalid request body"))?;
    let now = clock::now();
    let payment = parse(request, now)?;
    world.change(|state| {
        if state.cards.iter().any(|known| known.reference == payment.reference) {
            return Err(Refusal::invalid("duplicate_reference", "Duplicate Transaction Reference"));
        }
        Ok((vec![Fact::Card(Box::new(payment.clone()))], ()))
    })?;
    tracing::info!(reference = payment.reference, "paystack.initialize");
    let data = json!({
        "authorization_url": world.link(&format!("/card/{}", payment.access_code)),
        "access_code": payment.access_code,
        "reference": payment.reference,
    });
    Ok(ok("Authorization URL created", data))
}

fn parse(request: Request, now: OffsetDateTime) -> Result<CardPayment, Refusal> {
    let email = request.email.unwrap_or_default();
    if !email.contains('@') || email.contains(char::is_whitespace) {
        return Err(Refusal::invalid("invalid_email_address", "Invalid Email Address Passed"));
    }
    let amount = match &request.amount {
        Some(Value::Number(number)) => number.as_u64(),
        Some(Value::String(text)) => text.parse().ok(),
        _ => None,
    };
    let amount = amount
        .filter(|amount| (1..=100_000_000_000).contains(amount))
        .ok_or_else(|| Refusal::invalid("invalid_amount", "Invalid Amount Sent"))?;
    let currency = request.currency.unwrap_or_else(|| "KES".to_owned());
    if currency != "KES" {
        let message = "Currency not supported by merchant";
        return Err(Refusal::invalid("unsupported_currency", message));
    }
    let can_pay = |channels: &Vec<String>| channels.iter().any(|channel| channel == "card");
    if !request.channels.as_ref().is_none_or(can_pay) {
        return Err(Refusal::invalid("invalid_channels", "No active channel"));
    }
    let reference = request
        .reference
        .unwrap_or_else(|| format!("T{}", rand::random_range(100_000_000_000_000..u64::MAX)));
    let plain = |c: char| c.is_ascii_alphanumeric() || "-.=".contains(c);
    if reference.is_empty() || reference.len() > 100 || !reference.chars().all(plain) {
        return Err(Refusal::invalid("invalid_reference", "Invalid transaction reference"));
    }
    Ok(CardPayment {
        id: new_id(),
        reference,
        access_code: hex::encode(rand::random::<[u8; 8]>()),
        email,
        requested_cents: amount,
        amount_cents: amount,
        fee_cents: 0,
        currency,
        callback_url: request.callback_url.unwrap_or_default(),
        metadata: request.metadata,
        status: CardStatus::Abandoned,
        response: "The transaction was not completed".to_owned(),
        created_at: now,
        paid_at: None,
        refunds: Vec::new(),
        dispute: None,
    })
}

/// `GET /transaction/verify/{reference}`. `status: true` only means that the call worked.
pub(super) async fn verify(
    State(world): State<Shared>,
    headers: HeaderMap,
    Path(reference): Path<String>,
) -> Result<Json<Value>, Refusal> {
    authorize(&world, &headers)?;
    let found = world.read(|state| state.card(&reference).map(view));
    found.map(|data| ok("Verification successful", data)).ok_or_else(|| {
        Refusal::invalid("transaction_not_found", "Transaction reference not found.")
    })
}

#[derive(Deserialize)]
pub(super) struct Listing {
    from: Option<String>,
    to: Option<String>,
    page: Option<usize>,
    #[serde(rename = "perPage")]
    per_page: Option<usize>,
    status: Option<String>,
}

/// `GET /transaction`: transactions, newest first.
pub(super) async fn list(
    State(world): State<Shared>,
    headers: HeaderMap,
    Query(listing): Query<Listing>,
) -> Result<Json<Value>, Refusal> {
    authorize(&world, &headers)?;
    let (from, to) = (time_of(listing.from)?, time_of(listing.to)?);
    let per_page = listing.per_page.unwrap_or(50).clamp(1, MAX_PER_PAGE);
    let page = listing.page.unwrap_or(1).max(1);
    let found: Vec<Value> = world.read(|state| {
        let cards = state.cards.iter().rev().filter(|card| {
            from.is_none_or(|from| card.created_at >= from)
                && to.is_none_or(|to| card.created_at <= to)
                && listing.status.as_ref().is_none_or(|status| json!(card.status) == *status)
        });
        cards.map(view).collect()
    });
    let total = found.len();
    let data: Vec<Value> = found.into_iter().skip((page - 1) * per_page).take(per_page).collect();
    Ok(Json(json!({
        "status": true,
        "message": "Transactions retrieved",
        "data": data,
        "meta": {
            "total": total,
            "skipped": (page - 1) * per_page,
            "perPage": per_page,
            "page": page,
            "pageCount": total.div_ceil(per_page),
        },
    })))
}

/// Parses a time, or a day, which begins at midnight UTC.
fn time_of(text: Option<String>) -> Result<Option<OffsetDateTime>, Refusal> {
    let parse = |text: String| {
        let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text };
        OffsetDateTime::parse(&whole, &Rfc3339)
            .map_err(|_| Refusal::invalid("invalid_params", "Invalid date passed"))
    };
    text.map(parse).transpose()
}

/// A transaction as Paystack shows it.
pub(super) fn view(card: &CardPayment) -> Value {
    let is_paid = card.paid_at.is_some();
    json!({
        "id": card.id,
        "domain": "test",
        "status": card.status,
        "reference": card.reference,
        "receipt_number": null,
        "amount": card.amount_cents,
        "requested_amount": card.requested_cents,
        "message": null,
        "gateway_response": card.response,
        "paid_at": card.paid_at.map(clock::zoned),
        "created_at": clock::zoned(card.created_at),
        "channel": "card",
        "currency": card.currency,
        "ip_address": "127.0.0.1",
        "metadata": card.metadata,
        "fees": is_paid.then_some(card.fee_cents),
        "authorization": if is_paid { authorization(card) } else { json!({}) },
        "customer": customer(card),
        "plan": null,
    })
}

pub(super) fn customer(card: &CardPayment) -> Value {
    json!({
        "id": card.id + 1,
        "first_name": null,
        "last_name": null,
        "email": card.email,
        "customer_code": format!("CUS_{}", card.access_code),
        "phone": null,
        "metadata": null,
        "risk_action": "default",
    })
}

fn authorization(card: &CardPayment) -> Value {
    json!({
        "authorization_code": format!("AUTH_{}", card.access_code),
        "bin": "408408",
        "last4": "4081",
        "exp_month": "12",
        "exp_year": "2030",
        "channel": "card",
        "card_type": "visa",
        "bank": "TEST BANK",
        "country_code": "KE",
        "brand": "visa",
        "reusable": true,
        "signature": format!("SIG_{}", card.access_code),
        "account_name": null,
    })
}

pub(super) fn new_id() -> u64 {
    rand::random_range(4_000_000_000..9_000_000_000)
}
