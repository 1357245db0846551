//! Tournaments.

use axum::extract::State;
use proto::{
    Absent,
    tournament::v1::{self as rpc, GetTournamentRequest, ListTournamentsRequest},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Outcome, param::Segment, wire::At};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /tournaments`
pub(crate) async fn list(State(gateway): State<Gateway>) -> Outcome<Vec<Tournament>> {
    let mut tournaments = gateway.upstreams().tournaments();
    let reply = tournaments.list_tournaments(ListTournamentsRequest {}).await?;
    let list = reply.into_inner().tournaments;
    let list: Result<_, Absent> = list.into_iter().map(TryInto::try_into).collect();
    Ok(Reply::ok(list?))
}

/// `GET /tournaments/{id}`
pub(crate) async fn get(
    State(gateway): State<Gateway>,
    Segment(id): Segment,
) -> Outcome<Tournament> {
    let mut tournaments = gateway.upstreams().tournaments();
    let reply = tournaments.get_tournament(GetTournamentRequest { id }).await?;
    let tournament = reply.into_inner().tournament.ok_or(Absent("tournament"))?;
    Ok(Reply::ok(tournament.try_into()?))
}

payloads!(Tournament);

/// A tournament.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tournament {
    id: String,
    name: String,
    description: String,
    game_id: String,
    starts: At,
    ends: At,
}

impl TryFrom<rpc::Tournament> for Tournament {
    type Error = Absent;

    fn try_from(tournament: rpc::Tournament) -> Result<Self, Absent> {
        Ok(Self {
            id: tournament.id,
            name: tournament.name,
            description: tournament.description,
            game_id: tournament.game_id,
            starts: At::promised(tournament.starts, "starts")?,
            ends: At::promised(tournament.ends, "ends")?,
        })
    }
}
