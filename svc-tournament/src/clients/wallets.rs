//! svc-wallet, which pays awards.

use mesh::grpc::client::Upstream;
use proto::{
    timestamp,
    wallet::v1::{PayAwardRequest, award_service_client::AwardServiceClient},
};
use time::OffsetDateTime;
use types::{Money, PlayerId, uuid::Uuid};

/// A client of svc-wallet's internal RPC.
#[derive(Clone)]
pub(crate) struct Wallets {
    client: AwardServiceClient<Upstream>,
}

/// An award of money. svc-wallet pays one for each id, however often it is sent.
#[derive(Debug, Clone)]
pub(crate) struct CashAward<'a> {
    pub(crate) id: Uuid,
    pub(crate) player: PlayerId,
    pub(crate) amount: Money,
    /// The line on the player's receipt.
    pub(crate) detail: &'a str,
    pub(crate) awarded_at: OffsetDateTime,
}

impl Wallets {
    /// A client on a channel to svc-wallet.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self { client: AwardServiceClient::new(upstream) }
    }

    /// Returns once the money is in the player's wallet.
    pub(crate) async fn pay(&self, award: CashAward<'_>) -> anyhow::Result<()> {
        let request = PayAwardRequest {
            award_id: award.id.to_string(),
            player_id: award.player.to_string(),
            amount: Some(award.amount.into()),
            detail: award.detail.to_owned(),
            awarded_at: Some(timestamp(award.awarded_at)),
        };
        self.client.clone().pay_award(request).await?;
        Ok(())
    }
}
