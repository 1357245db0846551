//! Airtime: the consent to a charge, and what the carrier says about it.

use std::time::Duration;

use time::OffsetDateTime;
use types::{Money, Msisdn};

use super::{Evidence, Failure, ProviderRefusal};

/// The version of the text that a player consents to. The specification defines the text: 'You are
/// about to subscribe to {amount} Kes/Daily package to be deducted directly from your Safaricom
/// airtime. (expires after 24hours)'. A change of the text needs a new version.
pub(crate) const CONSENT_VERSION: &str = "2026-11";

/// Whether the number is in a range that was assigned to Safaricom. Its owner may have ported it to
/// another network: then the carrier refuses the charge.
pub(crate) fn is_safaricom(phone: &Msisdn) -> bool {
    let Some(range) = phone.digits().get(3..6).and_then(|range| range.parse::<u16>().ok()) else {
        return false;
    };
    matches!(
        range,
        110..=119 | 700..=729 | 740..=743 | 745..=746 | 748 | 757..=759 | 768..=769 | 790..=799
    )
}

/// What the carrier says about a charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChargeResult {
    /// Airtime was taken.
    Charged {
        receipt: Option<String>,
        /// Absent in the reply to some calls.
        amount: Option<Money>,
        at: Option<OffsetDateTime>,
    },
    /// No airtime was taken, and none will be.
    Refused(ProviderRefusal),
    /// The charge is under way: a notification follows.
    Pending,
    /// The reply was lost: airtime may have been taken.
    Unknown,
    /// The call was not sent, or was refused before it was carried out.
    NotSent,
}

impl ChargeResult {
    /// Returns the evidence about the payment; `None` while the result decides nothing.
    pub(crate) fn evidence(&self) -> Option<Evidence> {
        match self {
            Self::Charged { receipt, amount, at } => {
                Some(Evidence::Paid { receipt: receipt.clone(), amount: *amount, at: *at })
            }
            Self::Refused(refusal) => Some(Evidence::Refused { refusal: refusal.clone() }),
            Self::Pending | Self::Unknown | Self::NotSent => None,
        }
    }

    /// Returns the refusal of a carrier's status code, by its description: codes differ between
    /// offers, and public clients go by the words.
    pub(crate) fn refused(code: &str, description: &str) -> Option<Self> {
        let words = description.to_lowercase();
        let has = |any: &[&str]| any.iter().any(|word| words.contains(word));
        let failure = if has(&["insufficient", "not enough", "low balance"]) {
            Failure::AirtimeTooLow
        } else if has(&["not subscribed", "not active", "barred", "not allowed", "blacklist"])
            || has(&["declined", "rejected", "opted out"])
        {
            Failure::AirtimeDeclined
        } else {
            return None;
        };
        Some(Self::Refused(ProviderRefusal { failure, code: code.to_owned() }))
    }
}

/// Age at which a charge without a result is counted. The carrier has no query, so only its
/// notification or its statement can settle the charge.
pub(crate) const UNRESOLVED_AFTER: Duration = Duration::from_hours(24);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safaricom_numbers_are_known_by_their_range() {
        for (phone, is) in [
            ("0712345678", true),
            ("0722000000", true),
            ("0110123456", true),
            ("0799999999", true),
            ("0733000000", false),
            ("0100123456", false),
            ("0755000000", false),
            ("0777000000", false),
        ] {
            assert_eq!(is_safaricom(&Msisdn::parse(phone).unwrap()), is, "{phone}");
        }
    }

    #[test]
    fn only_words_that_rule_out_a_charge_are_a_refusal() {
        let failure = |text| match ChargeResult::refused("1", text) {
            Some(ChargeResult::Refused(refusal)) => Some(refusal.failure),
            _ => None,
        };
        assert_eq!(failure("Insufficient balance"), Some(Failure::AirtimeTooLow));
        assert_eq!(failure("User not subscribed"), Some(Failure::AirtimeDeclined));
        for text in ["", "Internal error", "Request timed out", "Unknown"] {
            assert_eq!(failure(text), None, "{text}");
        }
    }
}
