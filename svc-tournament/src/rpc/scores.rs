//! `playon.tournament.v1.ScoreService`.

use proto::tournament::v1::{
    GetCashAtStakeRequest, GetCashAtStakeResponse, GetPodiumRequest, GetPodiumResponse,
    GetRoundRequest, GetRoundResponse, RecordScoreRequest, RecordScoreResponse,
    score_service_server::ScoreService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs for svc-games.
pub(super) struct Scores(pub(super) Cx);

#[tonic::async_trait]
impl ScoreService for Scores {
    async fn get_round(
        &self,
        request: Request<GetRoundRequest>,
    ) -> Result<Response<GetRoundResponse>, Status> {
        let id = decode::tournament_id(&request.into_inner().tournament_id)?;
        Ok(Response::new(app::get_round(&self.0, id).await?.into()))
    }

    async fn record_score(
        &self,
        request: Request<RecordScoreRequest>,
    ) -> Result<Response<RecordScoreResponse>, Status> {
        let score = decode::score(&request.into_inner())?;
        Ok(Response::new(app::record_score(&self.0, &score).await?.into()))
    }

    async fn get_podium(
        &self,
        request: Request<GetPodiumRequest>,
    ) -> Result<Response<GetPodiumResponse>, Status> {
        let id = decode::tournament_id(&request.into_inner().tournament_id)?;
        Ok(Response::new(app::get_podium(&self.0, id).await?.into()))
    }

    async fn get_cash_at_stake(
        &self,
        request: Request<GetCashAtStakeRequest>,
    ) -> Result<Response<GetCashAtStakeResponse>, Status> {
        let game = decode::game_id(&request.into_inner().game_id)?;
        let needs_second_operator = app::get_cash_at_stake(&self.0, game).await?;
        Ok(Response::new(GetCashAtStakeResponse { needs_second_operator }))
    }
}
