//! A player's stream of live updates.

use anyhow::{Context as _, Result, bail, ensure};
use http::{HeaderValue, Method, Request, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use prost::Message as _;
use proto::live::v1::{LiveEvent, SubscribeRequest};

use crate::{
    address::Target,
    client::Connection,
    grpc_web::{Decoder, Frame, encode},
    players::Player,
};

/// The path of the live updates.
pub(crate) const SUBSCRIBE: &str = "/playon.live.v1.LiveService/Subscribe";
const GRPC_WEB_TEXT: HeaderValue = HeaderValue::from_static("application/grpc-web-text");

/// A grpc-web stream.
pub(crate) struct LiveStream {
    body: Incoming,
    decoder: Decoder,
    /// The stream ends when its connection is dropped.
    _connection: Connection,
}

impl LiveStream {
    /// Opens a stream of the topics; fails when it is refused.
    pub(crate) async fn open(
        target: Target,
        player: &Player,
        topics: &SubscribeRequest,
    ) -> Result<Self> {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(SUBSCRIBE)
            .header(header::CONTENT_TYPE, GRPC_WEB_TEXT)
            .header(header::ACCEPT, GRPC_WEB_TEXT)
            .header("x-grpc-web", "1")
            .body(Full::from(encode(topics)?))?;
        player.authorize_headers(request.headers_mut());
        let mut connection = Connection::new(target);
        let response = connection.send(request).await?;
        ensure!(response.status().is_success(), "the stream was refused: {}", response.status());
        if let Some(status) = response.headers().get("grpc-status") {
            bail!("the stream was refused: grpc-status {status:?}");
        }
        let body = response.into_body();
        Ok(Self { body, decoder: Decoder::default(), _connection: connection })
    }

    /// The next event; fails when the stream ends.
    pub(crate) async fn next(&mut self) -> Result<LiveEvent> {
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
