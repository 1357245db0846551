//! Checks of every inbound call: its caller, the calls in flight, and how long it may run.

use std::{
    convert::Infallible,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::future::BoxFuture;
use http::{HeaderMap, Request, Response, header::AUTHORIZATION};
use metrics::counter;
use proto::{Access, Rpc};
use tokio::time::{Instant, timeout_at};
use tonic::body::Body;
use tower::{Layer, Service};
use tracing::warn;

use super::{
    methods::Methods,
    shedding::{Capacity, CapacityPermit},
};
use crate::{
    Fault,
    auth::{Caller, Verifier},
    call::{Call, DEFAULT_LIMIT, parse_timeout},
    edges,
    fault::refusal,
    language::language_of,
    tls::Peer,
};

/// The longest deadline that a caller can set.
const LIMIT_MAX: Duration = Duration::from_mins(1);

/// The checks and limits around the calls of a service.
pub(crate) struct Guard {
    pub(crate) verifier: Verifier,
    /// Most calls at the same time (`MAX_CALLS`).
    pub(crate) capacity: usize,
}

#[derive(Clone)]
pub(super) struct CallLayer(Arc<Inner>);

struct Inner {
    verifier: Verifier,
    capacity: Capacity,
    methods: Methods,
}

impl CallLayer {
    pub(super) fn new(Guard { verifier, capacity }: Guard) -> Self {
        let capacity = Capacity::new(capacity);
        Self(Arc::new(Inner { verifier, capacity, methods: Methods::default() }))
    }
}

impl<S> Layer<S> for CallLayer {
    type Service = CallService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        CallService { inner, layer: Arc::clone(&self.0) }
    }
}

/// Checks the caller, limits what is in flight, ends the call at its deadline, and records
/// the outcome.
#[derive(Clone)]
pub(super) struct CallService<S> {
    inner: S,
    layer: Arc<Inner>,
}

impl<S, B> Service<Request<B>> for CallService<S>
where
    S: Service<Request<B>, Response = Response<axum::body::Body>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response<axum::body::Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let fresh = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, fresh);
        let layer = Arc::clone(&self.layer);
        Box::pin(async move {
            let started = Instant::now();
            // Cloning a URI copies no text.
            let uri = request.uri().clone();
            let call = call_of(request.headers());
            let deadline = call.deadline;
            let work = call.run(async {
                let _permit = match layer.admit(&mut request).await {
                    Ok(permit) => permit,
                    Err(fault) => return Ok(refuse(fault)),
                };
                inner.call(request).await
            });
            let response = match timeout_at(deadline, work).await {
                Ok(response) => response?,
                Err(_) => refuse(Fault::deadline_exceeded()),
            };
            layer.methods.record(uri.path(), response.headers(), started);
            Ok(response)
        })
    }
}

impl Inner {
    /// Adds the [`Caller`] to the request's extensions, unless the call is refused. Nothing of the
    /// request's message is read before this.
    async fn admit<B>(&self, request: &mut Request<B>) -> Result<CapacityPermit, Fault> {
        let rpc = Rpc::of(request.uri().path()).ok_or_else(Fault::unimplemented)?;
        let peer = peer_of(request, rpc)?;
        let permit = self.capacity.acquire(rpc.priority).ok_or_else(Fault::overloaded)?;
        if rpc.access == Access::Operator {
            let certificate = peer.operator.as_deref().ok_or_else(Fault::forbidden)?;
            let operator = self.verifier.admit(certificate, rpc).await?;
            request.extensions_mut().insert(operator);
        }
        let caller = self.caller(peer.name, rpc, request.headers()).await?;
        request.extensions_mut().insert(caller);
        Ok(permit)
    }

    async fn caller(
        &self,
        peer: &'static str,
        rpc: &Rpc,
        headers: &HeaderMap,
    ) -> Result<Caller, Fault> {
        match rpc.access {
            Access::Service | Access::Operator => return Ok(Caller::Service(peer)),
            Access::Guest | Access::Player | Access::Active => {}
            Access::Unspecified => return Err(Fault::forbidden()),
        }
        let authorization = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let caller = self.verifier.verify(authorization).await;
        if matches!(rpc.access, Access::Player | Access::Active) {
            let player = caller.player()?;
            if rpc.access == Access::Active {
                player.check_break(self.verifier.now())?;
            }
        }
        Ok(caller)
    }
}

/// The process that calls, if it has an edge to the RPC's service.
fn peer_of<B>(request: &Request<B>, rpc: &Rpc) -> Result<Peer, Fault> {
    let peer = request.extensions().get::<Peer>();
    match peer {
        Some(peer) if edges::allow(peer.name, rpc.service()) => Ok(peer.clone()),
        _ => {
            let caller = peer.map_or("none", |peer| peer.name);
            counter!("rpc_server_forbidden_total", "caller" => caller).increment(1);
            warn!(caller, rpc = rpc.path, "refused a call without an edge");
            Err(Fault::forbidden())
        }
    }
}

fn refuse(fault: Fault) -> Response<axum::body::Body> {
    refusal(fault).into_http::<Body>().map(axum::body::Body::new)
}

fn call_of(headers: &HeaderMap) -> Call {
    let limit = headers
        .get("grpc-timeout")
        .and_then(|value| value.to_str().ok())
        .and_then(parse_timeout)
        .unwrap_or(DEFAULT_LIMIT);
    Call::new(limit.min(LIMIT_MAX), headers.get(AUTHORIZATION)).in_language(language_of(headers))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_caller_cannot_set_a_deadline_beyond_the_limit() {
        let mut headers = HeaderMap::new();
        headers.insert("grpc-timeout", HeaderValue::from_static("24H"));
        assert!(call_of(&headers).left() <= LIMIT_MAX);
        headers.insert("grpc-timeout", HeaderValue::from_static("2S"));
        assert!(call_of(&headers).left() <= Duration::from_secs(2));
    }
}
