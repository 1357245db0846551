//! Calls to an upstream: traced, with the rest of the deadline and the caller's token.

use std::{
    task::{Context, Poll},
    time::Duration,
};

use anyhow::Context as _;
use futures_util::future::BoxFuture;
use http::{HeaderName, HeaderValue, Request, Response, header::AUTHORIZATION};
use tonic::{
    Status,
    body::Body,
    transport::{Channel, Endpoint, Error},
};
use tonic_tracing_opentelemetry::middleware::client::{OtelGrpcLayer, OtelGrpcService};
use tower::{Layer, Service};

use crate::call::{Call, format_timeout};

const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// An upstream, as generated clients take it. Cheap to clone.
pub type Upstream = OtelGrpcService<Outgoing>;

/// An upstream at a URL. It is connected at the first call, and again when a connection
/// breaks, so services start in any order.
pub fn connect(url: &str) -> anyhow::Result<Upstream> {
    let endpoint = Endpoint::from_shared(url.to_owned())
        .with_context(|| format!("{url} is not a URL of a service"))?
        .connect_timeout(Duration::from_secs(2))
        .http2_keep_alive_interval(Duration::from_secs(20))
        .keep_alive_while_idle(true)
        .tcp_nodelay(true);
    Ok(OtelGrpcLayer.layer(Outgoing { channel: endpoint.connect_lazy() }))
}

/// Adds deadline and token to every call, and ends it at its deadline.
#[derive(Debug, Clone)]
pub struct Outgoing {
    channel: Channel,
}

impl Service<Request<Body>> for Outgoing {
    type Response = Response<Body>;
    type Error = Error;
    type Future = BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.channel.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let call = Call::current();
        let headers = request.headers_mut();
        if let Ok(left) = HeaderValue::from_str(&format_timeout(call.left())) {
            headers.insert(GRPC_TIMEOUT, left);
        }
        if let Some(authorization) = call.authorization
            && !headers.contains_key(AUTHORIZATION)
        {
            headers.insert(AUTHORIZATION, authorization);
        }
        // The channel that was polled ready is the one to call.
        let fresh = self.channel.clone();
        let mut ready = std::mem::replace(&mut self.channel, fresh);
        Box::pin(async move {
            match tokio::time::timeout_at(call.deadline, ready.call(request)).await {
                Ok(outcome) => outcome,
                Err(_) => Ok(Status::deadline_exceeded("no reply before the deadline").into_http()),
            }
        })
    }
}
