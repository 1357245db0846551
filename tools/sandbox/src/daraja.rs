//! Safaricom Daraja, as far as PlayOn calls it, on its real paths.
//!
//! Formats, codes and quirks follow the official portal and what developers have
//! reported of the real service; README.md lists what is from memory.

pub(crate) mod b2c;
mod callback;
mod ids;
pub(crate) mod initiator;
mod limits;
pub(crate) mod prompt;
mod pull;
mod queries;
mod refusal;
mod result;
mod stk;
mod token;
mod validate;

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::fault_injection::{self, Target};
use crate::world::Shared;
use crate::world::fault::{Call, FaultKind, Provider};
use refusal::Refusal;

const TOKEN: &str = "/oauth/v1/generate";
const STK_PUSH: &str = "/mpesa/stkpush/v1/processrequest";
const STK_QUERY: &str = "/mpesa/stkpushquery/v1/query";

const B2C: &str = "/mpesa/b2c/v3/paymentrequest";
const STATUS: &str = "/mpesa/transactionstatus/v1/query";
const REVERSAL: &str = "/mpesa/reversal/v1/request";
const BALANCE: &str = "/mpesa/accountbalance/v1/query";
const PULL_REGISTER: &str = "/pulltransactions/v1/register";
const PULL_QUERY: &str = "/pulltransactions/v1/query";

/// The routes below `/daraja`.
pub(crate) fn routes(world: Shared) -> Router<Shared> {
    let faults = Target { world, provider: Provider::Daraja, call, error };
    Router::new()
        .route(TOKEN, get(token::generate))
        .route(STK_PUSH, post(stk::process_request))
        .route(STK_QUERY, post(stk::query))
        .route(B2C, post(b2c::payment_request))
        .route(STATUS, post(queries::status))
        .route(REVERSAL, post(queries::reversal))
        .route(BALANCE, post(queries::balance))
        .route(PULL_REGISTER, post(pull::register))
        .route(PULL_QUERY, post(pull::query))
        .method_not_allowed_fallback(async || Refusal::MethodNotAllowed)
        .fallback(async || Refusal::NotFound)
        .layer(from_fn_with_state(faults, fault_injection::inject))
}

/// `GET /mpesa/certificate.pem`: the certificate for `SecurityCredential`. The real certificates
/// are downloaded from the portal.
pub(crate) async fn certificate() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/x-pem-file")], initiator::CERTIFICATE)
}

fn call(path: &str) -> Option<Call> {
    match path {
        TOKEN => Some(Call::Token),
        STK_PUSH => Some(Call::Stkpush),
        STK_QUERY => Some(Call::Stkquery),
        B2C => Some(Call::B2c),
        STATUS => Some(Call::Status),
        REVERSAL => Some(Call::Reversal),
        BALANCE => Some(Call::Balance),
        PULL_REGISTER | PULL_QUERY => Some(Call::Pull),
        _ => None,
    }
}

fn error(kind: FaultKind) -> Response {
    match kind {
        FaultKind::Spike => Refusal::SpikeArrest.into_response(),
        FaultKind::Unauthorized => (StatusCode::UNAUTHORIZED, "Unauthorized").into_response(),
        _ => Refusal::Internal.into_response(),
    }
}
