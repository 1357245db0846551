//! The latency of a live update: from M-Pesa's result in the sandbox to the COMPLETED
//! event on the player's stream, through callback, outbox, settlement and Redis.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use http::{HeaderValue, Method, Request, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use prost::Message as _;
use proto::{
    live::v1::{LiveEvent, SubscribeRequest, live_event::Event},
    types::v1::PaymentStatus,
};
use time::OffsetDateTime;
use tokio::time::timeout;
use types::Clock;

use crate::{
    address::Target,
    client::Connection,
    figures::{Figures, Recorder},
    grpc_web::{Decoder, Frame, encode},
    players::{Player, Players, poll_until},
    sandbox::Sandbox,
};

const SUBSCRIBE: &str = "/playon.live.v1.LiveService/Subscribe";
const GRPC_WEB_TEXT: HeaderValue = HeaderValue::from_static("application/grpc-web-text");
/// The longest that an event is awaited.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Measures `samples` payments one after the other; the mesh has no other load.
pub(crate) async fn measure(
    target: Target,
    sandbox: Target,
    players: &Players,
    samples: u16,
) -> Result<Figures> {
    let mut recorder = Recorder::new()?;
    let mut total = Duration::ZERO;
    let mut sandbox = Sandbox::new(sandbox);
    let mut connection = Connection::new(target);
    for number in 0..usize::from(samples) {
        let player = players.get(number)?;
        sandbox.keep_prompts(&player.msisdn).await?;
        let key = format!("live-{number}");
        let payment = players.top_up_by_mpesa(&mut connection, player, 1, &key).await?;
        match sample(target, &mut sandbox, player, &payment.id).await {
            Ok(latency) => {
                total += latency;
                recorder.success(latency);
            }
            Err(error) => recorder.error(format!("{error:#}")),
        }
    }
    Ok(recorder.figures(total))
}

async fn sample(
    target: Target,
    sandbox: &mut Sandbox,
    player: &Player,
    payment: &str,
) -> Result<Duration> {
    let mut stream = LiveStream::open(target, player, payment).await?;
    // A callback that arrived before the push was answered would be stored and applied
    // later: that race is not part of this latency.
    stream.wait_for(PaymentStatus::InProgress).await?;
    poll_until("a prompt", async || sandbox.has_prompt(&player.msisdn).await).await?;
    let (entered, seen) =
        tokio::join!(sandbox.enter_pin(&player.msisdn), stream.wait_for(PaymentStatus::Completed));
    entered?;
    let latency = seen? - sandbox.settled_at(&player.msisdn).await?;
    Duration::try_from(latency).ok().context("the event is older than its cause: clocks disagree")
}

/// A grpc-web stream of one payment's events.
struct LiveStream {
    body: Incoming,
    decoder: Decoder,
    clock: Clock,
    /// The stream ends when its connection is dropped.
    _connection: Connection,
}

impl LiveStream {
    async fn open(target: Target, player: &Player, payment: &str) -> Result<Self> {
        let message = SubscribeRequest {
            payment_ids: vec![payment.to_owned()],
            ..SubscribeRequest::default()
        };
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(SUBSCRIBE)
            .header(header::CONTENT_TYPE, GRPC_WEB_TEXT)
            .header(header::ACCEPT, GRPC_WEB_TEXT)
            .header("x-grpc-web", "1")
            .body(Full::from(encode(&message)?))?;
        player.authorize_headers(request.headers_mut());
        let mut connection = Connection::new(target);
        let response = connection.send(request).await?;
        ensure!(response.status().is_success(), "the stream was refused: {}", response.status());
        if let Some(status) = response.headers().get("grpc-status") {
            bail!("the stream was refused: grpc-status {status:?}");
        }
        let body = response.into_body();
        let decoder = Decoder::default();
        Ok(Self { body, decoder, clock: Clock::system(), _connection: connection })
    }

    /// Reads events until the payment has the status; returns when that event arrived.
    async fn wait_for(&mut self, wanted: PaymentStatus) -> Result<OffsetDateTime> {
        let arrived = timeout(TIMEOUT, async {
            loop {
                let Some(Event::Payment(update)) = self.next().await?.event else {
                    continue;
                };
                let at = self.clock.now();
                match update.status() {
                    status if status == wanted => return Ok(at),
                    PaymentStatus::Completed | PaymentStatus::Error => {
                        bail!("the payment ended early: {}", update.message)
                    }
                    _ => {}
                }
            }
        });
        arrived.await.with_context(|| format!("no {} within 10 s", wanted.as_str_name()))?
    }

    async fn next(&mut self) -> Result<LiveEvent> {
        loop {
            match self.decoder.next()? {
                Some(Frame::Message(message)) => return Ok(LiveEvent::decode(message.as_slice())?),
                Some(Frame::Trailers(lines)) => bail!("the stream ended: {}", lines.trim()),
                None => {}
            }
            let frame = self.body.frame().await.context("the stream broke off")??;
            if let Some(bytes) = frame.data_ref() {
                self.decoder.push(bytes)?;
            }
        }
    }
}
