//! Why a payment failed.

/// Why the provider refused a payment, as far as a player can do something about it. The
/// texts are the values of the column `payment.failure`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[cfg_attr(test, derive(strum::EnumIter))]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Failure {
    /// The player pressed Cancel.
    Cancelled,
    /// The player typed a wrong PIN.
    WrongPin,
    /// The player's M-Pesa balance is too low.
    LowFunds,
    /// The prompt reached no phone, or was not answered in time.
    NoAnswer,
    /// The number has no M-Pesa account.
    NotMpesa,
    /// The phone has another M-Pesa session open.
    PhoneBusy,
    /// Over one of M-Pesa's own limits.
    OverMpesaLimit,
    /// The same amount was paid from the same phone a moment ago.
    TooSoon,
    /// M-Pesa could not be reached, so no prompt was sent.
    Unreachable,
    /// An error of M-Pesa's, or of our set-up there.
    ProviderError,
}

impl Failure {
    /// Whether M-Pesa may have shown the prompt on the phone before it refused.
    pub(crate) const fn may_have_prompted(self) -> bool {
        match self {
            Self::Cancelled
            | Self::WrongPin
            | Self::LowFunds
            | Self::NoAnswer
            | Self::OverMpesaLimit => true,
            Self::NotMpesa
            | Self::PhoneBusy
            | Self::TooSoon
            | Self::Unreachable
            | Self::ProviderError => false,
        }
    }

    /// What happened and what to do next, in the player's words.
    pub(crate) const fn message(self) -> &'static str {
        match self {
            Self::Cancelled => "You cancelled the request on your phone. No money was moved.",
            Self::WrongPin => "That M-Pesa PIN was wrong. No money was moved. Please try again.",
            Self::LowFunds => {
                "Your M-Pesa balance is too low. Add money to M-Pesa or choose a smaller amount."
            }
            Self::NoAnswer => {
                "You did not enter your PIN in time. Check that your phone is on and try again."
            }
            Self::NotMpesa => {
                "That number is not on M-Pesa. No money was moved. Please use another number."
            }
            Self::PhoneBusy => {
                "Your phone has another M-Pesa request open. Finish it and try again in a minute."
            }
            Self::OverMpesaLimit => {
                "That is more than M-Pesa allows you today. Please choose a smaller amount."
            }
            Self::TooSoon => "You paid the same amount a moment ago. Please wait two minutes.",
            Self::Unreachable => {
                "We could not reach M-Pesa. No money was moved. Please try again in a moment."
            }
            Self::ProviderError => {
                "M-Pesa could not process your payment. No money was moved. Please try again."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    #[test]
    fn every_failure_is_read_back_from_its_text() {
        for failure in Failure::iter() {
            let text: &'static str = failure.into();
            assert_eq!(text.parse(), Ok(failure));
        }
        assert_eq!(<&'static str>::from(Failure::OverMpesaLimit), "OVER_MPESA_LIMIT");
    }
}
