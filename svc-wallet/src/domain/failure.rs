//! Why a payment failed.

/// Why the provider refused a payment, by what a player can do about it. The texts are the values
/// of the column `payment.failure`.
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
    /// The payment is over one of M-Pesa's own limits.
    OverMpesaLimit,
    /// The same amount was paid from the same phone a moment ago.
    TooSoon,
    /// M-Pesa could not be reached, so no prompt was sent.
    Unreachable,
    /// M-Pesa had an error, or refuses our set-up.
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
    /// The card provider had an error, or refuses our set-up.
    CardError,
    /// The phone has too little airtime.
    AirtimeTooLow,
    /// The phone does not allow such charges, or its owner declined this one.
    AirtimeDeclined,
    /// The carrier could not be reached, so nothing was charged.
    AirtimeUnreachable,
    /// The carrier had an error, or refuses our set-up.
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

    /// The key of the text that says what happened and what to do next.
    pub(crate) const fn text_key(self) -> &'static str {
        match self {
            Self::Cancelled => "PAYMENT_CANCELLED",
            Self::WrongPin => "PAYMENT_WRONG_PIN",
            Self::LowFunds => "PAYMENT_LOW_FUNDS",
            Self::NoAnswer => "PAYMENT_NO_ANSWER",
            Self::NotMpesa => "PAYMENT_NOT_MPESA",
            Self::PhoneBusy => "PAYMENT_PHONE_BUSY",
            Self::OverMpesaLimit => "PAYMENT_OVER_MPESA_LIMIT",
            Self::TooSoon => "PAYMENT_TOO_SOON",
            Self::Unreachable => "PAYMENT_MPESA_UNREACHABLE",
            Self::ProviderError | Self::FloatLow | Self::RecipientLimit => {
                "PAYMENT_FAILED_BY_MPESA"
            }
            Self::CardDeclined => "PAYMENT_CARD_DECLINED",
            Self::CardReversed => "PAYMENT_CARD_REVERSED",
            Self::CardUnreachable => "PAYMENT_CARD_UNREACHABLE",
            Self::CardError => "PAYMENT_CARD_FAILED",
            Self::AirtimeTooLow => "PAYMENT_AIRTIME_TOO_LOW",
            Self::AirtimeDeclined => "PAYMENT_AIRTIME_DECLINED",
            Self::AirtimeUnreachable => "PAYMENT_AIRTIME_UNREACHABLE",
            Self::AirtimeError => "PAYMENT_AIRTIME_FAILED",
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
