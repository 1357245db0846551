//! Which calls of Daraja can be troubled, and how it says that it is.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;
use crate::trouble;
use crate::world::Shared;
use crate::world::fault::{Call, FaultKind, Provider};

pub(super) async fn suffer(State(world): State<Shared>, request: Request, next: Next) -> Response {
    let Some(call) = call_of(request.uri().path()) else {
        return next.run(request).await;
    };
    let Some(fault) = trouble::strike(&world, Provider::Daraja, call).await else {
        return next.run(request).await;
    };
    let refusal = match fault.kind {
        FaultKind::Spike => Refusal::spike_arrest().into_response(),
        FaultKind::Unauthorized => (StatusCode::UNAUTHORIZED, "Unauthorized").into_response(),
        _ => Refusal::internal().into_response(),
    };
    trouble::suffer(&world, &fault, refusal, request, next).await
}

fn call_of(path: &str) -> Option<Call> {
    if path.ends_with("/stkpush/v1/processrequest") {
        Some(Call::Stkpush)
    } else if path.ends_with("/stkpushquery/v1/query") {
        Some(Call::Stkquery)
    } else if path.ends_with("/oauth/v1/generate") {
        Some(Call::Token)
    } else {
        None
    }
}
