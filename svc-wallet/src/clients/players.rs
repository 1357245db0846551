//! The public players of svc-auth.

use mesh::{Fault, grpc::client::Upstream};
use proto::auth::v1::{
    BatchGetPublicPlayersRequest, PublicPlayer as WirePublicPlayer,
    directory_service_client::DirectoryServiceClient,
};
use types::PlayerId;

use crate::error::Error;

/// A client of svc-auth's directory. Calls carry the token of the player whose call is
/// being served.
#[derive(Clone)]
pub(crate) struct Players {
    client: DirectoryServiceClient<Upstream>,
}

/// What a receipt may show of a player.
#[derive(Debug, Clone)]
pub(crate) struct PublicPlayer {
    pub(crate) id: PlayerId,
    /// The username, or else the name.
    pub(crate) name: String,
}

impl Players {
    /// A client on a channel to svc-auth.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self { client: DirectoryServiceClient::new(upstream) }
    }

    /// Those of `ids` that exist, in one call. A refusal of svc-auth is passed on.
    pub(crate) async fn get(&self, ids: &[PlayerId]) -> Result<Vec<PublicPlayer>, Error> {
        let request =
            BatchGetPublicPlayersRequest { ids: ids.iter().map(ToString::to_string).collect() };
        let reply = self.client.clone().batch_get_public_players(request).await;
        let reply = reply.map_err(|status| Fault::from_status(&status))?;
        reply.into_inner().players.into_iter().map(decode).collect()
    }
}

fn decode(player: WirePublicPlayer) -> Result<PublicPlayer, Error> {
    let id = PlayerId::parse(&player.id).map_err(anyhow::Error::from)?;
    let name = player.username.or(player.name).unwrap_or_else(|| "a friend".to_owned());
    Ok(PublicPlayer { id, name })
}
