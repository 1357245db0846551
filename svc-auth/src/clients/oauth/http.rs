//! Questions to providers, with limits on the time and the size of an answer.

use std::time::Duration;

use reqwest::RequestBuilder;
use serde::de::DeserializeOwned;

use super::Trouble;
use crate::clients::reply::{Unread, read};

/// An HTTP client for providers. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Http(reqwest::Client);

impl Http {
    /// A client that waits no longer than `limit` for a whole answer.
    pub(crate) fn new(limit: Duration) -> anyhow::Result<Self> {
        Ok(Self(mesh::http::client(limit)?))
    }

    /// The client, to make a request of.
    pub(super) fn client(&self) -> &reqwest::Client {
        &self.0
    }
}

/// Sends a request and reads a JSON answer. A provider's own trouble, and "too many
/// requests", is absence; any other no is its word.
pub(super) async fn ask<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, Trouble> {
    let reply = request.send().await.map_err(away)?;
    let status = reply.status();
    if status.is_server_error() || status.as_u16() == 429 {
        return Err(Trouble::Away(format!("it answered {status}")));
    }
    let body = read(reply).await.map_err(|unread| match unread {
        Unread::Broken(error) => away(error),
        Unread::TooLarge => Trouble::disbelieved("its answer is too large"),
    })?;
    if !status.is_success() {
        return Err(Trouble::Disbelieved(format!("it answered {status}{}", said(&body))));
    }
    serde_json::from_slice(&body).map_err(|_| Trouble::disbelieved("its answer cannot be read"))
}

/// The error's code, which says which of us is at fault. Descriptions are free text,
/// and may quote what we sent.
fn said(body: &[u8]) -> String {
    let answer: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let code = match &answer["error"] {
        // RFC 6749, section 5.2.
        serde_json::Value::String(code) => code.clone(),
        // Graph: {"error": {"code": 190, …}}.
        error => match &error["code"] {
            serde_json::Value::Number(code) => code.to_string(),
            _ => return String::new(),
        },
    };
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    format!(" ({})", code.chars().filter(|c| word(*c)).take(40).collect::<String>())
}

fn away(error: reqwest::Error) -> Trouble {
    // The chain under it says why; the URL may carry a code or a token.
    let error = anyhow::Error::from(error.without_url());
    Trouble::Away(format!("{error:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_code_of_a_providers_error_is_told() {
        for (body, expected) in [
            (r#"{"error":"invalid_grant","error_description":"4/0Asecret"}"#, " (invalid_grant)"),
            (r#"{"error":{"message":"secret","code":190}}"#, " (190)"),
            (r#"{"error":"a\nb{c}"}"#, " (abc)"),
            ("<html>", ""),
            ("", ""),
        ] {
            assert_eq!(said(body.as_bytes()), expected, "{body}");
        }
    }
}
