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
    /// PlayOn's own balance at M-Pesa is too low for a payout.
    FloatLow,
    /// The phone that gets a payout is at one of M-Pesa's limits.
    RecipientLimit,
    /// The bank declined the card.
    CardDeclined,
    /// The card was charged, and the provider gave the money back.
    CardReversed,
    /// The card provider could not be reached, so no page was opened.
    CardUnreachable,
    /// An error of the card provider's, or of our set-up there.
    CardError,
    /// The phone has too little airtime.
    AirtimeTooLow,
    /// The phone does not take such charges, or its owner declined this one.
    AirtimeDeclined,
    /// The carrier could not be reached, so nothing was charged.
    AirtimeUnreachable,
    /// An error of the carrier's, or of our set-up there.
    AirtimeError,
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
            | Self::ProviderError
            | Self::FloatLow
            | Self::RecipientLimit
            | Self::CardDeclined
            | Self::CardReversed
            | Self::CardUnreachable
            | Self::CardError
            | Self::AirtimeTooLow
            | Self::AirtimeDeclined
            | Self::AirtimeUnreachable
            | Self::AirtimeError => false,
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
            Self::ProviderError | Self::FloatLow | Self::RecipientLimit => {
                "M-Pesa could not process your payment. No money was moved. Please try again."
            }
            Self::CardDeclined => {
                "Your bank declined the card. No money was moved. Please try another card."
            }
            Self::CardReversed => "The payment was given back to your card.",
            Self::CardUnreachable => {
                "We could not open the card page. No money was moved. Please try again in a moment."
            }
            Self::CardError => {
                "The card page could not be opened. No money was moved. Please choose another method."
            }
            Self::AirtimeTooLow => {
                "You do not have enough airtime. Add some, or choose another method."
            }
            Self::AirtimeDeclined => {
                "Safaricom did not allow the charge. No airtime was taken. Please choose another method."
            }
            Self::AirtimeUnreachable => {
                "We could not reach Safaricom. No airtime was taken. Please try again in a moment."
            }
            Self::AirtimeError => {
                "Safaricom could not charge your airtime. No airtime was taken. Please try again."
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
