//! The public profiles of other players.

use axum::extract::State;
use mesh::Fault;
use proto::auth::v1::{self as rpc, BatchGetPublicPlayersRequest, FindByUsernameRequest};
use serde::Serialize;
use tonic::Code;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::request,
    param::{Query, Segment},
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// Most players of one call.
const LIMIT: usize = 100;

/// `GET /users/public?ids=a,b,c`
pub(crate) async fn public_many(
    State(gateway): State<Gateway>,
    Query(query): Query<PublicPlayers>,
) -> HandlerResult<Vec<PublicPlayer>> {
    let ids = query.ids.as_deref().unwrap_or_default().split(',').map(str::trim);
    let ids: Vec<_> = ids.filter(|id| !id.is_empty()).map(str::to_owned).collect();
    if ids.is_empty() {
        return Ok(Reply::ok(Vec::new()));
    }
    if ids.len() > LIMIT {
        let text = "TOO_MANY_PLAYERS";
        return Err(Fault::invalid_field("ids", text).into());
    }
    let request = BatchGetPublicPlayersRequest { ids };
    let found = gateway.upstreams().directory().batch_get_public_players(request).await?;
    Ok(Reply::ok(found.into_inner().players.into_iter().map(Into::into).collect()))
}

/// `GET /users/public/{id}`, `GET /users/get/{id}`
pub(crate) async fn public(
    State(gateway): State<Gateway>,
    Segment(id): Segment,
) -> HandlerResult<PublicPlayer> {
    let request = BatchGetPublicPlayersRequest { ids: vec![id] };
    let mut directory = gateway.upstreams().directory();
    let found = directory.batch_get_public_players(request).await?;
    match found.into_inner().players.pop() {
        Some(player) => Ok(Reply::ok(player.into())),
        None => Err(Fault::new(Code::NotFound, "USER_NOT_FOUND").into()),
    }
}

/// `GET /users/username/{username}`
pub(crate) async fn by_username(
    State(gateway): State<Gateway>,
    Segment(username): Segment,
) -> HandlerResult<PlayerId> {
    let request = FindByUsernameRequest { username };
    let found = gateway.upstreams().directory().find_by_username(request).await?;
    let id = found.into_inner().id;
    Ok(Reply::ok(PlayerId { id }))
}

request! {
    /// Players by id.
    pub(crate) struct PublicPlayers {
        /// At most 100 ids, separated by commas.
        ids: Option<String> = "ids",
    }
}

payloads!(PublicPlayer, PlayerId);

/// A player's public profile.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PublicPlayer {
    id: String,
    username: Option<String>,
    name: Option<String>,
    profile_pic: Option<String>,
}

impl From<rpc::PublicPlayer> for PublicPlayer {
    fn from(player: rpc::PublicPlayer) -> Self {
        Self {
            id: player.id,
            username: player.username,
            name: player.name,
            profile_pic: player.profile_pic,
        }
    }
}

/// A player's id.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayerId {
    id: String,
}
