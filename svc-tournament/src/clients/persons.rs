//! The client of svc-auth, which compares the winners of money and knows who is on a break.

use std::collections::HashSet;

use anyhow::Context as _;
use mesh::{Fault, grpc::client::Upstream};
use proto::auth::v1::{
    CompareIdentitiesRequest, IdentityKind as WireKind, ListPlayersOnBreakRequest,
    SharedIdentity as WireShared, person_service_client::PersonServiceClient,
};
use types::PlayerId;

use crate::{
    domain::{IdentityKind, SharedIdentity},
    error::Error,
};

/// A client of svc-auth's answers about players.
#[derive(Clone)]
pub(crate) struct Persons(PersonServiceClient<Upstream>);

/// What players share, and who of them has no phone.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) shared: Vec<SharedIdentity>,
    pub(crate) without_phone: HashSet<PlayerId>,
}

impl Persons {
    /// A client on a channel to svc-auth.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self(PersonServiceClient::new(upstream))
    }

    /// Compares at most 1,000 players.
    pub(crate) async fn compare(&self, players: &[PlayerId]) -> Result<Compared, Error> {
        let player_ids = players.iter().map(ToString::to_string).collect();
        let reply =
            self.0.clone().compare_identities(CompareIdentitiesRequest { player_ids }).await;
        let reply = reply.map_err(|status| Fault::from_status(&status))?.into_inner();
        let shared = reply.shared.iter().map(identity).collect::<anyhow::Result<_>>()?;
        let without_phone = parsed(&reply.without_phone)?.into_iter().collect();
        Ok(Compared { shared, without_phone })
    }

    /// Returns those of at most 1,000 players who are on a break.
    pub(crate) async fn on_break(&self, players: &[PlayerId]) -> Result<HashSet<PlayerId>, Error> {
        let player_ids = players.iter().map(ToString::to_string).collect();
        let reply =
            self.0.clone().list_players_on_break(ListPlayersOnBreakRequest { player_ids }).await;
        let reply = reply.map_err(|status| Fault::from_status(&status))?.into_inner();
        Ok(parsed(&reply.player_ids)?.into_iter().collect())
    }
}

fn identity(shared: &WireShared) -> anyhow::Result<SharedIdentity> {
    let kind = match shared.kind() {
        WireKind::Device => IdentityKind::Device,
        WireKind::Phone => IdentityKind::Phone,
        WireKind::Unspecified => anyhow::bail!("svc-auth named an identity without a kind"),
    };
    Ok(SharedIdentity { kind, players: parsed(&shared.player_ids)? })
}

fn parsed(ids: &[String]) -> anyhow::Result<Vec<PlayerId>> {
    let ids = ids.iter().map(|id| PlayerId::parse(id)).collect::<Result<_, _>>();
    ids.context("svc-auth named a malformed id")
}
