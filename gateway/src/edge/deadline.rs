//! How long a call may take, in all: what is left of it goes on every hop.
//!
//! Around the judging of its token too, which may have to wait for svc-auth's
//! keys. Of a live stream it is the opening; what is streamed comes after.

use axum::{
    Extension,
    extract::{Request, State},
    http::header::AUTHORIZATION,
    middleware::Next,
    response::Response,
};
use mesh::{Fault, call::Call};

use super::refuse;
use crate::{
    Gateway,
    surface::{Class, Route},
};

/// Runs what is within as a call of the mesh, for whoever sent the token.
pub async fn keep(
    State(gateway): State<Gateway>,
    Extension(route): Extension<&'static Route>,
    request: Request,
    next: Next,
) -> Response {
    let limit = match route.class {
        Class::Upload => gateway.args().media.upload_limit,
        _ => gateway.args().call_limit,
    };
    let call = Call::new(limit, request.headers().get(AUTHORIZATION));
    // Covers what the rpc's own clock does not: a body that dribbles in.
    match tokio::time::timeout_at(call.deadline, call.run(next.run(request))).await {
        Ok(response) => response,
        Err(_) => refuse(route, Fault::deadline_exceeded()),
    }
}
