//! Refunds to cards.

use time::OffsetDateTime;
use types::Money;

use super::PaymentId;

types::id! {
    /// Identifies a refund to a card.
    pub(crate) CardRefundId: "refund"
}

/// The state of a refund. The texts are the values of the column `card_refund.state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum CardRefundState {
    /// The refund is stored, and not sent yet.
    Created,
    /// The refund was sent, or was about to be when the process died: it is looked for at the
    /// provider, and never sent again.
    Sending,
    /// The provider has the refund.
    Pending,
    /// The provider gave the money back.
    Done,
    /// The provider refused it: the money is in the wallet again.
    Failed,
}

/// Money that is given back to a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CardRefund {
    pub(crate) id: CardRefundId,
    pub(crate) payment: PaymentId,
    pub(crate) amount: Money,
    pub(crate) state: CardRefundState,
    /// The provider's id of the refund.
    pub(crate) provider_id: Option<String>,
    /// End of the lease under which a replica looks for the refund, by the database's clock.
    pub(crate) leased_until: Option<OffsetDateTime>,
    pub(crate) created_at: OffsetDateTime,
}

impl CardRefundState {
    /// Whether the provider has said how the refund ended.
    pub(crate) const fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Failed)
    }
}

impl CardRefund {
    /// Returns the note by which the refund is found at the provider.
    pub(crate) fn note(&self) -> String {
        format!("PlayOn refund {}", self.id)
    }
}
