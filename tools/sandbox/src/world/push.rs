//! Browsers, and the messages that were pushed to them.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;

use crate::push_message::Keys;

/// A browser that has a push subscription.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Browser {
    pub(crate) id: String,
    pub(crate) keys: Keys,
    /// The public key of the only sender that the browser accepts; absent for any sender.
    pub(crate) server_key: Option<String>,
    /// Messages that arrived, including those that were refused.
    pub(crate) attempts: u64,
    pub(crate) answer: Option<Answer>,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) used_at: OffsetDateTime,
}

/// The ordered reply to the next messages.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Answer {
    /// The HTTP status, 400 to 599.
    pub(crate) status: u16,
    /// Seconds of the header `Retry-After`.
    pub(crate) retry_after: Option<u32>,
    /// How many messages get this reply; all by default.
    pub(crate) count: Option<u32>,
}

/// A message that a browser has decrypted.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pushed {
    pub(crate) id: String,
    pub(crate) browser: String,
    pub(crate) message: Value,
    pub(crate) ttl: u64,
    pub(crate) topic: Option<String>,
    pub(crate) urgency: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

impl Browser {
    /// This browser after a message arrived, and the reply that is ordered for it.
    pub(crate) fn attempted(&self, at: OffsetDateTime) -> (Self, Option<Response>) {
        let mut browser =
            Self { attempts: self.attempts.saturating_add(1), used_at: at, ..self.clone() };
        let Some(answer) = &mut browser.answer else { return (browser, None) };
        let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::BAD_REQUEST);
        let mut reply = (status, "as ordered").into_response();
        if let Some(seconds) = answer.retry_after {
            reply.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        answer.count = answer.count.map(|count| count.saturating_sub(1));
        if answer.count == Some(0) {
            browser.answer = None;
        }
        (browser, Some(reply))
    }
}
