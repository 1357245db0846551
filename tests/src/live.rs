//! A client of the live stream that parses grpc-web-text itself, in the form that a browser
//! receives: base64 of frames, each a flag byte, four bytes of length, and a message or (flag 0x80)
//! the trailers.

use base64::{Engine, engine::general_purpose::STANDARD};
use prost::Message;
use proto::live::v1::{LiveEvent, PaymentUpdate, SubscribeRequest, live_event::Event};
use reqwest::{Method, RequestBuilder};
use tonic::Code;

use crate::Mesh;

const SUBSCRIBE: &str = "/playon.live.v1.LiveService/Subscribe";
const CONTENT_TYPE: &str = "application/grpc-web-text";
const TRAILERS: u8 = 0x80;

/// An open stream.
pub struct LiveStream {
    response: reqwest::Response,
    base64: Vec<u8>,
    frames: Vec<u8>,
}

/// An item of a stream: a message, or the end.
#[derive(Debug, PartialEq)]
pub enum StreamItem {
    /// A message.
    Event(Event),
    /// The stream ended with a status.
    End(Code),
    /// The connection closed without a status.
    Disconnected,
}

impl LiveStream {
    /// A request to watch payments, without a bearer token.
    pub fn call(mesh: &Mesh, payments: &[&str]) -> RequestBuilder {
        let payment_ids = payments.iter().map(ToString::to_string).collect();
        Self::call_for(mesh, &SubscribeRequest { payment_ids, ..SubscribeRequest::default() })
    }

    /// A request to watch topics, without a bearer token.
    pub fn call_for(mesh: &Mesh, request: &SubscribeRequest) -> RequestBuilder {
        Self::call_at(mesh, mesh.url(), request)
    }

    /// [`Self::call_for`] by another gateway.
    pub fn call_at(mesh: &Mesh, gateway: &str, request: &SubscribeRequest) -> RequestBuilder {
        let message = request.encode_to_vec();
        let length = u32::try_from(message.len()).expect("a short message");
        let frame = [&[0], length.to_be_bytes().as_slice(), &message].concat();
        mesh.stream_at(gateway, Method::POST, SUBSCRIBE)
            .header("content-type", CONTENT_TYPE)
            .header("accept", CONTENT_TYPE)
            .header("x-grpc-web", "1")
            .body(STANDARD.encode(frame))
    }

    /// Opens a stream. Panics unless Hello comes first.
    pub async fn open(call: RequestBuilder) -> Self {
        let mut stream = Self::start(call).await;
        match stream.next().await {
            StreamItem::Event(Event::Hello(hello)) => {
                assert!(hello.at.is_some(), "Hello has a time");
            }
            other => panic!("instead of Hello: {other:?}"),
        }
        stream
    }

    /// The status of a stream that is refused before Hello. Panics when it is not.
    pub async fn refused(call: RequestBuilder) -> Code {
        let mut stream = Self::start(call).await;
        if let Some(status) = stream.response.headers().get("grpc-status") {
            return Code::from_bytes(status.as_bytes());
        }
        match stream.next().await {
            StreamItem::End(code) => code,
            other => panic!("instead of a refusal: {other:?}"),
        }
    }

    /// Opens a stream without panicking on a broken mesh; returns the item that came instead of
    /// Hello.
    pub async fn attempt(call: RequestBuilder) -> Result<Self, StreamItem> {
        let Ok(response) = call.send().await else { return Err(StreamItem::Disconnected) };
        if let Some(status) = response.headers().get("grpc-status") {
            return Err(StreamItem::End(Code::from_bytes(status.as_bytes())));
        }
        if !response.status().is_success() {
            return Err(StreamItem::End(Code::Unknown));
        }
        let mut stream = Self { response, base64: Vec::new(), frames: Vec::new() };
        match stream.next().await {
            StreamItem::Event(Event::Hello(_)) => Ok(stream),
            other => Err(other),
        }
    }

    /// Waits for the next message or the end.
    pub async fn next(&mut self) -> StreamItem {
        loop {
            if let Some((flag, body)) = self.frame() {
                return match flag {
                    TRAILERS => StreamItem::End(status(&body)),
                    _ => StreamItem::Event(event(&body)),
                };
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.take(&chunk),
                Ok(None) | Err(_) => return StreamItem::Disconnected,
            }
        }
    }

    /// Waits for the next payment update, and skips heartbeats and pauses.
    pub async fn payment(&mut self) -> PaymentUpdate {
        loop {
            match self.next().await {
                StreamItem::Event(Event::Payment(update)) => return update,
                StreamItem::Event(Event::Heartbeat(_) | Event::Paused(_) | Event::Resumed(_)) => {}
                other => panic!("instead of a payment update: {other:?}"),
            }
        }
    }

    async fn start(call: RequestBuilder) -> Self {
        let response = call.send().await.expect("the gateway answers");
        assert_eq!(response.status(), 200, "grpc-web puts errors into the status trailer");
        assert!(response.headers().contains_key("x-trace-id"), "every reply has an x-trace-id");
        Self { response, base64: Vec::new(), frames: Vec::new() }
    }

    /// Decodes whole groups of four characters. Each group is decoded by itself,
    /// because the gateway encodes chunk by chunk, and each chunk may end in padding.
    fn take(&mut self, chunk: &[u8]) {
        self.base64.extend_from_slice(chunk);
        let whole = self.base64.len() / 4 * 4;
        let groups: Vec<u8> = self.base64.drain(..whole).collect();
        for group in groups.chunks(4) {
            self.frames.extend(STANDARD.decode(group).expect("base64"));
        }
    }

    fn frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let length = self.frames.get(1..5)?.try_into().expect("four bytes");
        let end = 5 + usize::try_from(u32::from_be_bytes(length)).expect("a length");
        let body = self.frames.get(5..end)?.to_vec();
        let flag = self.frames[0];
        self.frames.drain(..end);
        Some((flag, body))
    }
}

fn event(body: &[u8]) -> Event {
    let event = LiveEvent::decode(body).expect("a LiveEvent");
    event.event.expect("an event that this contract knows")
}

fn status(trailers: &[u8]) -> Code {
    let text = std::str::from_utf8(trailers).expect("trailers are text");
    let status = text.lines().find_map(|line| line.strip_prefix("grpc-status:"));
    Code::from_bytes(status.expect("a status").trim().as_bytes())
}
