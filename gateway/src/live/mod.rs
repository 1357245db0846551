//! Live streams to browsers, as grpc-web: one stream a tab, with all its topics.
//!
//! Each stream is a task, the pump, which moves events from svc-wallet's stream into a
//! bounded queue that the reader empties, so that a slow reader delays no other.

mod encoding;
mod events;
mod pump;
mod watch;

use axum::{
    body::Body,
    extract::{Request as HttpRequest, State},
    response::Response as HttpResponse,
};
use http::{HeaderValue, header::AUTHORIZATION};
use mesh::{
    Fault,
    auth::{Player, player},
    instrument,
};
use proto::live::v1::{
    SubscribeRequest,
    live_service_server::{LiveService, LiveServiceServer},
};
use tonic::{Code, Request, Response, Status};
use tower::Service;
use tracing::info_span;

pub(crate) use self::encoding::Encoding;
use self::{events::EventReceiver, pump::Pump, watch::Watch};
use crate::{Gateway, language};

/// The path of the stream.
pub const SUBSCRIBE: &str = "/playon.live.v1.LiveService/Subscribe";
/// The paths of all other methods of the service.
pub(crate) const UNKNOWN_METHODS: &str = "/playon.live.v1.LiveService/{method}";

/// Payments that one stream may watch.
const PAYMENTS: usize = 20;
/// Largest request, in bytes: twenty ids are less than one kilobyte.
const REQUEST_LIMIT: usize = 64 * 1024;

/// `LiveService.Subscribe`. Resolves when the stream is open, so that reading the request
/// and svc-wallet's reply are within the call's deadline.
pub(crate) async fn subscribe(
    State(gateway): State<Gateway>,
    request: HttpRequest,
) -> HttpResponse {
    let mut service =
        LiveServiceServer::new(Live { gateway }).max_decoding_message_size(REQUEST_LIMIT);
    match service.call(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}

/// A method that the contract does not have.
pub(crate) async fn unknown_method() -> HttpResponse {
    Status::unimplemented("there is no such method").into_http()
}

struct Live {
    gateway: Gateway,
}

#[tonic::async_trait]
impl LiveService for Live {
    type SubscribeStream = EventReceiver;

    async fn subscribe(
        &self,
        request: Request<SubscribeRequest>,
    ) -> Result<Response<EventReceiver>, Status> {
        let opened = self.admit(request).await;
        opened
            .map(Response::new)
            .map_err(|status| Fault::from_status(&status).in_language(language::current()).into())
    }
}

impl Live {
    async fn admit(&self, request: Request<SubscribeRequest>) -> Result<EventReceiver, Status> {
        let player = player(&request)?;
        let authorization = authorization(&request);
        let payments = topics(request.into_inner())?;
        self.open(player, authorization, payments).await
    }

    /// Opens svc-wallet's stream first, so that a refusal comes instead of Hello and never
    /// after it.
    #[instrument(
        name = "live.subscribe",
        skip_all,
        fields(player.id = %player.id, payments = payments.len())
    )]
    async fn open(
        &self,
        player: Player,
        authorization: Option<HeaderValue>,
        payments: Vec<String>,
    ) -> Result<EventReceiver, Status> {
        let shutdown = self.gateway.shutdown();
        if shutdown.is_stopping() {
            return Err(Fault::unavailable().into());
        }
        let permit = self
            .gateway
            .stream_permits()
            .acquire(Some(player.id))
            .map_err(|_| Fault::new(Code::ResourceExhausted, "TOO_MANY_STREAMS"))?;
        let watch = Watch::open(&self.gateway, authorization, payments).await?;
        let (pump, receiver) = Pump::new(&self.gateway, player, permit);
        let span = info_span!("live.stream", player.id = %player.id);
        let stream = pump.run(watch.updates(), span);
        shutdown.spawn("live stream", language::scope(language::current(), stream));
        Ok(receiver)
    }
}

/// The payments to watch, each once.
fn topics(request: SubscribeRequest) -> Result<Vec<String>, Fault> {
    let mut payments = request.payment_ids;
    payments.sort_unstable();
    payments.dedup();
    if payments.is_empty() {
        return Err(Fault::new(Code::InvalidArgument, "NO_TOPIC"));
    }
    if payments.len() > PAYMENTS {
        return Err(Fault::new(Code::InvalidArgument, "TOO_MANY_TOPICS"));
    }
    Ok(payments)
}

/// The caller's header value, which svc-wallet verifies again.
fn authorization<T>(request: &Request<T>) -> Option<HeaderValue> {
    request.metadata().as_ref().get(AUTHORIZATION).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watching(ids: impl IntoIterator<Item = u32>) -> Result<Vec<String>, Fault> {
        topics(SubscribeRequest { payment_ids: ids.into_iter().map(|id| id.to_string()).collect() })
    }

    #[test]
    fn a_stream_has_one_to_twenty_topics() {
        assert_eq!(watching([]).unwrap_err().reason, "NO_TOPIC");
        assert_eq!(watching(0..20).unwrap().len(), 20);
        assert_eq!(watching(0..21).unwrap_err().reason, "TOO_MANY_TOPICS");
    }

    #[test]
    fn a_payment_named_twice_is_one_topic() {
        assert_eq!(watching([7; 30]).unwrap(), ["7"]);
    }
}
