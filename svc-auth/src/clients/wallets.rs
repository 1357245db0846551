//! svc-wallet, which keeps the money that erased accounts left.

use mesh::grpc::client::Upstream;
use proto::{
    timestamp,
    wallet::v1::{
        MoveFormerMoneyRequest, former_account_service_client::FormerAccountServiceClient,
    },
};
use time::OffsetDateTime;
use types::PlayerId;

/// A client of svc-wallet's internal RPC.
#[derive(Clone)]
pub(crate) struct Wallets(FormerAccountServiceClient<Upstream>);

impl Wallets {
    /// Builds a client on a channel to svc-wallet.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self(FormerAccountServiceClient::new(upstream))
    }

    /// Moves what an erased account left into a player's wallet; returns once it is moved.
    pub(crate) async fn move_former_money(
        &self,
        former: PlayerId,
        player: PlayerId,
        proven_at: OffsetDateTime,
    ) -> anyhow::Result<()> {
        let request = MoveFormerMoneyRequest {
            former_player_id: former.to_string(),
            player_id: player.to_string(),
            proven_at: Some(timestamp(proven_at)),
        };
        self.0.clone().move_former_money(request).await?;
        Ok(())
    }
}
