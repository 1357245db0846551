//! Lets a call suffer the fault that was ordered for it.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::stream;

use super::refusal::Refusal;
use crate::clock;
use crate::world::fault::{Call, Fault, FaultKind, Provider};
use crate::world::state::Fact;
use crate::world::{Shared, World};

pub(super) async fn suffer(State(world): State<Shared>, request: Request, next: Next) -> Response {
    let Some(fault) = fault_for(&world, request.uri().path()).await else {
        return next.run(request).await;
    };
    tracing::info!(kind = ?fault.kind, left = fault.count - 1, "daraja.fault");
    match fault.kind {
        FaultKind::Down => hang_up(),
        FaultKind::Spike => Refusal::spike_arrest().into_response(),
        FaultKind::Http500 => {
            next.run(request).await;
            Refusal::internal().into_response()
        }
        FaultKind::Slow => {
            let reply = next.run(request).await;
            world.wait_until(clock::now() + Duration::from_millis(fault.delay_ms)).await;
            reply
        }
    }
}

async fn fault_for(world: &World, path: &str) -> Option<Fault> {
    let call = if path.ends_with("/stkpush/v1/processrequest") {
        Call::Stkpush
    } else if path.ends_with("/stkpushquery/v1/query") {
        Call::Stkquery
    } else if path.ends_with("/oauth/v1/generate") {
        Call::Token
    } else {
        return None;
    };
    // Looked at before it is taken, so that calls without trouble change nothing.
    world.read(|state| state.strike(Provider::Daraja, call))?;
    world
        .change(|state| {
            Ok::<_, Infallible>(match state.strike(Provider::Daraja, call) {
                Some((fault, left)) => (vec![Fact::Faults(left)], Some(fault)),
                None => (Vec::new(), None),
            })
        })
        .await
        .unwrap_or_else(|never| match never {})
}

/// Closes the connection: a reply whose body fails before its first byte makes
/// the server drop the connection with the head still unsent.
fn hang_up() -> Response {
    let cut = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    Response::new(Body::from_stream(stream::iter([Err::<Vec<u8>, _>(cut)])))
}
