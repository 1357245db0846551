//! `playon.games.v1.PlayService`.

use mesh::auth::player;
use proto::games::v1::{
    StartSessionRequest, StartSessionResponse, SubmitScoreRequest, SubmitScoreResponse,
    play_service_server::PlayService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

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
        let game = decode::game_id(&request.game_id)?;
        let started = app::start_session(&self.0, player.id, game, request.level).await?;
        Ok(Response::new(started.into()))
    }

    async fn submit_score(
        &self,
        request: Request<SubmitScoreRequest>,
    ) -> Result<Response<SubmitScoreResponse>, Status> {
        let request = request.into_inner();
        let ticket = decode::ticket(&request.session)?;
        let inputs = decode::inputs(request.inputs)?;
        let score = app::submit_score(&self.0, &ticket, inputs, request.points).await?;
        Ok(Response::new(score.into()))
    }
}
