//! The bank's book besides the payments received by M-Pesa: money paid out, card
//! payments, airtime, and what was given back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

/// A side of the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Side {
    /// M-Pesa payouts to handsets.
    PaidOut,
    /// M-Pesa payments that were given back.
    Reversed,
    /// Card payments.
    Cards,
    /// Card payments that were given back.
    CardRefunds,
    /// Charges to airtime.
    Airtime,
    /// Charges to airtime that were given back.
    AirtimeRefunds,
}

impl Side {
    pub(crate) const ALL: [Self; 6] = [
        Self::PaidOut,
        Self::Reversed,
        Self::Cards,
        Self::CardRefunds,
        Self::Airtime,
        Self::AirtimeRefunds,
    ];
}

/// One line of the book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Line {
    pub(crate) side: Side,
    /// The provider's receipt or id.
    pub(crate) receipt: String,
    /// The business's own id of the payment.
    pub(crate) reference: String,
    /// The handset's number, or the payer's email address.
    pub(crate) party: String,
    pub(crate) amount_cents: u64,
    /// The provider's charge for the movement, in cents.
    pub(crate) charge_cents: u64,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

/// The sums of a side, including lines that were dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sum {
    pub(crate) count: u64,
    pub(crate) amount_cents: u64,
    pub(crate) charge_cents: u64,
}

impl Sum {
    pub(crate) fn add(&mut self, line: &Line) {
        self.count += 1;
        self.amount_cents = self.amount_cents.saturating_add(line.amount_cents);
        self.charge_cents = self.charge_cents.saturating_add(line.charge_cents);
    }
}

pub(crate) type Sums = BTreeMap<Side, Sum>;

/// The business's accounts at M-Pesa, in whole shillings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Float {
    /// Payments go in here, payouts leave from here.
    pub(crate) utility: u64,
    /// Charges of payouts, which M-Pesa shows as a negative balance.
    pub(crate) charges: u64,
}

impl Default for Float {
    fn default() -> Self {
        Self { utility: 10_000_000, charges: 0 }
    }
}
