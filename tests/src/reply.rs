//! Replies, and what the contract promises of every one of them.

use reqwest::{
    RequestBuilder,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A reply of any kind, read to its end.
#[derive(Debug, Clone)]
pub struct Answer {
    /// HTTP's.
    pub status: u16,
    /// All of them.
    pub headers: HeaderMap,
    /// Byte for byte.
    pub body: Vec<u8>,
}

impl Answer {
    /// Sends a request and reads what comes. Every reply names its trace.
    pub async fn to(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("the gateway answers");
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = response.bytes().await.expect("a whole reply").to_vec();
        let answer = Self { status, headers, body };
        let id = answer.trace_id();
        assert!(
            id.len() == 32 && id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')),
            "x-trace-id {id:?} is no trace's id"
        );
        assert!(id.bytes().any(|b| b != b'0'), "x-trace-id is nobody's");
        answer
    }

    /// One header, as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    /// The id under which the trace can be found.
    pub fn trace_id(&self) -> &str {
        self.header("x-trace-id").expect("an x-trace-id on every reply")
    }
}

/// A reply of a call under `/api`: the envelope, judged.
#[derive(Debug, Clone)]
pub struct Reply {
    /// HTTP's and the envelope's: they are the same.
    pub status: u16,
    /// What a player may be shown.
    pub message: String,
    /// What was asked for, or the trouble.
    pub payload: Value,
    /// Its trace.
    pub trace_id: String,
    /// All of them.
    pub headers: HeaderMap,
}

/// Nothing else stands beside the three.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Envelope {
    status_code: u16,
    status_message: String,
    payload: Value,
}

/// The payload of an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trouble {
    code: String,
    #[serde(default)]
    fields: Map<String, Value>,
}

impl Reply {
    /// Sends a request and holds the reply to the envelope's rules.
    pub async fn to(request: RequestBuilder) -> Self {
        let answer = Answer::to(request).await;
        assert_eq!(
            answer.header(CONTENT_TYPE.as_str()),
            Some("application/json; charset=utf-8"),
            "{answer:?}"
        );
        let envelope: Envelope = serde_json::from_slice(&answer.body)
            .unwrap_or_else(|error| panic!("no envelope ({error}): {}", answer.text()));
        assert_eq!(envelope.status_code, answer.status, "statusCode is HTTP's");
        assert!(!envelope.status_message.is_empty(), "a statusMessage");
        let reply = Self {
            status: answer.status,
            message: envelope.status_message,
            payload: envelope.payload,
            trace_id: answer.trace_id().to_owned(),
            headers: answer.headers,
        };
        if reply.status >= 400 {
            reply.judge_trouble();
        }
        reply
    }

    /// The payload of a call that went well.
    pub fn ok(self) -> Value {
        assert!(self.status < 300, "{} {}: {}", self.status, self.message, self.payload);
        self.payload
    }

    /// The status and code of a call that was refused.
    pub fn refusal(&self) -> (u16, &str) {
        let code = self.payload["code"].as_str();
        (self.status, code.unwrap_or_else(|| panic!("it was not refused: {self:?}")))
    }

    /// The names of the fields that were refused.
    pub fn fields(&self) -> Vec<&str> {
        let fields = self.payload["fields"].as_object();
        fields.map(|fields| fields.keys().map(String::as_str).collect()).unwrap_or_default()
    }

    fn judge_trouble(&self) {
        let trouble: Trouble = serde_json::from_value(self.payload.clone())
            .unwrap_or_else(|error| panic!("no trouble ({error}): {}", self.payload));
        let plain = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
        assert!(
            trouble.code.starts_with(|c: char| c.is_ascii_uppercase())
                && trouble.code.bytes().all(plain),
            "{:?} is not UPPER_SNAKE",
            trouble.code
        );
        assert!(trouble.fields.values().all(Value::is_string), "fields are told in words");
    }
}
