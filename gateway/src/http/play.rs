//! Play sessions and scores. svc-games proves the runs.

use axum::{Extension, extract::State};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use mesh::{
    Fault,
    auth::{Caller, Player},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proto::{
    Absent,
    games::v1::{self as rpc, StartSessionRequest, SubmitScoreRequest},
};
use serde::Serialize;
use tonic::Code;
use utoipa::ToSchema;

use super::{
    Outcome,
    body::{Body, request},
    games::on_games_origin,
    param::Segment,
    wire::At,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `POST /games/{id}/sessions`
pub(crate) async fn start_session(
    State(gateway): State<Gateway>,
    Extension(caller): Extension<Caller>,
    Segment(game_id): Segment,
    Body(body): Body<StartSession>,
) -> Outcome<PlaySession> {
    let player = caller.player()?;
    let request = StartSessionRequest { game_id: game_id.clone(), level: body.level.unwrap_or(0) };
    let started = gateway.upstreams().play().start_session(request).await?.into_inner();
    Ok(Reply::ok(PlaySession::new(&gateway, player, &game_id, started)?))
}

/// `POST /scores`
pub(crate) async fn submit_score(
    State(gateway): State<Gateway>,
    Body(body): Body<SubmitScore>,
) -> Outcome<Score> {
    let inputs = STANDARD
        .decode(body.inputs)
        .map_err(|_| Fault::new(Code::InvalidArgument, "INVALID_INPUTS").field("inputs"))?;
    let request = SubmitScoreRequest { session: body.session, inputs, points: body.points };
    let score = gateway.upstreams().play().submit_score(request).await?.into_inner();
    Ok(Reply::ok(score.into()))
}

request! {
    /// The start of a run.
    pub(crate) struct StartSession {
        /// From 0 to the game's number of levels, less one; 0 when absent.
        level: Option<u32> = "level",
    }
}

request! {
    /// A run that is over.
    pub(crate) struct SubmitScore {
        session: String = "session",
        /// base64 of pairs of LEB128 varints (steps, input).
        inputs: String = "inputs",
        /// The points that the game counted.
        points: i32 = "points",
    }
}

payloads!(PlaySession, Score);

/// The permission to play one run.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlaySession {
    /// Ends the session; a secret of the player.
    session: String,
    /// The game's page, with the session in its fragment.
    game_url: String,
    expires_at: At,
    /// Decimal text of an i64.
    seed: String,
    level: u32,
    rules: Rules,
}

/// The rules module of a run.
#[derive(Serialize, ToSchema)]
pub(crate) struct Rules {
    url: String,
    /// In hex.
    sha256: String,
}

impl PlaySession {
    fn new(
        gateway: &Gateway,
        player: Player,
        game_id: &str,
        started: rpc::StartSessionResponse,
    ) -> Result<Self, Absent> {
        let rules = started.rules.ok_or(Absent("rules"))?;
        let seed = started.seed.to_string();
        // The fragment reaches no server, log or Referer.
        let ticket = format!(
            "session={}&seed={seed}&level={}&rules={}&sha256={}&game={}",
            started.session,
            started.level,
            utf8_percent_encode(&rules.url, NON_ALPHANUMERIC),
            rules.sha256,
            utf8_percent_encode(game_id, NON_ALPHANUMERIC),
        );
        let page = on_games_origin(gateway, &started.game_url);
        Ok(Self {
            session: started.session,
            game_url: format!("{page}?username={}#{ticket}", player.id),
            expires_at: At::promised(started.expires_at, "expires_at")?,
            seed,
            level: started.level,
            rules: Rules { url: on_games_origin(gateway, &rules.url), sha256: rules.sha256 },
        })
    }
}

/// A score, and what it rests on.
#[derive(Serialize, ToSchema)]
pub(crate) struct Score {
    points: i32,
    /// The player's most points in the game.
    best: i32,
    trust: Trust,
}

/// What a score rests on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Trust {
    /// The run was replayed.
    Proven,
    /// The game's own server signed the result.
    Signed,
    /// Neither.
    Claimed,
    /// The run looks inhuman: an operator decides.
    Held,
}

impl From<rpc::SubmitScoreResponse> for Score {
    fn from(score: rpc::SubmitScoreResponse) -> Self {
        let trust = match score.trust() {
            rpc::Trust::Proven => Trust::Proven,
            rpc::Trust::Signed => Trust::Signed,
            rpc::Trust::Claimed | rpc::Trust::Unspecified => Trust::Claimed,
            rpc::Trust::Held => Trust::Held,
        };
        Self { points: score.points, best: score.best, trust }
    }
}
