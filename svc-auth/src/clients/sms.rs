//! Text messages by Africa's Talking, by the wire that they call classic.
//!
//! The wire's facts are in the design's notes on providers, section 4. The one that
//! shapes this file: a message cannot be sent twice safely, so one whose fate nobody
//! knows is not sent again, and the code in it stays good.

use std::{fmt, time::Duration};

use reqwest::header::ACCEPT;
use serde::{Deserialize, Serialize};
use tracing::{error, instrument, warn};
use types::{ExposeSecret as _, Msisdn, SecretString};

use super::reply;
use crate::domain::Code;

/// The account that messages are sent from.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    /// Where the provider is, without the path.
    pub(crate) base_url: String,
    pub(crate) username: String,
    pub(crate) api_key: SecretString,
    /// A registered sender; the provider's own name without one.
    pub(crate) sender: Option<String>,
}

/// A client of the provider.
#[derive(Clone)]
pub(crate) struct Sms {
    http: reqwest::Client,
    account: Account,
}

/// A message for one phone.
pub(crate) struct Text(String);

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    /// On its way.
    Accepted,
    /// This number gets none.
    Refused,
    /// Not sent, and it is not the number's fault.
    NotTaken,
    /// Nobody knows: it may arrive.
    Unknown,
}

impl Sent {
    /// As a metric's label has it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::NotTaken => "not_taken",
            Self::Unknown => "unknown",
        }
    }
}

impl Text {
    /// What one message holds, in the alphabet that telephones share (GSM 03.38).
    const MAX_CHARS: usize = 160;

    /// A code for signing in at `host`. The last line is the one that browsers read
    /// codes from, for pages of that host alone (origin-bound one-time codes).
    pub(crate) fn code(code: &Code, host: &str) -> Self {
        let code = code.digits();
        Self(format!(
            "{code} is your PlayOn code. It is good for 5 minutes. Tell it to nobody, not even to us.\n\n@{host} #{code}"
        ))
    }

    /// Whether it is paid for once.
    pub(crate) fn is_one_message(&self) -> bool {
        self.0.len() <= Self::MAX_CHARS
    }
}

/// Says nothing: there is a code in it.
impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Text(…)")
    }
}

impl Sms {
    /// A client that waits no longer than `limit`.
    pub(crate) fn new(account: Account, limit: Duration) -> anyhow::Result<Self> {
        Ok(Self { http: mesh::http::client(limit)?, account })
    }

    /// Sends one message, once.
    #[instrument(name = "sms.send", skip_all, fields(otel.kind = "client"))]
    pub(crate) async fn send(&self, phone: &Msisdn, text: &Text) -> Sent {
        let url = format!("{}/version1/messaging", self.account.base_url.trim_end_matches('/'));
        let order = Order {
            username: &self.account.username,
            to: &phone.e164(),
            message: &text.0,
            bulk_sms_mode: 1,
            from: self.account.sender.as_deref(),
        };
        let request = self
            .http
            .post(url)
            .header("apiKey", self.account.api_key.expose_secret())
            .header(ACCEPT, "application/json")
            .form(&order);
        let reply = match request.send().await {
            Ok(reply) => reply,
            // A connection that was never made carried nothing.
            Err(error) if error.is_connect() => {
                warn!(error = %error.without_url(), "the SMS provider cannot be reached");
                return Sent::NotTaken;
            }
            Err(error) => {
                warn!(error = %error.without_url(), "no answer from the SMS provider");
                return Sent::Unknown;
            }
        };
        let status = reply.status();
        if status.is_client_error() {
            error!(%status, "the SMS provider refuses our requests");
            return Sent::NotTaken;
        }
        let body = reply::read(reply).await.ok();
        match body.and_then(|body| serde_json::from_slice::<Reply>(&body).ok()) {
            Some(reply) if status.is_success() => read(&reply.data),
            _ => {
                warn!(%status, "an answer of the SMS provider that cannot be read");
                Sent::Unknown
            }
        }
    }
}

/// What an answer comes to. Its words quote numbers and stay out of logs.
fn read(data: &Data) -> Sent {
    let [recipient] = data.recipients.as_slice() else {
        error!(recipients = data.recipients.len(), "the SMS provider took the message for nobody");
        return Sent::NotTaken;
    };
    match recipient.status_code {
        // Processed, sent, queued.
        100..=102 => Sent::Accepted,
        // Bad number, number of an unsupported kind, blacklisted, no route, wants no messages.
        403 | 404 | 406 | 407 | 409 => Sent::Refused,
        // Held as a risk, bad sender, no balance; its own errors, each with no message made.
        code => {
            error!(code, "the SMS provider does not send");
            Sent::NotTaken
        }
    }
}

#[derive(Serialize)]
struct Order<'a> {
    username: &'a str,
    to: &'a str,
    message: &'a str,
    #[serde(rename = "bulkSMSMode")]
    bulk_sms_mode: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
}

#[derive(Deserialize)]
struct Reply {
    #[serde(rename = "SMSMessageData")]
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    #[serde(rename = "Recipients", default)]
    recipients: Vec<Recipient>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recipient {
    status_code: u16,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_fits_one_message_and_ends_as_browsers_read_it() {
        let code = Code::parse("123456").unwrap();
        let text = Text::code(&code, "playon.example");
        assert!(text.is_one_message());
        assert!(text.0.ends_with("\n\n@playon.example #123456"), "{}", text.0);
        // ASCII but for these is in the telephones' alphabet, at one place each.
        assert!(
            text.0.is_ascii() && !text.0.contains(['^', '{', '}', '\\', '[', '~', ']', '|', '`'])
        );
        assert!(!Text::code(&code, &"a".repeat(100)).is_one_message());
    }

    #[test]
    fn an_answer_without_our_number_is_no_sending() {
        for (answer, sent) in [
            (
                r#"{"SMSMessageData":{"Message":"Sent","Recipients":[{"statusCode":101}]}}"#,
                Sent::Accepted,
            ),
            (r#"{"SMSMessageData":{"Message":"InvalidSenderId","Recipients":[]}}"#, Sent::NotTaken),
            (r#"{"SMSMessageData":{"Message":"InvalidSenderId"}}"#, Sent::NotTaken),
        ] {
            let reply: Reply = serde_json::from_str(answer).unwrap();
            assert_eq!(read(&reply.data), sent, "{answer}");
        }
    }
}
