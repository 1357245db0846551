//! The public players of svc-auth.

use std::{collections::HashMap, sync::Arc};

use mesh::{Aged, Fault, grpc::client::Upstream};
use proto::{
    auth::v1::{
        BatchGetPublicPlayersRequest, GetOwnPhoneRequest, GetPayoutPhoneRequest,
        PublicPlayer as WirePublicPlayer, directory_service_client::DirectoryServiceClient,
    },
    from_timestamp,
};
use time::{Duration, OffsetDateTime};
use types::{Clock, Msisdn, PlayerId};

use crate::error::Error;

/// Lifetime of a cached name. A changed name, and that of an erased player, is shown up to this
/// much longer.
const NAME_TTL: Duration = Duration::minutes(5);
/// Maximum cached names: about 10 MiB.
const NAMES: usize = 65_536;
/// The contract's limit of ids in one call.
const BATCH: usize = 100;

/// A client of svc-auth's directory. Calls carry the token of the player whose call is
/// being served.
#[derive(Clone)]
pub(crate) struct Players {
    client: DirectoryServiceClient<Upstream>,
    names: Aged<PlayerId, Arc<str>>,
}

/// The public data of a player that a receipt may show.
#[derive(Debug, Clone)]
struct PublicPlayer {
    id: PlayerId,
    /// The username, or else the name.
    name: String,
}

impl Players {
    /// Builds a client on a channel to svc-auth.
    pub(crate) fn new(upstream: Upstream, clock: Clock) -> Self {
        let names = Aged::new(NAMES, NAME_TTL, clock);
        Self { client: DirectoryServiceClient::new(upstream), names }
    }

    /// Returns the names of those of `ids` that exist: the username, or else the name. Cached names
    /// need no call.
    pub(crate) async fn names(
        &self,
        ids: &[PlayerId],
    ) -> Result<HashMap<PlayerId, Arc<str>>, Error> {
        let (mut found, mut missing) = (HashMap::with_capacity(ids.len()), Vec::new());
        for id in ids {
            match self.names.get(id) {
                Some(name) => drop(found.insert(*id, name)),
                None if !missing.contains(id) => missing.push(*id),
                None => {}
            }
        }
        for batch in missing.chunks(BATCH) {
            for player in self.get(batch).await? {
                let name: Arc<str> = player.name.into();
                self.names.insert(player.id, Arc::clone(&name));
                found.insert(player.id, name);
            }
        }
        Ok(found)
    }

    /// Returns the phone number of the player whose call is being served, if the profile has one. A
    /// refusal by svc-auth is passed on.
    pub(crate) async fn own_phone(&self) -> Result<Option<String>, Error> {
        let reply = self.client.clone().get_own_phone(GetOwnPhoneRequest {}).await;
        let reply = reply.map_err(|status| Fault::from_status(&status))?;
        Ok(reply.into_inner().phone)
    }

    /// Returns from when withdrawals of the player whose call is being served may go to a phone;
    /// `None` when the player has not proven it. A refusal by svc-auth is passed on.
    pub(crate) async fn payout_phone_opens_at(
        &self,
        phone: &Msisdn,
    ) -> Result<Option<OffsetDateTime>, Error> {
        let request = GetPayoutPhoneRequest { phone: phone.e164() };
        let reply = self.client.clone().get_payout_phone(request).await;
        let reply = reply.map_err(|status| Fault::from_status(&status))?.into_inner();
        // A time out of range refuses the phone, too.
        Ok(from_timestamp(reply.opens_at, "opens_at").ok())
    }

    /// Returns the players among `ids` that exist, in one call. A refusal by svc-auth is passed on.
    async fn get(&self, ids: &[PlayerId]) -> Result<Vec<PublicPlayer>, Error> {
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
