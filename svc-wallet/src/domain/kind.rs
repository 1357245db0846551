//! What a payment is for.

/// What a payment is for. The texts are the values of the column `payment.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum Kind {
    /// Into the payer's own wallet.
    TopUp,
    /// Into a friend's wallet.
    Boost,
    /// Out of the payer's wallet, to a phone.
    Withdrawal,
    /// For a package of 24 hours.
    Subscription,
}
