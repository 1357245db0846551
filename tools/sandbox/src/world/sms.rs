//! Messages that PlayOn had the SMS provider deliver.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::handset::Msisdn;

/// A message that has arrived on a handset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sent {
    pub(crate) to: Msisdn,
    pub(crate) from: String,
    pub(crate) text: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}
