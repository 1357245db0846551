//! `playon.auth.v1.PersonService`.

use proto::auth::v1::{
    CompareIdentitiesRequest, CompareIdentitiesResponse, IdentityKind as WireKind,
    SharedIdentity as WireShared, person_service_server::PersonService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::{
    app::{self, Cx},
    domain::{IdentityKind, SharedIdentity},
};

/// Comparisons of players, for svc-tournament.
pub(super) struct Persons(pub(super) Cx);

#[tonic::async_trait]
impl PersonService for Persons {
    async fn compare_identities(
        &self,
        request: Request<CompareIdentitiesRequest>,
    ) -> Result<Response<CompareIdentitiesResponse>, Status> {
        let players = decode::compared_players(request.get_ref())?;
        let compared = app::compare_identities(&self.0, &players).await?;
        Ok(Response::new(CompareIdentitiesResponse {
            shared: compared.shared.into_iter().map(Into::into).collect(),
            without_phone: compared.without_phone.iter().map(ToString::to_string).collect(),
        }))
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
