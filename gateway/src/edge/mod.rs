//! Wraps every handler in one tower service: trace, metrics, security headers, panics, deadline,
//! the caller's identity, rate limits and access.
//!
//! It is one service with one future per call, because each of axum's own layers costs a boxed
//! future and a clone of everything within it. What differs by route is resolved once, as an
//! [`Endpoint`].

mod compression;
mod cross_origin;
mod endpoints;
mod rate;
mod trace;

use std::{
    convert::Infallible,
    panic::AssertUnwindSafe,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    extract::{DefaultBodyLimit, Request},
    response::{IntoResponse as _, Response},
};
use futures_util::{FutureExt as _, future::BoxFuture};
use http::{
    HeaderMap, HeaderValue, Method, StatusCode,
    header::{AUTHORIZATION, EXPECT},
};
use http_body::Body as _;
use mesh::{Fault, auth::Caller, call::Call};
use tokio::time::{Instant, timeout_at};
use tonic::Code;
use tower::{Layer, Service, ServiceExt as _};
use tracing::{Instrument as _, Span};

use self::endpoints::{Endpoint, Endpoints};
use crate::{
    Gateway,
    envelope::Refusal,
    http::client::Client,
    language, live, panic,
    routes::{Access, RateClass},
};

/// How much later than its upstream calls a call itself ends, so that the reply can name the
/// upstream that is late.
const REPLY_TIME: Duration = Duration::from_millis(200);

/// Largest body of a score, in bytes: 64 KiB of inputs in base64, and the ticket.
const SCORE_BODY_LIMIT: usize = 96 << 10;

/// Wraps each route in the edge.
#[derive(Clone)]
pub(crate) struct EdgeLayer(Arc<Edge>);

struct Edge {
    gateway: Gateway,
    endpoints: Endpoints,
}

impl EdgeLayer {
    pub(crate) fn new(gateway: &Gateway) -> Self {
        Self(Arc::new(Edge { gateway: gateway.clone(), endpoints: Endpoints::new() }))
    }
}

impl<S> Layer<S> for EdgeLayer {
    type Service = EdgeService<S>;

    fn layer(&self, inner: S) -> EdgeService<S> {
        EdgeService { edge: Arc::clone(&self.0), inner }
    }
}

/// A route within the edge.
#[derive(Clone)]
pub(crate) struct EdgeService<S> {
    edge: Arc<Edge>,
    inner: S,
}

impl<S> Service<Request> for EdgeService<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let (edge, inner) = (Arc::clone(&self.edge), self.inner.clone());
        let language = mesh::language_of(request.headers());
        Box::pin(language::scope(language, async move { Ok(edge.serve(inner, request).await) }))
    }
}

impl Edge {
    /// Traces and counts a call, and adds the headers that every reply has.
    async fn serve<S>(&self, inner: S, request: Request) -> Response
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send,
        S::Future: Send,
    {
        let started = Instant::now();
        let endpoint = self.endpoints.of(&request);
        let form = ReplyForm::of(endpoint.class, request.headers());
        let accepted = compression::accepted(endpoint, request.headers());
        let span = trace::span(endpoint, request.headers());
        let work = AssertUnwindSafe(self.within_deadline(endpoint, form, inner, request));
        let outcome = work.catch_unwind().instrument(span.clone()).await;
        let response =
            outcome.unwrap_or_else(|panic| form.refuse(panic::fault("a handler", &*panic)));
        let mut response = compression::compress(accepted, response).await;
        trace::finish(&span, &mut response);
        self.gateway.headers().add(response.headers_mut());
        if endpoint.cross_origin {
            cross_origin::add(response.headers_mut());
        }
        endpoint.record(response.status(), started);
        response
    }

