//! `playon.games.v1.RunService`, for svc-tournament, and `RunAdminService`, for operators.

use mesh::auth::operator;
use proto::{
    games::v1::{
        DecideHeldRunRequest, DecideHeldRunResponse, GetGameProofRequest, GetGameProofResponse,
        GetHeldRunRequest, GetHeldRunResponse, GetOpenRunsRequest, GetOpenRunsResponse,
        GetPlayerRunRequest, GetPlayerRunResponse, ListGamePlayersRequest, ListGamePlayersResponse,
        ListHeldRunsRequest, ListHeldRunsResponse, ListTournamentRunsRequest,
        ListTournamentRunsResponse, ScreenRunsRequest, ScreenRunsResponse,
        run_admin_service_server::RunAdminService, run_service_server::RunService,
    },
    types::v1::Change as WireChange,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs for services of the mesh.
pub(super) struct Runs(pub(super) Cx);

#[tonic::async_trait]
impl RunService for Runs {
    async fn get_open_runs(
        &self,
        request: Request<GetOpenRunsRequest>,
    ) -> Result<Response<GetOpenRunsResponse>, Status> {
        let tournament = decode::tournament_id(&request.into_inner().tournament_id)?;
        let unfinished = app::get_open_runs(&self.0, tournament).await?;
        Ok(Response::new(GetOpenRunsResponse { unfinished }))
    }

    async fn list_game_players(
        &self,
        request: Request<ListGamePlayersRequest>,
    ) -> Result<Response<ListGamePlayersResponse>, Status> {
        let page = decode::players_of(request.into_inner())?;
        let (game_name, players) = app::list_game_players(&self.0, page).await?;
        let player_ids = players.iter().map(ToString::to_string).collect();
        Ok(Response::new(ListGamePlayersResponse { game_name, player_ids }))
    }

    async fn list_tournament_runs(
        &self,
        request: Request<ListTournamentRunsRequest>,
    ) -> Result<Response<ListTournamentRunsResponse>, Status> {
        let ListTournamentRunsRequest { tournament_id, player_ids } = request.get_ref();
        let (tournament, players) = decode::tournament_runs(tournament_id, player_ids)?;
        let runs = app::list_tournament_runs(&self.0, tournament, &players).await?;
        let runs = runs.into_iter().map(Into::into).collect();
        Ok(Response::new(ListTournamentRunsResponse { runs }))
    }

    async fn screen_runs(
        &self,
        request: Request<ScreenRunsRequest>,
    ) -> Result<Response<ScreenRunsResponse>, Status> {
        let ScreenRunsRequest { tournament_id, player_ids } = request.get_ref();
        let (tournament, players) = decode::tournament_runs(tournament_id, player_ids)?;
        let doubts = app::screen_runs(&self.0, tournament, &players).await?;
        let doubts = doubts.into_iter().map(Into::into).collect();
        Ok(Response::new(ScreenRunsResponse { doubts }))
    }

    async fn get_game_proof(
        &self,
        request: Request<GetGameProofRequest>,
    ) -> Result<Response<GetGameProofResponse>, Status> {
        let game = decode::game_id(&request.into_inner().game_id)?;
        Ok(Response::new(app::get_game_proof(&self.0, game).await?.into()))
    }
}

/// RPCs for operators.
pub(super) struct RunAdmin(pub(super) Cx);

#[tonic::async_trait]
impl RunAdminService for RunAdmin {
    async fn list_held_runs(
        &self,
        request: Request<ListHeldRunsRequest>,
    ) -> Result<Response<ListHeldRunsResponse>, Status> {
        operator(&request)?;
        let (after, limit) = decode::held_runs_page(&request.into_inner())?;
        let runs = app::list_held_runs(&self.0, after, limit).await?;
        let runs = runs.into_iter().map(Into::into).collect();
        Ok(Response::new(ListHeldRunsResponse { runs }))
    }

    async fn get_held_run(
        &self,
        request: Request<GetHeldRunRequest>,
    ) -> Result<Response<GetHeldRunResponse>, Status> {
        operator(&request)?;
        let session = decode::held_run_id(&request.into_inner().session_id)?;
        let (run, watch) = app::get_held_run(&self.0, session).await?;
        Ok(Response::new(GetHeldRunResponse {
            run: Some(run.into()),
            watch: watch.map(Into::into),
        }))
    }

    async fn get_player_run(
        &self,
        request: Request<GetPlayerRunRequest>,
    ) -> Result<Response<GetPlayerRunResponse>, Status> {
        operator(&request)?;
        let GetPlayerRunRequest { tournament_id, player_id } = request.into_inner();
        let (tournament, player) = decode::tournament_run(&tournament_id, &player_id)?;
        let run = app::get_player_run(&self.0, tournament, player).await?;
        Ok(Response::new(GetPlayerRunResponse { run: Some(run.into()) }))
    }

    async fn decide_held_run(
        &self,
        request: Request<DecideHeldRunRequest>,
    ) -> Result<Response<DecideHeldRunResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let session = decode::held_run_id(&request.session_id)?;
        let (decision, reason) = decode::decision(&request)?;
        let change = app::decide_held_run(&self.0, &operator, session, decision, reason).await?;
        Ok(Response::new(DecideHeldRunResponse { change: WireChange::from(change).into() }))
    }
}
