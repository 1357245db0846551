//! A reader of grpc-web-text, by hand: base64 of frames, each a flag byte, four
//! bytes of length, and a message or (flag 0x80) the trailers.

use base64::{Engine, engine::general_purpose::STANDARD};
use gateway::live::SUBSCRIBE;
use prost::Message;
use proto::live::v1::{LiveEvent, PaymentUpdate, SubscribeRequest, live_event::Event};
use reqwest::RequestBuilder;
use tonic::Code;

use crate::world::World;

const TRAILERS: u8 = 0x80;

/// A live stream as a browser sees it.
pub(crate) struct Stream {
    response: reqwest::Response,
    base64: Vec<u8>,
    frames: Vec<u8>,
    /// The topics that the trailers name as refused.
    refused_topics: Option<String>,
}

/// The next event of a stream, or its end.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    Event(Event),
    /// The stream ended with a status.
    End(Code),
    /// The connection broke without a status.
    Broken,
}

/// A call to watch payments.
pub(crate) fn subscribe(world: &World, payments: &[&str]) -> RequestBuilder {
    let payment_ids = payments.iter().map(ToString::to_string).collect();
    subscribe_to(world, &SubscribeRequest { payment_ids, ..SubscribeRequest::default() })
}

/// A call to watch topics.
pub(crate) fn subscribe_to(world: &World, request: &SubscribeRequest) -> RequestBuilder {
    let message = request.encode_to_vec();
    let mut frame = vec![0];
    frame.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    frame.extend(message);
    world
        .call("POST", SUBSCRIBE)
        .header("content-type", "application/grpc-web-text")
        .header("accept", "application/grpc-web-text")
        .header("x-grpc-web", "1")
        .body(STANDARD.encode(frame))
}

/// Opens a stream that is expected to begin with Hello.
pub(crate) async fn open(call: RequestBuilder) -> Stream {
    try_open(call).await.unwrap_or_else(|code| panic!("instead of Hello: {code:?}"))
}

/// Opens a stream that is expected to be refused before Hello.
pub(crate) async fn refused(call: RequestBuilder) -> Code {
    try_open(call).await.err().expect("a refusal instead of Hello")
}

/// Opens a stream that is expected to be refused before Hello; returns the code, and the names of
/// the refused topics.
pub(crate) async fn refused_topics(call: RequestBuilder) -> (Code, Option<String>) {
    let stream = start(call).await;
    let headers = stream.response.headers();
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    let code = text("grpc-status").expect("a refusal instead of Hello");
    (Code::from_bytes(code.as_bytes()), text("refused-topics"))
}

/// Opens a stream, unless it is refused before Hello.
pub(crate) async fn try_open(call: RequestBuilder) -> Result<Stream, Code> {
    let mut stream = start(call).await;
    let headers = stream.response.headers();
    if let Some(status) = headers.get("grpc-status") {
        return Err(Code::from_bytes(status.as_bytes()));
    }
    match stream.next().await {
        Next::Event(Event::Hello(_)) => Ok(stream),
        Next::End(code) => Err(code),
        other => panic!("instead of Hello or a refusal: {other:?}"),
    }
}

async fn start(call: RequestBuilder) -> Stream {
    let response = call.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let content_type = &response.headers()["content-type"];
    assert_eq!(content_type, "application/grpc-web-text+proto");
    assert!(response.headers().contains_key("x-content-type-options"));
    Stream { response, base64: Vec::new(), frames: Vec::new(), refused_topics: None }
}

impl Stream {
    pub(crate) async fn next(&mut self) -> Next {
        loop {
            if let Some((flag, body)) = self.frame() {
                if flag != TRAILERS {
                    return Next::Event(LiveEvent::decode(&*body).unwrap().event.unwrap());
                }
                self.refused_topics = trailer(&body, "refused-topics");
                let code = trailer(&body, "grpc-status").expect("a status");
                return Next::End(Code::from_bytes(code.as_bytes()));
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.take(&chunk),
                Ok(None) | Err(_) => return Next::Broken,
            }
        }
    }

    /// The next payment's update; heartbeats and pauses are skipped.
    pub(crate) async fn payment(&mut self) -> PaymentUpdate {
        loop {
            match self.next().await {
                Next::Event(Event::Payment(update)) => return update,
                Next::Event(Event::Heartbeat(_) | Event::Paused(_) | Event::Resumed(_)) => {}
                other => panic!("instead of a payment: {other:?}"),
            }
        }
    }

    /// Reads to the end, and returns how the stream ended.
    pub(crate) async fn end(mut self) -> Next {
        loop {
            match self.next().await {
                Next::Event(_) => {}
                end => return end,
            }
        }
    }

    /// The topics that the stream's end named as refused.
    pub(crate) fn refused_topics(&self) -> Option<&str> {
        self.refused_topics.as_deref()
    }

    /// Decodes each group of four characters by itself: a frame may end with padding, and
    /// the next begins after it.
    fn take(&mut self, chunk: &[u8]) {
        self.base64.extend_from_slice(chunk);
        let mut left = self.base64.len() / 4 * 4;
        while left > 0 {
            let padding = self.base64[..left].iter().position(|&byte| byte == b'=');
            let end = padding.map_or(left, |at| (at / 4 + 1) * 4);
            self.frames.extend(STANDARD.decode(&self.base64[..end]).unwrap());
            self.base64.drain(..end);
            left -= end;
        }
    }

    fn frame(&mut self) -> Option<(u8, Vec<u8>)> {
        let length = self.frames.get(1..5)?.try_into().unwrap();
        let end = 5 + usize::try_from(u32::from_be_bytes(length)).unwrap();
        let body = self.frames.get(5..end)?.to_vec();
        let flag = self.frames[0];
        self.frames.drain(..end);
        Some((flag, body))
    }
}

fn trailer(trailers: &[u8], name: &str) -> Option<String> {
    let mut lines = std::str::from_utf8(trailers).unwrap().lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    Some(value.trim().to_owned())
}
