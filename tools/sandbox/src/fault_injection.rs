//! Fault injection: applies the faults that a test has ordered to the calls of
//! all providers.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::stream;

use crate::clock;
use crate::world::fault::{Call, Fault, FaultKind, Provider};
use crate::world::state::Fact;
use crate::world::{Shared, World};

/// The HTTP calls of one provider, for [`inject`].
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) world: Shared,
    pub(crate) provider: Provider,
    /// The call behind a path below the provider's prefix; faults skip other paths.
    pub(crate) call: fn(&str) -> Option<Call>,
    /// The provider's own error reply.
    pub(crate) error: fn(FaultKind) -> Response,
}

/// Middleware: applies the fault that is ordered for the call, if there is one.
pub(crate) async fn inject(State(target): State<Target>, request: Request, next: Next) -> Response {
    let Target { world, provider, call, error } = target;
    let call = call(request.uri().path());
    match call.and_then(|call| match_fault(&world, provider, call)) {
        Some(fault) => apply_fault(&world, &fault, error(fault.kind), request, next).await,
        None => next.run(request).await,
    }
}

/// Takes the fault that is ordered for this call and counts it down.
pub(crate) fn match_fault(world: &World, provider: Provider, call: Call) -> Option<Fault> {
    let fault = world.update(|state| match state.match_fault(provider, call) {
        Some((fault, left)) => (vec![Fact::Faults(left)], Some(fault)),
        None => (Vec::new(), None),
    })?;
    tracing::info!(?provider, ?call, kind = ?fault.kind, left = fault.count - 1, "fault");
    Some(fault)
}

async fn apply_fault(
    world: &World,
    fault: &Fault,
    error: Response,
    request: Request,
    next: Next,
) -> Response {
    match fault.kind {
        FaultKind::Down => reset_connection(),
        FaultKind::Spike | FaultKind::Unauthorized | FaultKind::Refuse => error,
        FaultKind::Http500 => {
            next.run(request).await;
            error
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

/// A reply whose body fails before its first byte: the server closes the
/// connection with the head still unsent.
fn reset_connection() -> Response {
    let error = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
    Response::new(Body::from_stream(stream::iter([Err::<Vec<u8>, _>(error)])))
}