    /// Sheds a call for which its service has no capacity, and ends other calls at their deadline,
    /// which includes the verification of the token. For a live stream the deadline covers only the
    /// opening. Upstream calls get the time that is left.
    async fn within_deadline<S>(
        &self,
        endpoint: &Endpoint,
        form: ReplyForm,
        inner: S,
        request: Request,
    ) -> Response
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send,
        S::Future: Send,
    {
        // Shedding comes first, so that a shed call costs next to nothing.
        if !self.gateway.upstreams().have_room(endpoint.upstream, endpoint.priority) {
            return form.refuse(Fault::overloaded());
        }
        let args = self.gateway.args();
        let limit = match endpoint.class {
            RateClass::Upload => args.media.upload_limit,
            _ => args.call_limit,
        };
        let call =
            Call::new(limit, request.headers().get(AUTHORIZATION)).in_language(language::current());
        let deadline = call.deadline + REPLY_TIME;
        let admitted = call.run(self.admit(endpoint, form, inner, request));
        match timeout_at(deadline, admitted).await {
            Ok(response) => endpoint.fields.apply(endpoint.outages.apply(response)),
            Err(_) => form.refuse(endpoint.outages.overdue()),
        }
    }

    /// Passes a call on to its handler, unless a rate limit or the caller's identity
    /// forbids it. The handler finds a [`Caller`] among the request's extensions.
    async fn admit<S>(
        &self,
        endpoint: &Endpoint,
        form: ReplyForm,
        inner: S,
        mut request: Request,
    ) -> Response
    where
        S: Service<Request, Response = Response, Error = Infallible> + Send,
        S::Future: Send,
    {
        let (access, class, rates) = (endpoint.access, endpoint.class, self.gateway.rates());
        let limiter = self.gateway.rate_limiter();
        let limit = match access {
            Access::Session => SCORE_BODY_LIMIT,
            _ => self.gateway.args().body_limit,
        };
        // The length is checked before the call is counted. Clients that do not send `Expect` are
        // answered once they have sent the body.
        if class != RateClass::Upload
            && request.headers().contains_key(EXPECT)
            && request.body().size_hint().lower() > limit as u64
        {
            return form.refuse(Fault::new(Code::InvalidArgument, "BODY_TOO_LARGE"));
        }
        if endpoint.cross_origin && request.method() == Method::OPTIONS {
            return cross_origin::preflight();
        }
        let client = Client::of(&self.gateway, &request);
        let caller = self.identify(access, request.headers()).await;
        // Before it is counted: the token is verified by now, and a window that strangers filled
        // must not hide from a browser that its token has expired.
        if access == Access::Bearer
            && let Err(fault) = caller.player()
        {
            return form.refuse(fault);
        }
        // Counted before the attempt, so that attempts at the same time do not pass together; given
        // back if it does not fail.
        let counted = rate::window(rates, class, caller, client);
        let failures = rate::failure_window(rates, class, caller, client);
        for window in [counted, failures].into_iter().flatten() {
            if let Err(wait) = limiter.count(window).await {
                return form.refuse(rate::refusal(window, wait));
            }
        }
        request.extensions_mut().insert(client);
        request.extensions_mut().insert(caller);
        DefaultBodyLimit::max(limit).apply(&mut request);
        let response = inner.oneshot(request).await.unwrap_or_else(|never| match never {});
        if let Some(window) = failures
            && response.status() != StatusCode::UNAUTHORIZED
        {
            limiter.give_back(window).await;
        }
        if let Some(window) = counted
            && rate::is_given_back(class, response.status())
        {
            limiter.give_back(window).await;
        }
        response
    }

    /// Identifies the caller by the token. Services verify the token again.
    async fn identify(&self, access: Access, headers: &HeaderMap) -> Caller {
        let caller = match access {
            Access::Hook | Access::Public | Access::Session | Access::Anywhere => Caller::Guest,
            Access::Guest | Access::Bearer => {
                let authorization = headers.get(AUTHORIZATION).map(HeaderValue::to_str);
                self.gateway.verifier().verify(authorization.and_then(Result::ok)).await
            }
        };
        if let Caller::Player(player) = caller {
            Span::current().record("player.id", tracing::field::display(player.id));
        }
        caller
    }
}

/// The form of a refusal, which is the form of the route's other replies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReplyForm {
    Envelope,
    GrpcWeb(live::Encoding),
}

impl ReplyForm {
    fn of(class: RateClass, headers: &HeaderMap) -> Self {
        match class {
            RateClass::Live => Self::GrpcWeb(live::Encoding::of(headers)),
            _ => Self::Envelope,
        }
    }

    fn refuse(self, fault: Fault) -> Response {
        match self {
            Self::Envelope => Refusal::from(fault).into_response(),
            Self::GrpcWeb(encoding) => encoding.refuse(fault),
        }
    }
}

#[cfg(test)]
mod tests;
