//! HTTP replies, checked against what the API promises for every reply.

use std::time::Duration;

use reqwest::{
    RequestBuilder,
    header::{CONTENT_TYPE, HeaderMap},
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The code of a call that was shed, in its envelope.
const SHED: &[u8] = br#""OVERLOADED""#;
/// The pause before a shed call is sent again, as in `Retry-After`.
const SHED_PAUSE: Duration = Duration::from_secs(2);
/// How often a shed call is sent again; more would hide a mesh that does not recover.
const SHED_AT_MOST: usize = 5;

/// A complete reply of any content type.
#[derive(Debug, Clone)]
pub struct RawReply {
    /// The HTTP status.
    pub status: u16,
    /// All response headers.
    pub headers: HeaderMap,
    /// The unchanged body.
    pub body: Vec<u8>,
}

impl RawReply {
    /// Sends a request and reads the whole reply. Asserts a valid `x-trace-id`. A call that was
    /// shed is sent again, as the reply asks, because other journeys load the mesh, too.
    pub async fn to(request: RequestBuilder) -> Self {
        for _ in 0..SHED_AT_MOST {
            let Some(again) = request.try_clone() else { break };
            let answer = Self::once(again).await;
            if answer.status != 503 || !answer.body.windows(SHED.len()).any(|text| text == SHED) {
                return answer;
            }
            tokio::time::sleep(SHED_PAUSE).await;
        }
        Self::once(request).await
    }

    async fn once(request: RequestBuilder) -> Self {
        let response = request.send().await.expect("the gateway answers");
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = response.bytes().await.expect("a whole reply").to_vec();
        let answer = Self { status, headers, body };
        let id = answer.trace_id();
        assert!(
            id.len() == 32 && id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')),
            "x-trace-id {id:?} is not a trace id"
        );
        assert!(id.bytes().any(|b| b != b'0'), "x-trace-id is all zeros");
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

    /// The value of `x-trace-id`.
    pub fn trace_id(&self) -> &str {
        self.header("x-trace-id").expect("an x-trace-id on every reply")
    }
}

/// A reply of a call under `/api`, whose envelope has been checked.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The HTTP status, which equals the envelope's `statusCode`.
    pub status: u16,
    /// The envelope's `statusMessage`, which players read.
    pub message: String,
    /// The result, or the error.
    pub payload: Value,
    /// The value of `x-trace-id`.
    pub trace_id: String,
    /// All response headers.
    pub headers: HeaderMap,
}

/// The envelope: these three fields and no other.
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
struct ErrorPayload {
    code: String,
    #[serde(default)]
    fields: Map<String, Value>,
}

impl Reply {
    /// Sends a request and asserts that the reply is a valid envelope.
    pub async fn to(request: RequestBuilder) -> Self {
        let answer = RawReply::to(request).await;
        assert_eq!(
            answer.header(CONTENT_TYPE.as_str()),
            Some("application/json; charset=utf-8"),
            "{answer:?}"
        );
        let envelope: Envelope = serde_json::from_slice(&answer.body)
            .unwrap_or_else(|error| panic!("not an envelope ({error}): {}", answer.text()));
        assert_eq!(envelope.status_code, answer.status, "statusCode equals the HTTP status");
        assert!(!envelope.status_message.is_empty(), "a statusMessage");
        let reply = Self {
            status: answer.status,
            message: envelope.status_message,
            payload: envelope.payload,
            trace_id: answer.trace_id().to_owned(),
            headers: answer.headers,
        };
        if reply.status >= 400 {
            reply.check_error();
        }
        reply
    }

    /// The payload of a successful call. Panics when it failed.
    pub fn ok(self) -> Value {
        assert!(self.status < 300, "{} {}: {}", self.status, self.message, self.payload);
        self.payload
    }

    /// The status and REASON of a refused call. Panics when it was not refused.
    pub fn refusal(&self) -> (u16, &str) {
        let code = self.payload["code"].as_str();
        (self.status, code.unwrap_or_else(|| panic!("it was not refused: {self:?}")))
    }

    /// The names of the fields that were refused.
    pub fn fields(&self) -> Vec<&str> {
        let fields = self.payload["fields"].as_object();
        fields.map(|fields| fields.keys().map(String::as_str).collect()).unwrap_or_default()
    }

    fn check_error(&self) {
        let payload: ErrorPayload = serde_json::from_value(self.payload.clone())
            .unwrap_or_else(|error| panic!("not an error payload ({error}): {}", self.payload));
        let plain = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
        assert!(
            payload.code.starts_with(|c: char| c.is_ascii_uppercase())
                && payload.code.bytes().all(plain),
            "{:?} is not UPPER_SNAKE",
            payload.code
        );
        assert!(payload.fields.values().all(Value::is_string), "each field has a text");
    }
}
