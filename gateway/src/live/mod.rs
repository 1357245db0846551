//! Live streams to browsers, as grpc-web: one stream a tab, with all its topics.
//!
//! Each stream is a task, the pump, which moves events from the services' streams into a
//! bounded queue that the reader empties, so that a slow reader delays no other.

mod encoding;
mod events;
mod pump;
mod source;
mod text;
mod topics;
mod watch;

use axum::{
    body::Body,
    extract::{Request as HttpRequest, State},
    response::Response as HttpResponse,
};
use bytes::Bytes;
use futures_util::{FutureExt, Stream, StreamExt, future::BoxFuture, stream::BoxStream};
use http::{HeaderValue, header::AUTHORIZATION};
use mesh::{
    Fault,
    auth::{Player, player},
    instrument,
};
use proto::{EncodedCodec, live::v1::SubscribeRequest};
use tokio_stream::StreamMap;
use tonic::{
    Code, Request, Response, Status,
    server::{Grpc, ServerStreamingService},
};
use tracing::info_span;

pub(crate) use self::{encoding::Encoding, text::encode_text};
use self::{
    events::{EncodedEvents, EventReceiver},
    pump::Pump,
    source::{Notifications, Payments, Rooms, Source, Standings},
    topics::{Refused, Topics, topics},
    watch::{Watch, unavailable},
};
use crate::{Gateway, language};

/// The path of the stream.
pub const SUBSCRIBE: &str = "/playon.live.v1.LiveService/Subscribe";
/// The paths of all other methods of the service.
pub(crate) const UNKNOWN_METHODS: &str = "/playon.live.v1.LiveService/{method}";

/// Largest request, in bytes: twenty ids are less than one kilobyte.
const REQUEST_LIMIT: usize = 64 * 1024;

/// `LiveService.Subscribe`. Resolves when the stream is open, so that reading the request
/// and svc-wallet's reply are within the call's deadline.
pub(crate) async fn subscribe(
    State(gateway): State<Gateway>,
    request: HttpRequest,
) -> HttpResponse {
    // Does what `LiveServiceServer` does, with events that are encoded already.
    let mut grpc =
        Grpc::new(EncodedCodec::default()).apply_max_message_size_config(Some(REQUEST_LIMIT), None);
    grpc.server_streaming(Live { gateway }, request).await.map(Body::new)
}

/// Replies to a method that the contract does not have.
pub(crate) async fn unknown_method() -> HttpResponse {
    Status::unimplemented("there is no such method").into_http()
}

#[derive(Clone)]
struct Live {
    gateway: Gateway,
}

impl ServerStreamingService<SubscribeRequest> for Live {
    type Response = Bytes;
    type ResponseStream = EventReceiver;
    type Future = BoxFuture<'static, Result<Response<EventReceiver>, Status>>;

    fn call(&mut self, request: Request<SubscribeRequest>) -> Self::Future {
        let live = self.clone();
        async move { Ok(Response::new(live.admit(request).await?)) }.boxed()
    }
}

impl Live {
    async fn admit(&self, request: Request<SubscribeRequest>) -> Result<EventReceiver, Refused> {
        let player = player(&request)?;
        let authorization = authorization(&request);
        let topics = topics(request.into_inner())?;
        self.open(player, authorization, topics).await
    }

    /// Opens the services' streams first, so that a refusal comes instead of Hello and never
    /// after it.
    #[instrument(
        name = "live.subscribe",
        skip_all,
        fields(player.id = %player.id, payments = topics.payments.len(), topics.notifications,
            tournaments = topics.tournaments.len(), rooms = topics.rooms.len())
    )]
    async fn open(
        &self,
        player: Player,
        authorization: Option<HeaderValue>,
        topics: Topics,
    ) -> Result<EventReceiver, Refused> {
        let shutdown = self.gateway.shutdown();
        if shutdown.is_stopping() {
            return Err(Fault::unavailable().into());
        }
        let permit = self
            .gateway
            .stream_permits()
            .acquire(Some(player.id))
            .map_err(|_| Fault::new(Code::ResourceExhausted, "TOO_MANY_STREAMS"))?;
        let events = self.events(authorization, topics).await?;
        let (pump, receiver) = Pump::new(&self.gateway, player, permit);
        let span = info_span!("live.stream", player.id = %player.id);
        let stream = pump.run(events, span);
        shutdown.spawn("live stream", language::scope(language::current(), stream));
        Ok(receiver)
    }

    /// The events of all topics. The events of a service that is out of reach are missing for now;
    /// if all services are, the call fails.
    async fn events(
        &self,
        authorization: Option<HeaderValue>,
        topics: Topics,
    ) -> Result<impl Stream<Item = Result<EncodedEvents, Refused>> + Send + use<>, Refused> {
        let upstreams = self.gateway.upstreams();
        let Topics { payments, notifications, tournaments, rooms } = topics;
        let kinds =
            [!payments.is_empty(), notifications, !tournaments.is_empty(), !rooms.is_empty()];
        let others = kinds.into_iter().filter(|kind| *kind).count() > 1;
        let watch_payments =
            (!payments.is_empty()).then(|| Payments { wallet: upstreams.wallet(), ids: payments });
        let watch_notifications =
            notifications.then(|| Notifications { chat: upstreams.notifications() });
        let watch_standings = (!tournaments.is_empty())
            .then(|| Standings { tournaments: upstreams.tournaments(), ids: tournaments });
        let watch_rooms =
            (!rooms.is_empty()).then(|| Rooms { chat: upstreams.chat(), cursors: rooms });
        let opened = futures_util::join!(
            self.watch(watch_payments, authorization.clone(), others),
            self.watch(watch_notifications, authorization.clone(), others),
            self.watch(watch_standings, authorization.clone(), others),
            self.watch(watch_rooms, authorization, others),
        );
        let mut watches = Vec::new();
        let mut refusal: Option<Refused> = None;
        for watch in <[_; 4]>::from(opened) {
            match watch {
                Ok(watch) => watches.extend(watch),
                Err(refused) => {
                    refusal = Some(match refusal {
                        Some(others) => others.and(refused),
                        None => refused,
                    });
                }
            }
        }
        if let Some(refused) = refusal {
            return Err(refused);
        }
        if !watches.iter().any(|watch| watch.is_open) {
            return Err(unavailable().into());
        }
        let all = watches.into_iter().map(|watch| watch.events).enumerate();
        Ok(all.collect::<StreamMap<_, _>>().map(|(_, update)| update))
    }

    /// Opens the stream of a service; `None` without a source.
    async fn watch<S: Source>(
        &self,
        source: Option<S>,
        authorization: Option<HeaderValue>,
        is_one_of_several: bool,
    ) -> Result<Option<Opened>, Refused> {
        let Some(source) = source else { return Ok(None) };
        let rng = self.gateway.rng().clone();
        let watch = Watch::open(source, authorization, rng, is_one_of_several).await?;
        Ok(Some(Opened { is_open: watch.is_open(), events: watch.events().boxed() }))
    }
}

/// The events of one service's topics.
struct Opened {
    /// Whether the service is within reach.
    is_open: bool,
    events: BoxStream<'static, Result<EncodedEvents, Refused>>,
}

/// The caller's header value, which the services verify again.
///
/// It is a copy, because a clone would hold hyper's read buffer, 8 KiB, for as long as the stream
/// lives.
fn authorization<T>(request: &Request<T>) -> Option<HeaderValue> {
    let value = request.metadata().as_ref().get(AUTHORIZATION)?;
    let mut copy = HeaderValue::from_bytes(value.as_bytes()).ok()?;
    copy.set_sensitive(true);
    Some(copy)
}
