//! One payout to a handset, and its outcomes.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::b2c::B2c;
use super::handset::Script;
use super::msisdn::Msisdn;

/// The end of a payout.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PaidOut {
    pub(crate) outcome: B2c,
    /// The receipt; a failed payout has a number as well.
    pub(crate) transaction_id: String,
    pub(crate) charge_cents: u64,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

/// An accepted payout.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Payout {
    pub(crate) conversation_id: String,
    pub(crate) originator_conversation_id: String,
    pub(crate) command: String,
    pub(crate) msisdn: Msisdn,
    /// The amount in whole shillings.
    pub(crate) amount: u64,
    pub(crate) remarks: String,
    pub(crate) occasion: String,
    pub(crate) result_url: String,
    pub(crate) timeout_url: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) requested_at: OffsetDateTime,
    /// When the payout is carried out.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) due_at: OffsetDateTime,
    /// The handset's script at the time of the request.
    pub(crate) script: Script,
    /// A refusal by M-Pesa, whatever the script says.
    pub(crate) refusal: Option<B2c>,
    pub(crate) settled: Option<PaidOut>,
}

impl Payout {
    pub(crate) fn is_open(&self) -> bool {
        self.settled.is_none()
    }
}

/// M-Pesa's charge to the business for a payout, in cents (tariff of August 2023).
pub(crate) fn charge_cents(amount: u64) -> u64 {
    let shillings = match amount {
        0..=100 => 0,
        101..=1_500 => 5,
        1_501..=5_000 => 9,
        5_001..=20_000 => 11,
        _ => 13,
    };
    shillings * 100
}
