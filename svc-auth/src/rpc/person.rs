//! `playon.auth.v1.PersonService`.

use proto::auth::v1::{
    CompareIdentitiesRequest, CompareIdentitiesResponse, IdentityKind as WireKind,
    ListPlayersOnBreakRequest, ListPlayersOnBreakResponse, SharedIdentity as WireShared,
    person_service_server::PersonService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::{
    app::{self, Cx},
    domain::{IdentityKind, SharedIdentity},
};

/// Answers about players, for svc-tournament.
pub(super) struct Persons(pub(super) Cx);

#[tonic::async_trait]
impl PersonService for Persons {
    async fn compare_identities(
        &self,
        request: Request<CompareIdentitiesRequest>,
    ) -> Result<Response<CompareIdentitiesResponse>, Status> {
        let players = decode::persons(&request.get_ref().player_ids)?;
        let compared = app::compare_identities(&self.0, &players).await?;
        Ok(Response::new(CompareIdentitiesResponse {
            shared: compared.shared.into_iter().map(Into::into).collect(),
            without_phone: compared.without_phone.iter().map(ToString::to_string).collect(),
        }))
    }

    async fn list_players_on_break(
        &self,
        request: Request<ListPlayersOnBreakRequest>,
    ) -> Result<Response<ListPlayersOnBreakResponse>, Status> {
        let players = decode::persons(&request.get_ref().player_ids)?;
        let on_break = app::list_players_on_break(&self.0, &players).await?;
        let player_ids = on_break.iter().map(ToString::to_string).collect();
        Ok(Response::new(ListPlayersOnBreakResponse { player_ids }))
    }
}

impl From<SharedIdentity> for WireShared {
    fn from(shared: SharedIdentity) -> Self {
        let kind = match shared.kind {
            IdentityKind::Device => WireKind::Device,
            IdentityKind::Phone => WireKind::Phone,
        };
        Self {
            kind: kind.into(),
            player_ids: shared.players.iter().map(ToString::to_string).collect(),
        }
    }
}
