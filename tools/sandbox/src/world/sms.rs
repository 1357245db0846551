//! Text messages.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::msisdn::Msisdn;

/// A message in an inbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Sms {
    pub(crate) from: String,
    pub(crate) text: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

/// A message that the SMS provider has delivered to a handset.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SentSms {
    pub(crate) to: Msisdn,
    #[serde(flatten)]
    pub(crate) sms: Sms,
}
