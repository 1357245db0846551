//! What a provider showed us, in our own words.

use time::OffsetDateTime;
use types::Money;

use super::Failure;

/// Proof of a payment's end, from a callback or from a query: both are judged by
/// the same rule, so it cannot matter which came first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// Money moved.
    Paid {
        /// The provider's receipt; a query knows none.
        receipt: Option<String>,
        /// How much; a query does not say.
        amount: Option<Money>,
        /// When, by the provider's clock.
        at: Option<OffsetDateTime>,
    },
    /// No money moved, and none will.
    Refused {
        /// Why.
        refusal: Refusal,
    },
}

/// A provider's no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What it means to the player.
    pub failure: Failure,
    /// The provider's own code, for the record.
    pub code: String,
}

/// What a `ResultCode` of M-Pesa's STK push means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MpesaResult {
    /// 0.
    Paid,
    /// A no that players cause and can mend.
    Refused(Failure),
    /// A no that our own set-up causes: somebody must be told.
    Misconfigured,
    /// A code that nobody has documented: ask again, and tell somebody.
    Unknown,
}

impl Refusal {
    /// Whether the no may be mistaken: "no answer" has been reported of phones
    /// whose owner paid, so it is asked about once more.
    pub fn is_doubtful(&self) -> bool {
        self.failure == Failure::NoAnswer
    }
}

impl MpesaResult {
    /// Reads a result code. The table is Daraja's, with the codes developers
    /// have met beside the documented ones (design/providers, section 1.3).
    pub fn of(code: &str) -> Self {
        match code {
            "0" => Self::Paid,
            "1" => Self::Refused(Failure::LowFunds),
            "2" | "3" | "4" | "8" => Self::Refused(Failure::OverMpesaLimit),
            "17" => Self::Refused(Failure::TooSoon),
            "26" | "1025" | "9999" | "8006" => Self::Refused(Failure::Trouble),
            "1001" => Self::Refused(Failure::PhoneBusy),
            "1019" | "1037" => Self::Refused(Failure::NoAnswer),
            "1031" | "1032" => Self::Refused(Failure::Cancelled),
            "2001" => Self::Refused(Failure::WrongPin),
            "2028" | "2029" | "SFC_IC0003" => Self::Misconfigured,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_a_player_can_mend_say_so() {
        for (code, failure) in [
            ("1", Failure::LowFunds),
            ("1032", Failure::Cancelled),
            ("1037", Failure::NoAnswer),
            ("2001", Failure::WrongPin),
        ] {
            assert_eq!(MpesaResult::of(code), MpesaResult::Refused(failure));
        }
    }

    #[test]
    fn an_undocumented_code_is_neither_yes_nor_no() {
        for code in ["", "00", "4242", "success"] {
            assert_eq!(MpesaResult::of(code), MpesaResult::Unknown, "{code:?}");
        }
    }
}
