//! Payment methods.

use types::LocalText;

use super::PaymentKind;

types::id! {
    /// Identifies a payment method.
    pub(crate) MethodId: "payment method"
}

/// A method as players choose it.
#[derive(Debug, Clone)]
pub(crate) struct ListedMethod {
    pub(crate) id: MethodId,
    pub(crate) method: Method,
    /// The name that players read: `M-Pesa`.
    pub(crate) name: LocalText,
}

/// A payment method. The texts are the specification's codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Method {
    /// Safaricom's mobile money.
    Mpesa,
    /// A bank card.
    Card,
    /// The player's balance on PlayOn.
    Wallet,
    /// Safaricom airtime.
    SafaricomCredit,
    /// The online wallet of that name.
    Paypal,
}

/// Whether a method is available for a kind of payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Availability {
    /// The method can be used.
    Available,
    /// The method is listed as 'coming soon'.
    ComingSoon,
    /// The method is not offered (specification, section 5).
    NotOffered,
}

impl Method {
    const ALL: [Self; 5] =
        [Self::Mpesa, Self::Card, Self::Wallet, Self::SafaricomCredit, Self::Paypal];

    /// Returns the specification's code.
    pub(crate) fn code(self) -> &'static str {
        self.into()
    }

    /// Returns the key by which operators name the method.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Mpesa => "mpesa",
            Self::Card => "card",
            Self::Wallet => "wallet",
            Self::SafaricomCredit => "safaricom-credit",
            Self::Paypal => "paypal",
        }
    }

    /// Returns the method with an operator's key.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.key() == key)
    }

    /// Returns whether the method is available for `kind`.
    pub(crate) const fn availability(self, kind: PaymentKind) -> Availability {
        match (self, kind) {
            (Self::Mpesa, _) | (Self::Wallet, PaymentKind::Boost) => Availability::Available,
            (Self::Card, PaymentKind::Withdrawal) => Availability::NotOffered,
            (Self::Card, PaymentKind::TopUp | PaymentKind::Boost | PaymentKind::Subscription) => {
                Availability::Available
            }
            (Self::Paypal, _) => Availability::ComingSoon,
            (Self::Wallet | Self::SafaricomCredit, PaymentKind::Subscription) => {
                Availability::Available
            }
            (Self::Wallet, PaymentKind::TopUp | PaymentKind::Withdrawal)
            | (
                Self::SafaricomCredit,
                PaymentKind::TopUp | PaymentKind::Boost | PaymentKind::Withdrawal,
            ) => Availability::NotOffered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wallet_pays_for_boosts_and_not_for_top_ups() {
        assert_eq!(Method::Wallet.availability(PaymentKind::TopUp), Availability::NotOffered);
        assert_eq!(Method::Wallet.availability(PaymentKind::Boost), Availability::Available);
    }

    #[test]
    fn a_card_pays_for_everything_but_withdrawals() {
        for kind in [PaymentKind::TopUp, PaymentKind::Boost, PaymentKind::Subscription] {
            assert_eq!(Method::Card.availability(kind), Availability::Available, "{kind:?}");
        }
        assert_eq!(Method::Card.availability(PaymentKind::Withdrawal), Availability::NotOffered);
    }

    #[test]
    fn the_texts_are_the_codes_of_the_specification() {
        for code in ["MPESA", "CARD", "WALLET", "SAFARICOM_CREDIT", "PAYPAL"] {
            assert_eq!(code.parse().map(Method::code), Ok(code));
        }
    }

    #[test]
    fn operators_name_each_method() {
        for method in Method::ALL {
            assert_eq!(Method::of_key(method.key()), Some(method));
        }
        assert_eq!(Method::of_key("MPESA"), None);
    }
}
