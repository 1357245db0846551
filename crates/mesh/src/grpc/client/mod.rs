//! Calls to an upstream: traced, with the rest of the deadline and the player's token,
//! spread over its replicas, repeated within a budget, and stopped by a breaker.

mod breaker;
mod connection;
mod metrics;
mod replicas;
mod retry;

use std::{
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::future::BoxFuture;
use http::{
    HeaderName, HeaderValue, Request, Response, Uri,
    header::AUTHORIZATION,
    uri::{Authority, Scheme},
};
use proto::{Access, Rpc};
use tokio::time::{Instant, timeout_at};
use tonic::{Code, Status, body::Body};
use tonic_tracing_opentelemetry::middleware::client::{OtelGrpcLayer, OtelGrpcService};
use tower::{Layer, Service};
use types::Rng;

use self::{
    breaker::Breaker,
    metrics::CallMetrics,
    replicas::{Replicas, SendFailure},
    retry::{Repeatable, Retries},
};
use crate::{
    Fault,
    call::{Call, format_timeout, parse_timeout},
    fault::{NotSent, was_sent},
    tls::Certificates,
};

const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
/// A call with less time than this says nothing about its upstream when it exceeds it.
const FAIR_LIMIT: Duration = Duration::from_secs(1);

/// An upstream, as generated clients take it. Cheap to clone.
pub type Upstream = OtelGrpcService<Outgoing>;

/// An upstream at a comma-separated list of URLs. Connections are opened in the
/// background, so services start in any order.
///
/// Use [`Base::upstream`](crate::Base::upstream), which checks that there is an edge.
pub fn connect(
    urls: &str,
    callee: &'static str,
    certificates: Certificates,
    rng: Rng,
) -> anyhow::Result<Upstream> {
    let replicas = Replicas::at(urls, callee, certificates, rng.clone())?;
    let inner = Inner {
        replicas,
        authority: Authority::from_static(callee),
        breaker: Breaker::new(callee),
        retries: Retries::new(callee, rng),
        metrics: CallMetrics::new(callee),
    };
    Ok(OtelGrpcLayer.layer(Outgoing(Arc::new(inner))))
}

type Outcome = Result<Response<Body>, Status>;

/// One service with one future a call, because each layer of its own costs a boxed future.
#[derive(Clone)]
pub struct Outgoing(Arc<Inner>);

struct Inner {
    replicas: Replicas,
    authority: Authority,
    breaker: Breaker,
    retries: Retries,
    metrics: CallMetrics,
}

impl Service<Request<Body>> for Outgoing {
    type Response = Response<Body>;
    type Error = Status;
    type Future = BoxFuture<'static, Result<Self::Response, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let inner = Arc::clone(&self.0);
        Box::pin(async move {
            let (started, call) = (Instant::now(), Call::current());
            let outcome = inner.call(request, &call).await;
            inner.metrics.record(code_of(&outcome), started);
            outcome
        })
    }
}

impl Inner {
    async fn call(&self, mut request: Request<Body>, call: &Call) -> Outcome {
        let rpc = Rpc::of(request.uri().path());
        self.prepare(&mut request, call, rpc);
        self.retries.count_call();
        if !rpc.is_some_and(|rpc| rpc.repeatable) {
            return self.attempt(request, call.deadline).await;
        }
        let repeatable = Repeatable::new(request).await?;
        let mut repetitions = 0;
        loop {
            let outcome = self.attempt(repeatable.request(), call.deadline).await;
            let was_sent = outcome.as_ref().map_or_else(was_sent, |_| true);
            if code_of(&outcome) != Code::Unavailable || !was_sent {
                return outcome;
            }
            let Some(pause) = self.retries.repeat(repetitions, call.deadline) else {
                return outcome;
            };
            tokio::time::sleep(pause).await;
            repetitions += 1;
        }
    }

    /// One try, whose end the breaker counts.
    async fn attempt(&self, request: Request<Body>, deadline: Instant) -> Outcome {
        let Some(permit) = self.breaker.permit() else { return Err(not_sent()) };
        let fair = deadline.saturating_duration_since(Instant::now()) >= FAIR_LIMIT;
        let outcome = match timeout_at(deadline, self.replicas.send(request)).await {
            Ok(Ok(response)) => Ok(response.map(Body::new)),
            // The replicas are watched by themselves, and the first that is back gets calls
            // at once.
            Ok(Err(SendFailure::OutOfReach)) => return Err(not_sent()),
            Ok(Err(SendFailure::Lost(cause))) => {
                Err(Status::unavailable(format!("the connection broke: {cause}")))
            }
            Err(_) => Err(Status::deadline_exceeded("no reply before the deadline")),
        };
        permit.report(match code_of(&outcome) {
            Code::Unavailable => true,
            Code::DeadlineExceeded => fair,
            _ => false,
        });
        outcome
    }

    /// Adds the name of the upstream, the rest of the deadline and the player's token,
    /// unless the RPC is for services.
    fn prepare(&self, request: &mut Request<Body>, call: &Call, rpc: Option<&Rpc>) {
        let mut uri = std::mem::take(request.uri_mut()).into_parts();
        (uri.scheme, uri.authority) = (Some(Scheme::HTTPS), Some(self.authority.clone()));
        // Fails only without a path, and generated clients give one.
        *request.uri_mut() = Uri::from_parts(uri).unwrap_or_default();
        let headers = request.headers_mut();
        let own = headers.get(GRPC_TIMEOUT).and_then(|value| parse_timeout(value.to_str().ok()?));
        let left = own.map_or(call.left(), |own| own.min(call.left()));
        if let Ok(left) = HeaderValue::from_str(&format_timeout(left)) {
            headers.insert(GRPC_TIMEOUT, left);
        }
        let for_player =
            rpc.is_some_and(|rpc| matches!(rpc.access, Access::Guest | Access::Player));
        if !for_player {
            headers.remove(AUTHORIZATION);
        } else if let Some(authorization) = &call.authorization
            && !headers.contains_key(AUTHORIZATION)
        {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
    }
}

/// The status of a call that was held back.
fn not_sent() -> Status {
    let mut status = Status::from(Fault::unavailable());
    status.set_source(Arc::new(NotSent));
    status
}

/// The code of a reply; `Ok` while it goes on. A failure without a message is a reply of
/// headers only.
fn code_of(outcome: &Outcome) -> Code {
    match outcome {
        Ok(response) => {
            let status = response.headers().get("grpc-status");
            status.map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
        }
        Err(status) => status.code(),
    }
}
