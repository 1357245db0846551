//! Calls to an upstream: traced, with the rest of the deadline and the player's token,
//! spread over its replicas, repeated within a budget, and stopped by a breaker.

mod breaker;
mod connection;
mod load;
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
    header::{ACCEPT_LANGUAGE, AUTHORIZATION},
    uri::{Authority, Scheme},
};
use proto::{Access, Priority, Rpc};
use tokio::time::{Instant, timeout_at};
use tonic::{Code, Status, body::Body};
use tonic_tracing_opentelemetry::middleware::client::{OtelGrpcLayer, OtelGrpcService};
use tower::{Layer, Service};
use types::{Language, Rng};

use self::{
    breaker::Breaker,
    load::Load,
    metrics::CallMetrics,
    replicas::{Replicas, SendFailure},
    retry::{Repeatable, Retries},
};
use crate::{
    Fault,
    call::{Call, format_timeout, parse_timeout},
    fault::{NotSent, is_overload, is_refusal, was_sent},
    tls::Certificates,
};

const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
/// A call that had less time than this and exceeded it says nothing about its upstream.
const ENOUGH_TIME: Duration = Duration::from_secs(1);

/// An upstream, as generated clients take it. Cheap to clone.
#[derive(Clone)]
pub struct Upstream {
    traced: OtelGrpcService<Outgoing>,
    outgoing: Outgoing,
}

impl Upstream {
    /// See [`Outgoing::has_room`].
    pub fn has_room(&self, priority: Priority) -> bool {
        self.outgoing.has_room(priority)
    }
}

impl Service<Request<Body>> for Upstream {
    type Response = <OtelGrpcService<Outgoing> as Service<Request<Body>>>::Response;
    type Error = <OtelGrpcService<Outgoing> as Service<Request<Body>>>::Error;
    type Future = <OtelGrpcService<Outgoing> as Service<Request<Body>>>::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.traced.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.traced.call(request)
    }
}

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
    let outgoing = connect_untraced(urls, callee, certificates, rng)?;
    Ok(Upstream { traced: OtelGrpcLayer.layer(outgoing.clone()), outgoing })
}

/// Connects without spans, for tests that send a trace of their own.
pub fn connect_untraced(
    urls: &str,
    callee: &'static str,
    certificates: Certificates,
    rng: Rng,
) -> anyhow::Result<Outgoing> {
    let inner = Inner {
        replicas: Replicas::at(urls, callee, certificates, rng.clone())?,
        authority: Authority::from_static(callee),
        load: Load::new(callee),
        breaker: Breaker::new(callee),
        retries: Retries::new(callee, rng),
        metrics: CallMetrics::new(callee),
    };
    Ok(Outgoing(Arc::new(inner)))
}

type CallResult = Result<Response<Body>, Status>;

/// Makes the calls to an upstream. One service with one future a call, because each separate layer
/// would cost a boxed future.
#[derive(Clone)]
pub struct Outgoing(Arc<Inner>);

struct Inner {
    replicas: Replicas,
    authority: Authority,
    load: Load,
    breaker: Breaker,
    retries: Retries,
    metrics: CallMetrics,
}

impl Outgoing {
    /// Whether the upstream is likely to accept a call of this priority. A caller that asks
    /// can refuse its own caller before the call has cost anything.
    pub fn has_room(&self, priority: Priority) -> bool {
        self.0.load.has_room(priority)
    }
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
    async fn call(&self, mut request: Request<Body>, call: &Call) -> CallResult {
        let rpc = Rpc::of(request.uri().path());
        self.prepare(&mut request, call, rpc);
        self.retries.count_call();
        if !rpc.is_some_and(|rpc| rpc.repeatable) {
            return self.attempt(rpc, request, call.deadline).await;
        }
        let repeatable = Repeatable::new(request).await?;
        let mut repetitions = 0;
        let mut sent = None;
        loop {
            let outcome = self.attempt(rpc, repeatable.request(), call.deadline).await;
            if let Err(status) = &outcome
                && !was_sent(status)
            {
                // An earlier attempt may have been received.
                return sent.unwrap_or(outcome);
            }
            if !is_outage(&outcome) {
                return outcome;
            }
            let Some(pause) = self.retries.repeat(repetitions, call.deadline) else {
                return outcome;
            };
            tokio::time::sleep(pause).await;
            sent = Some(outcome);
            repetitions += 1;
        }
    }

    /// Makes one attempt, whose end the breaker counts.
    async fn attempt(
        &self,
        rpc: Option<&Rpc>,
        request: Request<Body>,
        deadline: Instant,
    ) -> CallResult {
        // A health check says little about calls, so it neither needs the breaker nor moves it.
        let permit = match rpc {
            Some(_) => Some(self.breaker.permit().ok_or_else(not_sent)?),
            None => None,
        };
        let enough_time = deadline.saturating_duration_since(Instant::now()) >= ENOUGH_TIME;
        let in_flight = self.load.start();
        let outcome = match timeout_at(deadline, self.replicas.send(request, deadline)).await {
            Ok(Ok(response)) => Ok(response.map(Body::new)),
            // Not reported to the breaker: the replicas are watched by themselves, and the first
            // that is back gets calls at once.
            Ok(Err(SendFailure::OutOfReach)) => return Err(not_sent()),
            Ok(Err(SendFailure::Lost(cause))) => {
                return Err(Status::unavailable(format!("the connection broke: {cause}")));
            }
            Err(_) => Err(Status::deadline_exceeded("no reply before the deadline")),
        };
        match &outcome {
            Ok(response) if is_overload(response.headers()) => {
                self.load.refused(rpc.map_or(Priority::Low, |rpc| rpc.priority));
            }
            Ok(_) => self.load.accepted(),
            Err(_) => {}
        }
        drop(in_flight);
        // A call that had no time says nothing, so its permit is dropped without a report.
        if let Some(permit) = permit
            && (outcome.is_ok() || enough_time)
        {
            permit.report(outcome.is_err() || is_outage(&outcome));
        }
        outcome
    }

    /// Adds the name of the upstream, the rest of the deadline and the player's language; also their
    /// token, unless the RPC is for services.
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
        if call.language != Language::default() {
            headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static(call.language.tag()));
        }
        let for_player = rpc.is_some_and(|rpc| {
            matches!(rpc.access, Access::Guest | Access::Player | Access::Active)
        });
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

/// Whether the upstream failed in a way that another attempt may not meet. A refusal is a
/// reply of an upstream that works, whatever its code.
fn is_outage(outcome: &CallResult) -> bool {
    let refused = outcome.as_ref().is_ok_and(|response| is_refusal(response.headers()));
    code_of(outcome) == Code::Unavailable && !refused
}

/// The code of a reply; `Ok` while it goes on. A failure without a message is a reply of
/// headers only.
fn code_of(outcome: &CallResult) -> Code {
    match outcome {
        Ok(response) => {
            let status = response.headers().get("grpc-status");
            status.map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
        }
        Err(status) => status.code(),
    }
}
