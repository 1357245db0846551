//! `playon.tournament.v1.TournamentService`.

use std::pin::Pin;

use mesh::{auth::player, call::Call};
use proto::tournament::v1::{
    GetLeaderboardRequest, GetLeaderboardResponse, GetResultProofRequest, GetResultProofResponse,
    GetTournamentRequest, GetTournamentResponse, ListAwardsRequest, ListAwardsResponse,
    ListHallOfFameRequest, ListHallOfFameResponse, ListTournamentsRequest, ListTournamentsResponse,
    WatchStandingsRequest, WatchStandingsResponse, tournament_service_server::TournamentService,
};
use tokio_stream::{Stream, StreamExt, wrappers::ReceiverStream};
use tonic::{Request, Response, Status};

use super::{decode, encode};
use crate::app::{self, Cx};

/// RPCs for players and guests.
pub(super) struct Tournaments(pub(super) Cx);

#[tonic::async_trait]
impl TournamentService for Tournaments {
    async fn list_tournaments(
        &self,
        _: Request<ListTournamentsRequest>,
    ) -> Result<Response<ListTournamentsResponse>, Status> {
        let tournaments = app::list_tournaments(&self.0).await?;
        let language = Call::current().language;
        let tournaments = tournaments.into_iter();
        let tournaments = tournaments.map(|one| encode::tournament(one, language)).collect();
        Ok(Response::new(ListTournamentsResponse { tournaments }))
    }

    async fn get_tournament(
        &self,
        request: Request<GetTournamentRequest>,
    ) -> Result<Response<GetTournamentResponse>, Status> {
        let id = decode::tournament_id(&request.into_inner().id)?;
        let tournament = app::get_tournament(&self.0, id).await?;
        let tournament = encode::tournament(tournament, Call::current().language);
        Ok(Response::new(GetTournamentResponse { tournament: Some(tournament) }))
    }

    async fn list_awards(
        &self,
        request: Request<ListAwardsRequest>,
    ) -> Result<Response<ListAwardsResponse>, Status> {
        let id = decode::tournament_id(&request.into_inner().tournament_id)?;
        let awards = app::list_awards(&self.0, id).await?;
        let language = Call::current().language;
        let awards = awards.into_iter().map(|award| encode::award(award, language)).collect();
        Ok(Response::new(ListAwardsResponse { awards }))
    }

    async fn get_leaderboard(
        &self,
        request: Request<GetLeaderboardRequest>,
    ) -> Result<Response<GetLeaderboardResponse>, Status> {
        let player = player(&request)?;
        let request = request.into_inner();
        let id = decode::tournament_id(&request.tournament_id)?;
        let page = decode::page(&request)?;
        Ok(Response::new(app::get_leaderboard(&self.0, id, player.id, page).await?.into()))
    }

    async fn get_result_proof(
        &self,
        request: Request<GetResultProofRequest>,
    ) -> Result<Response<GetResultProofResponse>, Status> {
        let id = decode::tournament_id(&request.into_inner().tournament_id)?;
        Ok(Response::new(app::get_result_proof(&self.0, id).await?.into()))
    }

    async fn list_hall_of_fame(
        &self,
        _: Request<ListHallOfFameRequest>,
    ) -> Result<Response<ListHallOfFameResponse>, Status> {
        let entries = app::list_hall_of_fame(&self.0).await?;
        let language = Call::current().language;
        let entries =
            entries.into_iter().map(|entry| encode::fame_entry(entry, language)).collect();
        Ok(Response::new(ListHallOfFameResponse { entries }))
    }

    type WatchStandingsStream =
        Pin<Box<dyn Stream<Item = Result<WatchStandingsResponse, Status>> + Send>>;

    async fn watch_standings(
        &self,
        request: Request<WatchStandingsRequest>,
    ) -> Result<Response<Self::WatchStandingsStream>, Status> {
        let player = player(&request)?;
        let ids = decode::watched(request.get_ref())?;
        let updates = app::watch_standings(&self.0, player, ids).await?;
        let updates = ReceiverStream::new(updates).map(|state| Ok(state?.into()));
        Ok(Response::new(Box::pin(updates)))
    }
}
