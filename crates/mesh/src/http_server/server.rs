//! A server's router and limits, and the state that all its connections share.

use std::{fmt, sync::Arc};

use axum::{Router, body::Body};
use http::Response;
use tokio::sync::Notify;

use super::{
    client::ClientNetwork,
    limits::{Connections, HttpLimits, Timeouts},
};
use crate::permits::{KeyedPermits, LimitReached};

/// Makes the reply to a call beyond a limit.
type Refuse = Arc<dyn Fn(LimitReached) -> Response<Body> + Send + Sync>;

/// A public HTTP server's router and limits.
#[derive(Clone)]
pub struct HttpServer {
    /// Serves the calls. Each has a [`ClientAddress`] extension.
    pub router: Router,
    /// The limits of connections and calls.
    pub limits: HttpLimits,
    /// The reply to a call beyond the limit of calls in flight. Such a call is not routed.
    pub refuse: Refuse,
}

impl fmt::Debug for HttpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServer").field("limits", &self.limits).finish_non_exhaustive()
    }
}

/// The state that all connections of a server share.
pub(super) struct Server {
    pub(super) router: Router,
    pub(super) refuse: Refuse,
    pub(super) limits: HttpLimits,
    pub(super) timeouts: Timeouts,
    pub(super) connections: Connections,
    pub(super) calls: KeyedPermits<ClientNetwork>,
    /// Notified while connections run short, so that idle ones read their limit again.
    pub(super) pressure: Notify,
}

impl Server {
    pub(super) fn new(server: HttpServer, timeouts: Timeouts) -> Self {
        let HttpServer { router, limits, refuse } = server;
        Self {
            router,
            refuse,
            timeouts,
            connections: Connections::new(&limits, timeouts),
            calls: KeyedPermits::new("http_calls", limits.calls, limits.calls_per_client),
            limits,
            pressure: Notify::new(),
        }
    }
}
