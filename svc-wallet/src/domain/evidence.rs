//! Evidence: what a provider says about a payment.

use time::OffsetDateTime;
use types::Money;

use super::Failure;

/// Evidence about a payment's end, from a callback, a query or the reply to a push. The same rule
/// decides on all evidence, so its order does not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// Money moved.
    Paid {
        /// The provider's receipt; a query's reply has none.
        receipt: Option<String>,
        /// The amount that moved; a query's reply has none.
        amount: Option<Money>,
        /// The time of payment, by the provider's clock.
        at: Option<OffsetDateTime>,
    },
    /// No money moved, and none will.
    Refused { refusal: ProviderRefusal },
}

/// A provider's refusal of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProviderRefusal {
    pub(crate) failure: Failure,
    /// The provider's own code, for the record.
    pub(crate) code: String,
}

/// The meaning of a `ResultCode` of M-Pesa's STK push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MpesaResult {
    /// The payer paid.
    Paid,
    /// A refusal that players cause and can correct.
    Refused(Failure),
    /// A refusal that our own set-up at M-Pesa causes: an operator must correct it.
    Misconfigured,
    /// An undocumented code: query the payment again, and alert an operator.
    Unknown,
}

impl ProviderRefusal {
    /// Whether the refusal may be wrong: "no answer" has been reported for phones whose
    /// owner paid, so Daraja is queried once more.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.failure == Failure::NoAnswer
    }
}

impl MpesaResult {
    /// Parses a result code. The table has the codes that Daraja documents, and those that
    /// developers have reported.
    pub(crate) fn parse(code: &str) -> Self {
        match code {
            "0" => Self::Paid,
            "1" => Self::Refused(Failure::LowFunds),
            "2" | "3" | "4" | "8" => Self::Refused(Failure::OverMpesaLimit),
            "17" => Self::Refused(Failure::TooSoon),
            "26" | "1025" | "9999" | "8006" => Self::Refused(Failure::ProviderError),
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
    fn codes_that_a_player_can_correct_have_a_failure_of_their_own() {
        for (code, failure) in [
            ("1", Failure::LowFunds),
            ("1032", Failure::Cancelled),
            ("1037", Failure::NoAnswer),
            ("2001", Failure::WrongPin),
        ] {
            assert_eq!(MpesaResult::parse(code), MpesaResult::Refused(failure));
        }
    }

    #[test]
    fn an_undocumented_code_is_neither_paid_nor_refused() {
        for code in ["", "00", "4242", "success"] {
            assert_eq!(MpesaResult::parse(code), MpesaResult::Unknown, "{code:?}");
        }
    }
}
