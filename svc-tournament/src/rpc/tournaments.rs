//! `playon.tournament.v1.TournamentService`.

use proto::tournament::v1::{
    GetTournamentRequest, GetTournamentResponse, ListTournamentsRequest, ListTournamentsResponse,
    tournament_service_server::TournamentService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs that anyone may call.
pub(super) struct Tournaments(pub(super) Cx);

#[tonic::async_trait]
impl TournamentService for Tournaments {
    async fn list_tournaments(
        &self,
        _: Request<ListTournamentsRequest>,
    ) -> Result<Response<ListTournamentsResponse>, Status> {
        let tournaments = app::list_tournaments(&self.0).await?;
        let tournaments = tournaments.into_iter().map(Into::into).collect();
        Ok(Response::new(ListTournamentsResponse { tournaments }))
    }

    async fn get_tournament(
        &self,
        request: Request<GetTournamentRequest>,
    ) -> Result<Response<GetTournamentResponse>, Status> {
        let id = decode::tournament_id(&request.into_inner().id)?;
        let tournament = app::get_tournament(&self.0, id).await?;
        Ok(Response::new(GetTournamentResponse { tournament: Some(tournament.into()) }))
    }
}
