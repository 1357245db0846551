//! Ways to pay.

use types::{Id, Noun};

use super::Kind;

/// The noun of [`MethodId`].
pub enum MethodNoun {}
impl Noun for MethodNoun {
    const NAME: &'static str = "payment method";
}

/// A payment method's id.
pub type MethodId = Id<MethodNoun>;

/// A method as players choose it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// What clients name it by.
    pub id: MethodId,
    /// Which one it is.
    pub method: Method,
    /// What players call it.
    pub name: String,
}

/// A payment method, by the specification's codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Safaricom's mobile money.
    Mpesa,
    /// A bank card.
    Card,
    /// What the player has on PlayOn already.
    Wallet,
    /// Safaricom airtime.
    SafaricomCredit,
    /// PayPal.
    Paypal,
}

/// Whether a method can be had for a kind of payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// Yes.
    Now,
    /// Later: 'coming soon'.
    Soon,
    /// Never (specification, section 5).
    Never,
}

impl Method {
    /// The specification's code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Mpesa => "MPESA",
            Self::Card => "CARD",
            Self::Wallet => "WALLET",
            Self::SafaricomCredit => "SAFARICOM_CREDIT",
            Self::Paypal => "PAYPAL",
        }
    }

    /// Whether it is offered for `kind`.
    pub const fn offer(self, kind: Kind) -> Offer {
        match (self, kind) {
            (Self::Mpesa, _) | (Self::Wallet, Kind::Boost) => Offer::Now,
            (Self::Card | Self::Paypal, _) => Offer::Soon,
            (Self::Wallet, Kind::TopUp) | (Self::SafaricomCredit, _) => Offer::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wallet_cannot_fill_itself() {
        assert_eq!(Method::Wallet.offer(Kind::TopUp), Offer::Never);
        assert_eq!(Method::Wallet.offer(Kind::Boost), Offer::Now);
    }
}
