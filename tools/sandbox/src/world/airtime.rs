//! Charges to airtime.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::handset::Airtime;
use super::msisdn::Msisdn;

/// A charge that the carrier has accepted or refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Charge {
    /// The business's id, which names the charge for ever.
    pub(crate) request_id: String,
    pub(crate) response_id: String,
    pub(crate) msisdn: Msisdn,
    pub(crate) offer: String,
    /// The amount in whole shillings.
    pub(crate) amount: u64,
    pub(crate) outcome: Airtime,
    /// Whether airtime was taken.
    pub(crate) charged: bool,
    pub(crate) refunded: bool,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

/// A handset's consent to be charged by an offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Consent {
    pub(crate) msisdn: Msisdn,
    pub(crate) offer: String,
    pub(crate) active: bool,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}
