//! The catalogue: games, events and PlayOn TV.

use axum::extract::State;
use proto::{
    Absent,
    games::v1::{
        self as rpc, GetGameRequest, ListEventsRequest, ListGamesRequest, ListRecentGamesRequest,
        ListTvItemsRequest,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{HandlerResult, param::Segment, wire::At};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /games/list`
pub(crate) async fn list(State(gateway): State<Gateway>) -> HandlerResult<Vec<Game>> {
    let reply = gateway.upstreams().games().list_games(ListGamesRequest {}).await?;
    let games = reply.into_inner().games;
    Ok(Reply::ok(games.into_iter().map(|game| Game::new(&gateway, game)).collect()))
}

/// `GET /profile/recent-games`
pub(crate) async fn recent(State(gateway): State<Gateway>) -> HandlerResult<Vec<Game>> {
    let reply = gateway.upstreams().games().list_recent_games(ListRecentGamesRequest {}).await?;
    let games = reply.into_inner().games;
    Ok(Reply::ok(games.into_iter().map(|game| Game::new(&gateway, game)).collect()))
}

/// `GET /games/get/{id}`
pub(crate) async fn get(
    State(gateway): State<Gateway>,
    Segment(id): Segment,
) -> HandlerResult<Game> {
    let reply = gateway.upstreams().games().get_game(GetGameRequest { id }).await?;
    let game = reply.into_inner().game.ok_or(Absent("game"))?;
    Ok(Reply::ok(Game::new(&gateway, game)))
}

/// `GET /events`
pub(crate) async fn events(State(gateway): State<Gateway>) -> HandlerResult<Vec<Event>> {
    let reply = gateway.upstreams().games().list_events(ListEventsRequest {}).await?;
    let events = reply.into_inner().events;
    let events: Result<_, Absent> = events.into_iter().map(TryInto::try_into).collect();
    Ok(Reply::ok(events?))
}

/// `GET /playon-tv/list`
pub(crate) async fn tv_items(State(gateway): State<Gateway>) -> HandlerResult<Vec<TvItem>> {
    let reply = gateway.upstreams().games().list_tv_items(ListTvItemsRequest {}).await?;
    let items = reply.into_inner().items;
    let items: Result<_, Absent> = items.into_iter().map(TryInto::try_into).collect();
    Ok(Reply::ok(items?))
}

/// Resolves the URL of a game's file: a path, as `/play/ajua/`, is at the game's origin.
pub(super) fn on_games_origin(gateway: &Gateway, url: &str) -> String {
    match hosted_slug(url) {
        Some(slug) => format!("{}{url}", gateway.args().games.origin.of(slug)),
        None => url.to_owned(),
    }
}

/// The slug of a game whose page PlayOn serves, in the URL of a file of the game.
pub(super) fn hosted_slug(url: &str) -> Option<&str> {
    url.strip_prefix("/play/")?.split('/').next().filter(|slug| !slug.is_empty())
}

payloads!(Game, Event, TvItem);

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
    /// Whether PlayOn serves the game's page, which opens inside the app; the page of another
    /// company opens in the app's place.
    hosted: bool,
    featured: bool,
    /// The name of the game's colours and art; empty if it has none of its own.
    world: String,
    /// How many levels a player can choose from: levels are 0 to this number less one.
    levels: u32,
}

impl Game {
    fn new(gateway: &Gateway, game: rpc::Game) -> Self {
        Self {
            id: game.id,
            name: game.name,
            package_id: game.package_id,
            description: game.description,
            game_icon: game.game_icon,
            trailer_link: game.trailer_link,
            hosted: hosted_slug(&game.game_url).is_some(),
            game_url: on_games_origin(gateway, &game.game_url),
            featured: game.featured,
            world: game.world,
            levels: game.levels,
        }
    }
}

/// An event of home's banner.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Event {
    id: String,
    created_at: At,
    title: String,
    description: String,
    event_banner_url: String,
}

impl TryFrom<rpc::Event> for Event {
    type Error = Absent;

    fn try_from(event: rpc::Event) -> Result<Self, Absent> {
        Ok(Self {
            id: event.id,
            created_at: At::promised(event.created_at, "created_at")?,
            title: event.title,
            description: event.description,
            event_banner_url: event.event_banner_url,
        })
    }
}

/// A video of PlayOn TV.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TvItem {
    id: String,
    title: String,
    /// A link to the video.
    channel_url: String,
    /// The video that the page shows first.
    primary: bool,
    created_at: At,
}

impl TryFrom<rpc::TvItem> for TvItem {
    type Error = Absent;

    fn try_from(item: rpc::TvItem) -> Result<Self, Absent> {
        Ok(Self {
            id: item.id,
            title: item.title,
            channel_url: item.channel_url,
            primary: item.primary,
            created_at: At::promised(item.created_at, "created_at")?,
        })
    }
}
