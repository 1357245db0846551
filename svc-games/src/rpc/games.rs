//! `playon.games.v1.GamesService`.

use proto::games::v1::{
    GetGameRequest, GetGameResponse, ListGamesRequest, ListGamesResponse,
    games_service_server::GamesService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs that anyone may call.
pub(super) struct Games(pub(super) Cx);

#[tonic::async_trait]
impl GamesService for Games {
    async fn list_games(
        &self,
        _: Request<ListGamesRequest>,
    ) -> Result<Response<ListGamesResponse>, Status> {
        let games = app::list_games(&self.0).await?;
        let games = games.into_iter().map(Into::into).collect();
        Ok(Response::new(ListGamesResponse { games }))
    }

    async fn get_game(
        &self,
        request: Request<GetGameRequest>,
    ) -> Result<Response<GetGameResponse>, Status> {
        let id = decode::game_id(&request.into_inner().id)?;
        let game = app::get_game(&self.0, id).await?;
        Ok(Response::new(GetGameResponse { game: Some(game.into()) }))
    }
}
