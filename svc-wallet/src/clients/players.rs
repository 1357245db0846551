//! svc-auth, as far as the wallet needs to know players.

use mesh::{Fault, grpc::client::Upstream};
use proto::auth::v1::{
    BatchGetPublicPlayersRequest, PublicPlayer, directory_service_client::DirectoryServiceClient,
};
use types::PlayerId;

use crate::error::Error;

/// Asks who players are, on behalf of the player in hand.
#[derive(Clone)]
pub struct Players {
    client: DirectoryServiceClient<Upstream>,
}

/// What a receipt may say of a player.
#[derive(Debug, Clone)]
pub struct Known {
    /// Who.
    pub id: PlayerId,
    /// What friends call them.
    pub name: String,
}

impl Players {
    /// Asks at `upstream`.
    pub fn new(upstream: Upstream) -> Self {
        Self { client: DirectoryServiceClient::new(upstream) }
    }

    /// Those of `ids` that exist, in one call.
    pub async fn get(&self, ids: &[PlayerId]) -> Result<Vec<Known>, Error> {
        let request =
            BatchGetPublicPlayersRequest { ids: ids.iter().map(ToString::to_string).collect() };
        let reply = self.client.clone().batch_get_public_players(request).await;
        match reply {
            Ok(reply) => reply.into_inner().players.into_iter().map(read).collect(),
            Err(status) => Err(Error::Neighbour(Fault::from_status(&status))),
        }
    }
}

fn read(player: PublicPlayer) -> Result<Known, Error> {
    let id = PlayerId::parse(&player.id).map_err(anyhow::Error::from)?;
    let name = player.username.or(player.name).unwrap_or_else(|| "a friend".to_owned());
    Ok(Known { id, name })
}
