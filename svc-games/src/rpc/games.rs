//! `playon.games.v1.GamesService`.

use proto::games::v1::{
    GetGameRequest, GetGameResponse, ListGamesRequest, ListGamesResponse,
    games_service_server::GamesService,
};
use tonic::{Request, Response, Status};

use crate::{
    app::{self, Cx},
    domain::GameId,
    error::{Error, Refused},
};

/// What anyone may ask.
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
        // A text that is no id names nothing.
        let id = GameId::parse(&request.into_inner().id)
            .map_err(|_| Error::from(Refused::GameNotFound))?;
        let game = app::get_game(&self.0, id).await?;
        Ok(Response::new(GetGameResponse { game: Some(game.into()) }))
    }
}
