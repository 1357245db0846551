//! Lets a call suffer the fault that was ordered for it: what all providers'
//! wires have in common.

use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use futures_util::stream;

use crate::clock;
use crate::world::World;
use crate::world::fault::{Call, Fault, FaultKind, Provider};
use crate::world::state::Fact;

/// The fault that strikes this call, counted as suffered.
pub(crate) async fn strike(world: &World, provider: Provider, call: Call) -> Option<Fault> {
    // Looked at before it is taken, so that calls without trouble change nothing.
    world.read(|state| state.strike(provider, call))?;
    let fault = world
        .update(|state| match state.strike(provider, call) {
            Some((fault, left)) => (vec![Fact::Faults(left)], Some(fault)),
            None => (Vec::new(), None),
        })
        .await?;
    tracing::info!(?provider, ?call, kind = ?fault.kind, left = fault.count - 1, "fault");
    Some(fault)
}

/// Lets an HTTP call suffer. `refusal` is the provider's own way to say that it
/// broke: after the call was carried out for `http500`, instead of it otherwise.
pub(crate) async fn suffer(
    world: &World,
    fault: &Fault,
    refusal: Response,
    request: Request,
    next: Next,
) -> Response {
    match fault.kind {
        FaultKind::Down => hang_up(),
        FaultKind::Spike | FaultKind::Unauthorized | FaultKind::Refuse => refusal,
        FaultKind::Http500 => {
            next.run(request).await;
            refusal
        }
        FaultKind::Slow => {
            let reply = next.run(request).await;
            delay(world, fault).await;
            reply
        }
    }
}

/// Waits as long as a slow reply takes, or until the sandbox stops.
pub(crate) async fn delay(world: &World, fault: &Fault) {
    world.wait_until(clock::now() + Duration::from_millis(fault.delay_ms)).await;
}

/// Closes the connection: a reply whose body fails before its first byte makes
/// the server drop the connection with the head still unsent.
fn hang_up() -> Response {
    let cut = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    Response::new(Body::from_stream(stream::iter([Err::<Vec<u8>, _>(cut)])))
}
