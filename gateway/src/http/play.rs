//! Play sessions and scores. svc-games proves the runs.

use axum::{Extension, extract::State};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use mesh::{
    Fault,
    auth::{Caller, Player},
};
use percent_encoding::{NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use proto::{
    Absent,
    games::v1::{
        self as rpc, BeginRunRequest, CommitPieceRequest, StartSessionRequest, SubmitScoreRequest,
    },
};
use serde::Serialize;
use tonic::Code;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    games::on_games_origin,
    param::Segment,
    wire::At,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads, rate_limiter};

/// `POST /games/{id}/sessions`
pub(crate) async fn start_session(
    State(gateway): State<Gateway>,
    Extension(caller): Extension<Caller>,
    Segment(game_id): Segment,
    Body(body): Body<StartSession>,
) -> HandlerResult<PlaySession> {
    let player = caller.player()?;
    let request = StartSessionRequest {
        game_id,
        level: body.level.unwrap_or(0),
        tournament_id: body.tournament_id.unwrap_or_default(),
    };
    let mut play = gateway.upstreams().play();
    let started = play.start_session(request.clone()).await?.into_inner();
    Ok(Reply::ok(PlaySession::new(&gateway, player, &request, started)?))
}

/// `POST /runs`
pub(crate) async fn begin_run(
    State(gateway): State<Gateway>,
    Body(body): Body<BeginRun>,
) -> HandlerResult<BegunRun> {
    count_call(&gateway, &body.session).await?;
    let request = BeginRunRequest { session: body.session };
    let begun = gateway.upstreams().play().begin_run(request).await?.into_inner();
    Ok(Reply::ok(BegunRun {
        seed: begun.seed.to_string(),
        level: begun.level,
        expires_at: At::promised(begun.expires_at, "expires_at")?,
        next_seeds: begun.next_seeds.iter().map(ToString::to_string).collect(),
        inputs: STANDARD.encode(begun.inputs),
    }))
}

/// `POST /runs/pieces`
pub(crate) async fn commit_piece(
    State(gateway): State<Gateway>,
    Body(body): Body<CommitPiece>,
) -> HandlerResult<PieceSeed> {
    count_call(&gateway, &body.session).await?;
    let request = CommitPieceRequest {
        session: body.session,
        index: body.index,
        inputs: decode_inputs(&body.inputs)?,
    };
    let seed = gateway.upstreams().play().commit_piece(request).await?.into_inner().seed;
    Ok(Reply::ok(PieceSeed { seed: seed.to_string() }))
}

/// `POST /scores`
pub(crate) async fn submit_score(
    State(gateway): State<Gateway>,
    Body(body): Body<SubmitScore>,
) -> HandlerResult<Score> {
    count_call(&gateway, &body.session).await?;
    let inputs = decode_inputs(&body.inputs)?;
    let signature = STANDARD
        .decode(body.signature.unwrap_or_default())
        .map_err(|_| Fault::invalid_field("signature", "FIELD_NOT_BASE64"))?;
    let request =
        SubmitScoreRequest { session: body.session, inputs, points: body.points, signature };
    let score = gateway.upstreams().play().submit_score(request).await?.into_inner();
    Ok(Reply::ok(score.into()))
}

request! {
    /// The start of a play session.
    pub(crate) struct StartSession {
        /// The level, from 0 to the game's number of levels less one; 0 when absent.
        level: Option<u32> = "level",
        /// The id of an ongoing tournament in the game, whose round sets the level.
        tournament_id: Option<String> = "tournamentId",
    }
}

/// Counts a call of a game's page in the window of its play session.
async fn count_call(gateway: &Gateway, session: &str) -> Result<(), Fault> {
    let Some(window) = rate_limiter::score_window(gateway.rates(), session) else { return Ok(()) };
    gateway.rate_limiter().count(window).await.map_err(Fault::rate_limited)?;
    Ok(())
}

/// Decodes the inputs of a run or of a piece.
fn decode_inputs(base64: &str) -> Result<Vec<u8>, Fault> {
    STANDARD
        .decode(base64)
        .map_err(|_| Fault::new(Code::InvalidArgument, "INVALID_INPUTS").field("inputs"))
}

