//! The client's side of a test: replies, and connections without a client library.

use std::time::Duration;

use http::{HeaderMap, StatusCode};
use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// A whole reply.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// A connection that is kept alive, without a client library that would replace it.
pub(crate) struct Connection(pub(crate) TcpStream);

impl Connection {
    /// Sends the head of a call, a little later its body, and reads the reply.
    pub(crate) async fn post(&mut self, path: &str, length: usize) -> String {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: playon\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n"
        );
        self.0.write_all(head.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(1)).await;
        self.0.write_all(&vec![b'x'; length]).await.unwrap();
        let mut read = Vec::new();
        loop {
            let text = String::from_utf8_lossy(&read);
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head.split("content-length: ").nth(1).unwrap();
                if body.len() >= length.lines().next().unwrap().parse().unwrap() {
                    return text.into_owned();
                }
            }
            assert_ne!(self.0.read_buf(&mut read).await.unwrap(), 0, "{path}: no reply");
        }
    }
}

/// Sends a call and reads the whole reply.
pub(crate) async fn read(call: RequestBuilder) -> Answer {
    let response = call.send().await.unwrap();
    Answer {
        status: response.status(),
        headers: response.headers().clone(),
        body: response.bytes().await.unwrap().to_vec(),
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The envelope, after a check of its form.
    pub(crate) fn envelope(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json; charset=utf-8"));
        let envelope: Value = serde_json::from_slice(&self.body).unwrap();
        assert_eq!(envelope["statusCode"], self.status.as_u16());
        assert!(envelope["statusMessage"].is_string());
        assert!(envelope.get("payload").is_some());
        envelope
    }

    /// The payload of a call that succeeded.
    pub(crate) fn payload(&self) -> Value {
        assert!(self.status.is_success(), "{self:?}");
        self.envelope()["payload"].clone()
    }

    /// Status and REASON of a call that was refused.
    pub(crate) fn refusal(&self) -> (u16, String) {
        let envelope = self.envelope();
        let code = envelope["payload"]["code"].as_str().expect("a code");
        (self.status.as_u16(), code.to_owned())
    }

    /// The fields that a refusal names.
    pub(crate) fn wrong_fields(&self) -> Vec<String> {
        let envelope = self.envelope();
        let fields = envelope["payload"]["fields"].as_object();
        fields.map_or_else(Vec::new, |fields| fields.keys().cloned().collect())
    }
}
