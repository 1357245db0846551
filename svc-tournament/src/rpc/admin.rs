//! `playon.tournament.v1.TournamentAdminService`.

use mesh::{auth::operator, content::Application};
use proto::{
    tournament::v1::{
        ApplyTournamentRequest, ApplyTournamentResponse, DeleteTournamentRequest,
        DeleteTournamentResponse, ListTournamentManifestsRequest, ListTournamentManifestsResponse,
        tournament_admin_service_server::TournamentAdminService,
    },
    types::v1::Change as WireChange,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs for operators.
pub(super) struct Admin(pub(super) Cx);

#[tonic::async_trait]
impl TournamentAdminService for Admin {
    async fn apply_tournament(
        &self,
        request: Request<ApplyTournamentRequest>,
    ) -> Result<Response<ApplyTournamentResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let by = Application { operator, dry_run: request.dry_run };
        let tournament = decode::manifest(request.tournament.unwrap_or_default())?;
        let change = app::apply_tournament(&self.0, &by, tournament).await?;
        Ok(Response::new(ApplyTournamentResponse { change: WireChange::from(change).into() }))
    }

    async fn delete_tournament(
        &self,
        request: Request<DeleteTournamentRequest>,
    ) -> Result<Response<DeleteTournamentResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let by = Application { operator, dry_run: request.dry_run };
        let key = decode::key(&request.key)?;
        let change = app::delete_tournament(&self.0, &by, &key).await?;
        Ok(Response::new(DeleteTournamentResponse { change: WireChange::from(change).into() }))
    }

    async fn list_tournament_manifests(
        &self,
        request: Request<ListTournamentManifestsRequest>,
    ) -> Result<Response<ListTournamentManifestsResponse>, Status> {
        operator(&request)?;
        let request = request.into_inner();
        let limit = decode::manifests_limit(request.page_size)?;
        let manifests = app::list_manifests(&self.0, &request.after_key, limit).await?;
        let tournaments = manifests.into_iter().map(Into::into).collect();
        Ok(Response::new(ListTournamentManifestsResponse { tournaments }))
    }
}