request! {
    /// A run that begins.
    pub(crate) struct BeginRun {
        session: String = "session",
    }
}

request! {
    /// A piece of a live run.
    pub(crate) struct CommitPiece {
        session: String = "session",
        /// The number of the piece, from 0.
        index: u32 = "index",
        /// The inputs of the piece: base64 of pairs of LEB128 varints (steps, input).
        inputs: String = "inputs",
    }
}

request! {
    /// A run that is over.
    pub(crate) struct SubmitScore {
        session: String = "session",
        /// The run's inputs: base64 of pairs of LEB128 varints (steps, input).
        inputs: String = "inputs",
        /// The points that the game counted.
        points: i32 = "points",
        /// The signature of the game's own server, in base64, where the game has a key.
        signature: Option<String> = "signature",
    }
}

payloads!(PlaySession, BegunRun, PieceSeed, Score);

/// The permission to play one run.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlaySession {
    /// The ticket that begins and ends the session's run; a secret of the player.
    session: String,
    /// The game's page, with the session in its fragment.
    game_url: String,
    expires_at: At,
    /// Null for a game without a rules module.
    rules: Option<Rules>,
    /// In a tournament, how many runs the player has left in the round, this one included; null
    /// otherwise.
    runs_left: Option<u32>,
}

/// A run that has begun.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BegunRun {
    /// The seed, as the decimal text of an i64; of the first piece in a live run.
    seed: String,
    level: u32,
    /// When the run must be submitted.
    expires_at: At,
    /// In a live run the seeds of the following pieces, up to the one after the piece to be committed;
    /// empty in any other.
    next_seeds: Vec<String>,
    /// The inputs of the pieces that were committed, in base64, with which the run goes on.
    inputs: String,
}

/// The seed that a committed piece gives.
#[derive(Serialize, ToSchema)]
pub(crate) struct PieceSeed {
    /// The seed of the piece after the next one, as the decimal text of an i64.
    seed: String,
}

/// The rules module of a run.
#[derive(Serialize, ToSchema)]
pub(crate) struct Rules {
    url: String,
    /// The module's SHA-256, in hex.
    sha256: String,
}

impl PlaySession {
    fn new(
        gateway: &Gateway,
        player: Player,
        request: &StartSessionRequest,
        started: rpc::StartSessionResponse,
    ) -> Result<Self, Absent> {
        let tournament = match request.tournament_id.as_str() {
            "" => String::new(),
            id => format!("&tournamentId={}", encoded(id)),
        };
        let rules = started
            .rules
            .as_ref()
            .map(|rules| format!("&rules={}&sha256={}", encoded(&rules.url), rules.sha256));
        // The fragment reaches no server, log or Referer.
        let ticket = format!(
            "session={}{}&game={}",
            started.session,
            rules.unwrap_or_default(),
            encoded(&request.game_id),
        );
        let page = on_games_origin(gateway, &started.game_url);
        Ok(Self {
            session: started.session,
            game_url: format!("{page}?username={}{tournament}#{ticket}", player.id),
            expires_at: At::promised(started.expires_at, "expires_at")?,
            rules: started.rules.map(|rules| Rules {
                url: on_games_origin(gateway, &rules.url),
                sha256: rules.sha256,
            }),
            runs_left: started.runs_left,
        })
    }
}

/// A text as part of a URL's query or fragment.
pub(super) fn encoded(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}

/// A score, and how it is proven.
#[derive(Serialize, ToSchema)]
pub(crate) struct Score {
    points: i32,
    /// The player's most points in the game, or in the tournament.
    best: i32,
    trust: Trust,
    /// The player's place in the tournament; null outside one, for a run that is held, and
    /// where it is not known yet.
    rank: Option<u64>,
}

/// How a score is proven.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Trust {
    /// The run was replayed.
    Proven,
    /// The game's own server signed the result.
    Signed,
    /// The run was neither replayed nor signed.
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
        Self { points: score.points, best: score.best, trust, rank: score.rank }
    }
}
