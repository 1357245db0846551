//! Mail that has been delivered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

/// One message, as its readers see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mail {
    pub(crate) id: String,
    /// The mailboxes that have it: the recipients of the envelope.
    pub(crate) recipients: Vec<String>,
    /// The address in `From`, or the envelope's where there is none.
    pub(crate) from: String,
    pub(crate) subject: String,
    pub(crate) text: Option<String>,
    pub(crate) html: Option<String>,
    /// As they came, each name once.
    pub(crate) headers: BTreeMap<String, String>,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

impl Mail {
    /// Bytes that it takes to keep, roughly.
    pub(crate) fn size(&self) -> usize {
        let part = |part: &Option<String>| part.as_ref().map_or(0, String::len);
        let headers: usize =
            self.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        let recipients: usize = self.recipients.iter().map(String::len).sum();
        part(&self.text) + part(&self.html) + headers + recipients
    }

    /// Whether this mailbox has it. Nobody runs mailboxes that differ by case.
    pub(crate) fn is_for(&self, mailbox: &str) -> bool {
        self.recipients.iter().any(|recipient| recipient.eq_ignore_ascii_case(mailbox))
    }
}
