//! `playon.games.v1.PlayService`.

use mesh::auth::player;
use proto::games::v1::{
    BeginRunRequest, BeginRunResponse, CommitPieceRequest, CommitPieceResponse, GetBestRunRequest,
    GetBestRunResponse, GetRunsLeftRequest, GetRunsLeftResponse, GetTournamentRunRequest,
    GetTournamentRunResponse, StartSessionRequest, StartSessionResponse, SubmitScoreRequest,
    SubmitScoreResponse, play_service_server::PlayService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Choice, CommittedPiece, Cx, SubmittedRun};

/// RPCs of a run.
pub(super) struct Play(pub(super) Cx);

#[tonic::async_trait]
impl PlayService for Play {
    async fn start_session(
        &self,
        request: Request<StartSessionRequest>,
    ) -> Result<Response<StartSessionResponse>, Status> {
        let player = player(&request)?;
        let request = request.into_inner();
        let choice = Choice {
            game: decode::game_id(&request.game_id)?,
            level: request.level,
            tournament: decode::optional_tournament_id(&request.tournament_id)?,
        };
        let started = app::start_session(&self.0, player.id, choice).await?;
        Ok(Response::new(started.into()))
    }

    async fn begin_run(
        &self,
        request: Request<BeginRunRequest>,
    ) -> Result<Response<BeginRunResponse>, Status> {
        let ticket = decode::ticket(&request.into_inner().session)?;
        let begun = app::begin_run(&self.0, &ticket).await?;
        Ok(Response::new(begun.into()))
    }

    async fn commit_piece(
        &self,
        request: Request<CommitPieceRequest>,
    ) -> Result<Response<CommitPieceResponse>, Status> {
        let request = request.into_inner();
        let ticket = decode::ticket(&request.session)?;
        let piece = CommittedPiece {
            index: usize::try_from(request.index).unwrap_or(usize::MAX),
            inputs: decode::inputs(request.inputs)?,
        };
        let seed = app::commit_piece(&self.0, &ticket, &piece).await?;
        Ok(Response::new(CommitPieceResponse { seed }))
    }

    async fn get_runs_left(
        &self,
        request: Request<GetRunsLeftRequest>,
    ) -> Result<Response<GetRunsLeftResponse>, Status> {
        let player = player(&request)?;
        let tournament = decode::tournament_id(&request.into_inner().tournament_id)?;
        let left = app::get_runs_left(&self.0, player.id, tournament).await?;
        Ok(Response::new(left.into()))
    }

    async fn submit_score(
        &self,
        request: Request<SubmitScoreRequest>,
    ) -> Result<Response<SubmitScoreResponse>, Status> {
        let request = request.into_inner();
        let ticket = decode::ticket(&request.session)?;
        let inputs = decode::inputs(request.inputs)?;
        let run = SubmittedRun { inputs, points: request.points, signature: request.signature };
        let score = app::submit_score(&self.0, &ticket, &run).await?;
        Ok(Response::new(score.into()))
    }

    async fn get_best_run(
        &self,
        request: Request<GetBestRunRequest>,
    ) -> Result<Response<GetBestRunResponse>, Status> {
        let player = player(&request)?;
        let game = decode::game_of_run(&request.into_inner().game_id)?;
        let run = app::get_best_run(&self.0, player.id, game).await?;
        Ok(Response::new(GetBestRunResponse { run: run.map(Into::into) }))
    }

    async fn get_tournament_run(
        &self,
        request: Request<GetTournamentRunRequest>,
    ) -> Result<Response<GetTournamentRunResponse>, Status> {
        let caller = player(&request)?;
        let GetTournamentRunRequest { tournament_id, player_id } = request.into_inner();
        let (tournament, player) = decode::tournament_run(&tournament_id, &player_id)?;
        let run = app::get_tournament_run(&self.0, caller.id, tournament, player).await?;
        Ok(Response::new(GetTournamentRunResponse { run: Some(run.into()) }))
    }
}
