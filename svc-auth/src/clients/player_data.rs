//! The other services, as far as they store data about players.

use futures_util::stream::BoxStream;
use mesh::grpc::{
    client::Upstream,
    player_data::{PlayerRecord, list_player_data},
};
use types::PlayerId;

use crate::domain::Source;

/// Clients of `PlayerDataService` of all other services.
#[derive(Clone)]
pub(crate) struct PlayerDataSources {
    pub(crate) wallet: Upstream,
    pub(crate) games: Upstream,
    pub(crate) tournament: Upstream,
    pub(crate) chat: Upstream,
}

impl PlayerDataSources {
    /// Reads what a service stores about a player; `None` for svc-auth, which is this one.
    pub(crate) async fn list(
        &self,
        source: Source,
        player: PlayerId,
    ) -> anyhow::Result<Option<BoxStream<'static, anyhow::Result<PlayerRecord>>>> {
        let upstream = match source {
            Source::Auth => return Ok(None),
            Source::Wallet => &self.wallet,
            Source::Games => &self.games,
            Source::Tournament => &self.tournament,
            Source::Chat => &self.chat,
        };
        list_player_data(upstream.clone(), player).await.map(Some)
    }
}
