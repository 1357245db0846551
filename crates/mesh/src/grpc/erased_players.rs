//! Reads svc-auth's list of erased accounts, for services that store data about players.

use anyhow::anyhow;
use proto::{
    Absent,
    auth::v1::{
        self as rpc, ListErasedPlayersRequest, erasure_service_client::ErasureServiceClient,
    },
    from_timestamp, timestamp,
};
use types::{ErasedPlayer, PlayerId};

use crate::{Fault, grpc::client::Upstream};

/// A client of svc-auth's list of erased accounts.
#[derive(Clone)]
pub struct ErasedPlayers(ErasureServiceClient<Upstream>);

impl ErasedPlayers {
    /// A client on a channel to svc-auth.
    pub fn new(auth: Upstream) -> Self {
        Self(ErasureServiceClient::new(auth))
    }

    /// Returns the next 100 players whose accounts were erased, after the last one that is known.
    ///
    /// # Errors
    ///
    /// svc-auth's error, or an internal one when its reply is incomplete.
    pub async fn after(&self, last: Option<ErasedPlayer>) -> Result<Vec<ErasedPlayer>, Fault> {
        let after = last.map(|player| rpc::ErasedPlayer {
            id: player.id.to_string(),
            erased_at: Some(timestamp(player.at)),
        });
        let reply = self.0.clone().list_erased_players(ListErasedPlayersRequest { after }).await;
        let players = reply.map_err(|status| Fault::from_status(&status))?.into_inner().players;
        let erased: anyhow::Result<Vec<_>> = players.into_iter().map(read).collect();
        erased.map_err(|error| Fault::failure(&error))
    }
}

fn read(player: rpc::ErasedPlayer) -> anyhow::Result<ErasedPlayer> {
    let id = PlayerId::parse(&player.id)?;
    let at = from_timestamp(player.erased_at, "erased_at")
        .map_err(|Absent(name)| anyhow!("svc-auth sent no {name}"))?;
    Ok(ErasedPlayer { at, id })
}
