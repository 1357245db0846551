//! Games.

use axum::extract::State;
use proto::{
    Absent,
    games::v1::{self as rpc, GetGameRequest, ListGamesRequest},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Outcome, param::Segment};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /games/list`
pub(crate) async fn list(State(gateway): State<Gateway>) -> Outcome<Vec<Game>> {
    let reply = gateway.upstreams().games().list_games(ListGamesRequest {}).await?;
    let games = reply.into_inner().games;
    Ok(Reply::ok(games.into_iter().map(Into::into).collect()))
}

/// `GET /games/get/{id}`
pub(crate) async fn get(State(gateway): State<Gateway>, Segment(id): Segment) -> Outcome<Game> {
    let reply = gateway.upstreams().games().get_game(GetGameRequest { id }).await?;
    let game = reply.into_inner().game.ok_or(Absent("game"))?;
    Ok(Reply::ok(game.into()))
}

payloads!(Game);

/// A game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Game {
    id: String,
    name: String,
    package_id: String,
    description: String,
    game_icon: String,
    trailer_link: Option<String>,
    game_url: String,
    featured: bool,
}

impl From<rpc::Game> for Game {
    fn from(game: rpc::Game) -> Self {
        Self {
            id: game.id,
            name: game.name,
            package_id: game.package_id,
            description: game.description,
            game_icon: game.game_icon,
            trailer_link: game.trailer_link,
            game_url: game.game_url,
            featured: game.featured,
        }
    }
}
