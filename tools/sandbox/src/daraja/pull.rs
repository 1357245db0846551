//! The list of payments received, in which a business finds payments whose callbacks it has missed.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::validate::{self, Fields};
use super::{ids, token};
use crate::clock;
use crate::config::Merchant;
use crate::world::Shared;
use crate::world::msisdn::Msisdn;
use crate::world::state::Received;

/// Most payments in one reply.
const PAGE: usize = 100;

/// `POST pulltransactions/v1/register`
pub(super) async fn register(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    token::check(&world, &headers)?;
    let fields = Fields::parse(&body)?;
    let code = own_short_code(&fields, &world.merchant)?;
    fields.parse_field("RequestType", |kind| (kind == "Pull").then_some(()))?;
    fields.parse_field("NominatedNumber", Msisdn::lenient)?;
    fields.parse_field("CallBackURL", validate::callback_url)?;
    Ok(Json(json!({
        "ResponseRefID": ids::request_id(),
        "ResponseStatus": "1000",
        "ShortCode": code,
        "ResponseDescription": "ShortCode Registered Successfully",
    })))
}

/// `POST pulltransactions/v1/query`: payments by STK push, oldest first, without those
/// outside the period.
pub(super) async fn query(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    token::check(&world, &headers)?;
    let fields = Fields::parse(&body)?;
    own_short_code(&fields, &world.merchant)?;
    let from = fields.parse_field("StartDate", clock::parse_dashed)?;
    let to = fields.parse_field("EndDate", clock::parse_dashed)?;
    let offset: usize = fields.parse_field("OffSetValue", |text| text.parse().ok())?;
    let found: Vec<Value> = world.read(|state| {
        let lines = state.book.iter().filter(|line| (from..=to).contains(&line.at));
        lines.skip(offset).take(PAGE).map(|line| view(line, &world.merchant)).collect()
    });
    Ok(Json(json!({
        "ResponseRefID": ids::request_id(),
        "ResponseCode": if found.is_empty() { "1001" } else { "1000" },
        "ResponseMessage": if found.is_empty() { "No transactions found" } else { "Success" },
        "Response": [found],
    })))
}

fn own_short_code(fields: &Fields, merchant: &Merchant) -> Result<String, Refusal> {
    let code = fields.parse_field("ShortCode", validate::short_code)?;
    if code == merchant.short_code { Ok(code) } else { Err(Refusal::UnknownMerchant) }
}

fn view(line: &Received, merchant: &Merchant) -> Value {
    json!({
        "transactionId": line.receipt,
        "trxDate": clock::zoned(line.at),
        "msisdn": line.msisdn.to_string().parse::<u64>().unwrap_or_default(),
        "sender": "MPESA",
        "transactiontype": "c2b-pay-bill-debit",
        "billreference": line.account,
        "amount": format!("{}.00", line.amount),
        "organizationname": merchant.name,
    })
}
