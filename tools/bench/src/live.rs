//! How long news take: from the outcome on the handset to the event in the
//! browser, through callback, settlement, outbox, Redis and the live stream.

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
    client::Connection,
    figures::{Figures, Tally},
    grpc_web::{Decoder, Frame, encode},
    players::{Player, Players, until},
    sandbox::Sandbox,
    target::Target,
};

const SUBSCRIBE: &str = "/playon.live.v1.LiveService/Subscribe";
const GRPC_WEB_TEXT: HeaderValue = HeaderValue::from_static("application/grpc-web-text");
/// Longest that news may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Times the news of `samples` payments, one after the other, while nothing
/// else is asked of the mesh.
pub(crate) async fn measure(
    target: Target,
    sandbox: Target,
    players: &Players,
    samples: u16,
) -> Result<Figures> {
    let mut tally = Tally::new()?;
    let mut whole = Duration::ZERO;
    let mut sandbox = Sandbox::at(sandbox);
    let mut connection = Connection::to(target);
    for place in 0..usize::from(samples) {
        let player = players.turn(place)?;
        sandbox.waits(&player.msisdn).await?;
        let payment =
            players.by_mpesa(&mut connection, player, 1, &format!("live-{place}")).await?;
        match sample(target, &mut sandbox, player, &payment.id).await {
            Ok(took) => {
                whole += took;
                tally.well(took);
            }
            Err(error) => tally.badly(format!("{error:#}")),
        }
    }
    Ok(tally.figures(whole))
}

async fn sample(
    target: Target,
    sandbox: &mut Sandbox,
    player: &Player,
    payment: &str,
) -> Result<Duration> {
    let mut news = News::of(target, player, payment).await?;
    // The callback must not overtake the push: this is about news, not races.
    news.wait_for(PaymentStatus::InProgress).await?;
    until("a prompt", async || sandbox.rings(&player.msisdn).await).await?;
    let (paid, seen) =
        tokio::join!(sandbox.pay(&player.msisdn), news.wait_for(PaymentStatus::Completed));
    paid?;
    let took = seen? - sandbox.settled_at(&player.msisdn).await?;
    Duration::try_from(took).ok().context("news from before the event: the clocks disagree")
}

/// One live stream.
struct News {
    body: Incoming,
    decoder: Decoder,
    clock: Clock,
    /// The connection lasts as long as the stream.
    _connection: Connection,
}

impl News {
    async fn of(target: Target, player: &Player, payment: &str) -> Result<Self> {
        let ask = SubscribeRequest { payment_ids: vec![payment.to_owned()] };
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(SUBSCRIBE)
            .header(header::CONTENT_TYPE, GRPC_WEB_TEXT)
            .header(header::ACCEPT, GRPC_WEB_TEXT)
            .header("x-grpc-web", "1")
            .body(Full::from(encode(&ask)?))?;
        player.add_bearer(request.headers_mut());
        let mut connection = Connection::to(target);
        let response = connection.begin(request).await?;
        ensure!(response.status().is_success(), "the stream was refused: {}", response.status());
        if let Some(status) = response.headers().get("grpc-status") {
            bail!("the stream was refused: grpc-status {status:?}");
        }
        let body = response.into_body();
        let decoder = Decoder::default();
        Ok(Self { body, decoder, clock: Clock::system(), _connection: connection })
    }

    /// Reads on until the payment is there; when that was seen.
    async fn wait_for(&mut self, wanted: PaymentStatus) -> Result<OffsetDateTime> {
        let seen = timeout(PATIENCE, async {
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
        seen.await.with_context(|| format!("no {} within 10 s", wanted.as_str_name()))?
    }

    async fn next(&mut self) -> Result<LiveEvent> {
        loop {
            match self.decoder.next()? {
                Some(Frame::Message(message)) => return Ok(LiveEvent::decode(message.as_slice())?),
                Some(Frame::Trailers(lines)) => bail!("the stream ended: {}", lines.trim()),
                None => {}
            }
            let piece = self.body.frame().await.context("the stream broke off")??;
            if let Some(bytes) = piece.data_ref() {
                self.decoder.push(bytes)?;
            }
        }
    }
}
