//! Delivered mail.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

/// A message and the mailboxes that received it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Mail {
    /// The recipients of the SMTP envelope.
    pub(crate) recipients: Vec<String>,
    #[serde(flatten)]
    pub(crate) message: Message,
}

/// A message as a mail program shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) id: String,
    /// The address in `From`, or the envelope's sender where there is none.
    pub(crate) from: String,
    pub(crate) subject: String,
    pub(crate) text: Option<String>,
    pub(crate) html: Option<String>,
    /// The raw values of header fields; of a repeated field, the first.
    pub(crate) headers: BTreeMap<String, String>,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

impl Mail {
    /// Approximate size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        let Message { text, html, headers, .. } = &self.message;
        let body: usize = [text, html].into_iter().flatten().map(String::len).sum();
        let headers: usize = headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        body + headers + self.recipients.iter().map(String::len).sum::<usize>()
    }
}
