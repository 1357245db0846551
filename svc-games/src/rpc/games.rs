//! `playon.games.v1.GamesService`.

use mesh::{auth::player, call::Call};
use proto::games::v1::{
    GetGameRequest, GetGameResponse, GetRulesRequest, GetRulesResponse, ListEventsRequest,
    ListEventsResponse, ListGamesRequest, ListGamesResponse, ListRecentGamesRequest,
    ListRecentGamesResponse, ListTvItemsRequest, ListTvItemsResponse,
    games_service_server::GamesService,
};
use tonic::{Request, Response, Status};

use super::{decode, encode};
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
        let language = Call::current().language;
        let games = games.into_iter().map(|game| encode::game(game, language)).collect();
        Ok(Response::new(ListGamesResponse { games }))
    }

    async fn get_game(
        &self,
        request: Request<GetGameRequest>,
    ) -> Result<Response<GetGameResponse>, Status> {
        let id = decode::game_id(&request.into_inner().id)?;
        let game = app::get_game(&self.0, id).await?;
        let game = encode::game(game, Call::current().language);
        Ok(Response::new(GetGameResponse { game: Some(game) }))
    }

    async fn get_rules(
        &self,
        request: Request<GetRulesRequest>,
    ) -> Result<Response<GetRulesResponse>, Status> {
        let hash = decode::rules(&request.into_inner().sha256)?;
        let module = app::get_rules(&self.0, hash).await?;
        Ok(Response::new(GetRulesResponse { module }))
    }

    async fn list_recent_games(
        &self,
        request: Request<ListRecentGamesRequest>,
    ) -> Result<Response<ListRecentGamesResponse>, Status> {
        let player = player(&request)?;
        let games = app::list_recent_games(&self.0, player.id).await?;
        let language = Call::current().language;
        let games = games.into_iter().map(|game| encode::game(game, language)).collect();
        Ok(Response::new(ListRecentGamesResponse { games }))
    }

    async fn list_events(
        &self,
        _: Request<ListEventsRequest>,
    ) -> Result<Response<ListEventsResponse>, Status> {
        let events = app::list_events(&self.0).await?;
        let language = Call::current().language;
        let events = events.into_iter().map(|event| encode::event(event, language)).collect();
        Ok(Response::new(ListEventsResponse { events }))
    }

    async fn list_tv_items(
        &self,
        _: Request<ListTvItemsRequest>,
    ) -> Result<Response<ListTvItemsResponse>, Status> {
        let items = app::list_tv_items(&self.0).await?;
        let language = Call::current().language;
        let items = items.into_iter().map(|item| encode::tv_item(item, language)).collect();
        Ok(Response::new(ListTvItemsResponse { items }))
    }
}
