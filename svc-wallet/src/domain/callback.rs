//! Callbacks of providers.

/// The provider and the kind of a callback. The texts are the values of the column
/// `callback_inbox.provider`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum CallbackKind {
    /// The result of an M-Pesa STK push.
    MpesaStk,
    /// The result of a payout.
    MpesaB2c,
    /// The result of a reversal.
    MpesaReversal,
    /// A payout, a reversal, a query about one, or a balance query waited too long in Daraja's
    /// queue.
    MpesaTimeout,
    /// The result of a query about a payout or a reversal, or of a balance query.
    MpesaStatus,
    /// A notification of the carrier. It has an outbox topic of its own.
    Airtime,
    /// An event of the card provider. It has an outbox topic of its own.
    Paystack,
}
