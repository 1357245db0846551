//! `playon.tournament.v1.TournamentService`.

use proto::tournament::v1::{
    GetTournamentRequest, GetTournamentResponse, ListTournamentsRequest, ListTournamentsResponse,
    tournament_service_server::TournamentService,
};
use tonic::{Request, Response, Status};

use crate::{
    app::{self, Cx},
    domain::TournamentId,
    error::{Error, Refused},
};

/// What anyone may ask.
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
        // A text that is no id names nothing.
        let id = TournamentId::parse(&request.into_inner().id)
            .map_err(|_| Error::from(Refused::TournamentNotFound))?;
        let tournament = app::get_tournament(&self.0, id).await?;
        Ok(Response::new(GetTournamentResponse { tournament: Some(tournament.into()) }))
    }
}
