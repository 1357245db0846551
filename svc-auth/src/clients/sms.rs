//! Text messages by Africa's Talking's bulk SMS API, version 1.
//!
//! The API is not idempotent: a retry may send a second message. So a message with an
//! unknown outcome is not sent again, and the code in it stays valid.

use std::{fmt, time::Duration};

use mesh::{Language, instrument, texts};
use reqwest::header::ACCEPT;
use serde::{Deserialize, Serialize};
use tracing::{error, warn};
use types::{ExposeSecret as _, Msisdn, SecretString};

use super::reply;
use crate::domain::Code;

/// The account at the provider.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    /// The provider's URL, without the path.
    pub(crate) base_url: String,
    pub(crate) username: String,
    pub(crate) api_key: SecretString,
    /// A registered sender id; without one, the provider's own is used.
    pub(crate) sender: Option<String>,
}

/// A client of the provider.
#[derive(Clone)]
pub(crate) struct Sms {
    http: reqwest::Client,
    account: Account,
}

/// A message for one phone.
pub(crate) struct SmsText(String);

/// The outcome of sending a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SmsOutcome {
    /// The provider has accepted the message.
    Accepted,
    /// The network does not deliver messages to this number.
    Refused,
    /// The provider did not accept the message, for a reason other than the number.
    NotTaken,
    /// The reply was lost, so the message may have been sent.
    Unknown,
}

impl SmsOutcome {
    /// The value of a metric's label.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::NotTaken => "not_taken",
            Self::Unknown => "unknown",
        }
    }
}

impl SmsText {
    /// Characters of one message, in the default alphabet (GSM 03.38).
    const MAX_CHARS: usize = 160;

    /// A code for signing in at `host`. Browsers fill it in from the last line, on pages of
    /// that host alone (origin-bound one-time codes).
    pub(crate) fn code(code: &Code, host: &str, language: Language) -> Self {
        Self::with_code("SMS_CODE", code, host, language)
    }

    /// A code for withdrawing to the phone, on pages of `host`.
    pub(crate) fn payout_code(code: &Code, host: &str, language: Language) -> Self {
        Self::with_code("SMS_PAYOUT_CODE", code, host, language)
    }

    fn with_code(key: &str, code: &Code, host: &str, language: Language) -> Self {
        let code = code.digits();
        let text = texts::text(key, [("code", code)], language).unwrap_or_default();
        Self(format!("{text}\n\n@{host} #{code}"))
    }

    /// Whether the text fits one message, which is paid for once.
    pub(crate) fn is_one_message(&self) -> bool {
        self.0.len() <= Self::MAX_CHARS
    }
}

/// Hides the text, because it contains a code.
impl fmt::Debug for SmsText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SmsText(…)")
    }
}

impl Sms {
    /// A client whose requests take at most `limit`.
    pub(crate) fn new(account: Account, limit: Duration) -> anyhow::Result<Self> {
        Ok(Self { http: mesh::http::client(limit)?, account })
    }

    /// Sends one message, once.
    #[instrument(name = "sms.send", skip_all, fields(otel.kind = "client"))]
    pub(crate) async fn send(&self, phone: &Msisdn, text: &SmsText) -> SmsOutcome {
        let url = format!("{}/version1/messaging", self.account.base_url.trim_end_matches('/'));
        let request = SendRequest {
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
            .form(&request);
        let reply = match request.send().await {
            Ok(reply) => reply,
            // Without a connection nothing was sent.
            Err(error) if error.is_connect() => {
                warn!(error = %error.without_url(), "the SMS provider cannot be reached");
                return SmsOutcome::NotTaken;
            }
            Err(error) => {
                warn!(error = %error.without_url(), "no reply from the SMS provider");
                return SmsOutcome::Unknown;
            }
        };
        let status = reply.status();
        if status.is_client_error() {
            error!(%status, "the SMS provider refused the request");
            return SmsOutcome::NotTaken;
        }
        let body = reply::read(reply).await.ok();
        match body.and_then(|body| serde_json::from_slice::<Reply>(&body).ok()) {
            Some(reply) if status.is_success() => outcome(&reply.data),
            _ => {
                warn!(%status, "cannot parse the SMS provider's reply");
                SmsOutcome::Unknown
            }
        }
    }
}

/// The outcome in a reply. Its texts contain numbers and are not logged.
fn outcome(data: &Data) -> SmsOutcome {
    let [recipient] = data.recipients.as_slice() else {
        error!(
            recipients = data.recipients.len(),
            "the SMS provider accepted the message for no recipient"
        );
        return SmsOutcome::NotTaken;
    };
    match recipient.status_code {
        // Processed, sent, queued.
        100..=102 => SmsOutcome::Accepted,
        // Invalid number, unsupported number type, blacklisted, could not route, opted out.
        403 | 404 | 406 | 407 | 409 => SmsOutcome::Refused,
        // Risk hold, invalid sender id, no balance, and the provider's own errors: no message was
        // made.
        code => {
            error!(code, "the SMS provider did not send a message");
            SmsOutcome::NotTaken
        }
    }
}

#[derive(Serialize)]
struct SendRequest<'a> {
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
    fn a_code_fits_one_message_and_ends_with_the_line_for_browsers() {
        let code = Code::parse("123456").unwrap();
        let host = "playon.example";
        for language in [Language::English, Language::Swahili] {
            let texts =
                [SmsText::code(&code, host, language), SmsText::payout_code(&code, host, language)];
            for SmsText(text) in &texts {
                assert!(text.starts_with("123456 "), "{text}");
                assert!(text.ends_with("\n\n@playon.example #123456"), "{text}");
                // ASCII characters other than these are in the default alphabet, and take one place
                // each.
                let others = ['^', '{', '}', '\\', '[', '~', ']', '|', '`'];
                assert!(text.is_ascii() && !text.contains(others), "{text}");
            }
            assert!(texts.iter().all(SmsText::is_one_message));
            assert!(!SmsText::code(&code, &"a".repeat(100), language).is_one_message());
        }
    }

    #[test]
    fn a_reply_without_a_recipient_means_that_nothing_was_sent() {
        for (reply, outcome) in [
            (
                r#"{"SMSMessageData":{"Message":"Sent","Recipients":[{"statusCode":101}]}}"#,
                SmsOutcome::Accepted,
            ),
            (
                r#"{"SMSMessageData":{"Message":"InvalidSenderId","Recipients":[]}}"#,
                SmsOutcome::NotTaken,
            ),
            (r#"{"SMSMessageData":{"Message":"InvalidSenderId"}}"#, SmsOutcome::NotTaken),
        ] {
            let parsed: Reply = serde_json::from_str(reply).unwrap();
            assert_eq!(super::outcome(&parsed.data), outcome, "{reply}");
        }
    }
}
