//! Ways to pay.

use super::Kind;

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
