//! The other services, as far as they store data about players.

use mesh::grpc::{
    client::Upstream,
    player_data::{PlayerRecord, list_player_data},
};
use types::PlayerId;

/// Clients of `PlayerDataService` of all other services.
#[derive(Clone)]
pub(crate) struct PlayerDataSources {
    pub(crate) wallet: Upstream,
    pub(crate) games: Upstream,
    pub(crate) tournament: Upstream,
    pub(crate) chat: Upstream,
}

impl PlayerDataSources {
    /// Reads what svc-wallet stores about a player.
    pub(crate) async fn wallet(&self, player: PlayerId) -> anyhow::Result<Vec<PlayerRecord>> {
        list_player_data(self.wallet.clone(), player).await
    }

    /// Reads what svc-games stores about a player.
    pub(crate) async fn games(&self, player: PlayerId) -> anyhow::Result<Vec<PlayerRecord>> {
        list_player_data(self.games.clone(), player).await
    }

    /// Reads what svc-tournament stores about a player.
    pub(crate) async fn tournament(&self, player: PlayerId) -> anyhow::Result<Vec<PlayerRecord>> {
        list_player_data(self.tournament.clone(), player).await
    }

    /// Reads what svc-chat stores about a player.
    pub(crate) async fn chat(&self, player: PlayerId) -> anyhow::Result<Vec<PlayerRecord>> {
        list_player_data(self.chat.clone(), player).await
    }
}
