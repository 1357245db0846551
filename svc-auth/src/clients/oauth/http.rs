//! Requests to providers, with limits on the time and the size of a reply.

use std::time::Duration;

use reqwest::RequestBuilder;
use serde::de::DeserializeOwned;

use super::ProviderError;
use crate::clients::reply::{ReadError, read};

/// An HTTP client for providers. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Http(reqwest::Client);

impl Http {
    /// A client whose requests take at most `limit`, with the reply's body.
    pub(crate) fn new(limit: Duration) -> anyhow::Result<Self> {
        Ok(Self(mesh::http::client(limit)?))
    }

    /// The client, to build requests.
    pub(super) fn client(&self) -> &reqwest::Client {
        &self.0
    }
}

/// Sends a request and parses the JSON reply. A server error and "too many requests" mean that
/// the provider is unavailable; any other error status is a refusal.
pub(super) async fn send<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, ProviderError> {
    let reply = request.send().await.map_err(unavailable)?;
    let status = reply.status();
    if status.is_server_error() || status.as_u16() == 429 {
        return Err(ProviderError::Unavailable(format!("it replied {status}")));
    }
    let body = read(reply).await.map_err(|error| match error {
        ReadError::Transport(error) => unavailable(error),
        ReadError::TooLarge => ProviderError::invalid("its reply is too large"),
    })?;
    if !status.is_success() {
        return Err(ProviderError::Invalid(format!("it replied {status}{}", error_code(&body))));
    }
    serde_json::from_slice(&body).map_err(|_| ProviderError::invalid("its reply cannot be parsed"))
}

/// The code of an error reply, for the log. Descriptions are left out, because they may contain
/// what we sent.
fn error_code(body: &[u8]) -> String {
    let reply: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let code = match &reply["error"] {
        // RFC 6749, section 5.2.
        serde_json::Value::String(code) => code.clone(),
        // Graph: {"error": {"code": 190, …}}.
        error => match &error["code"] {
            serde_json::Value::Number(code) => code.to_string(),
            _ => return String::new(),
        },
    };
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    format!(" ({})", code.chars().filter(|c| allowed(*c)).take(40).collect::<String>())
}

fn unavailable(error: reqwest::Error) -> ProviderError {
    // The log has the error's causes, and not the URL, which may contain a code or a token.
    let error = anyhow::Error::from(error.without_url());
    ProviderError::Unavailable(format!("{error:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_code_of_a_providers_error_is_logged() {
        for (body, expected) in [
            (r#"{"error":"invalid_grant","error_description":"4/0Asecret"}"#, " (invalid_grant)"),
            (r#"{"error":{"message":"secret","code":190}}"#, " (190)"),
            (r#"{"error":"a\nb{c}"}"#, " (abc)"),
            ("<html>", ""),
            ("", ""),
        ] {
            assert_eq!(error_code(body.as_bytes()), expected, "{body}");
        }
    }
}
