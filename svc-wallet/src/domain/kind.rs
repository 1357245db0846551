//! The kinds of payments.

/// The purpose of a payment. The texts are the values of the column `payment.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum PaymentKind {
    /// A payment into the payer's own wallet.
    TopUp,
    /// A payment into a friend's wallet.
    Boost,
    /// A payment out of the payer's wallet, to a phone.
    Withdrawal,
    /// A payment for a package of 24 hours.
    Subscription,
}
