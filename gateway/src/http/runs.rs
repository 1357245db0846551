//! Runs that can be watched, whose inputs the game's page plays, and how many a player has left.

use axum::extract::State;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use proto::{
    Absent,
    games::v1::{
        self as rpc, GetBestRunRequest, GetRunsLeftRequest, GetRunsLeftResponse,
        GetTournamentRunRequest,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    games::{hosted_slug, on_games_origin},
    param::{Segment, Segments},
    play::encoded,
    wire::At,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /games/{id}/best-run`: null before the player's first run.
pub(crate) async fn best(
    State(gateway): State<Gateway>,
    Segment(game_id): Segment,
) -> HandlerResult<Option<Run>> {
    let reply = gateway.upstreams().play().get_best_run(GetBestRunRequest { game_id }).await?;
    let run = reply.into_inner().run.map(|run| Run::new(&gateway, run, None));
    Ok(Reply::ok(run.transpose()?))
}

/// `GET /tournaments/{id}/runs/{userId}`
pub(crate) async fn in_tournament(
    State(gateway): State<Gateway>,
    Segments(tournament_id, player_id): Segments,
) -> HandlerResult<Run> {
    let request = GetTournamentRunRequest { tournament_id: tournament_id.clone(), player_id };
    let reply = gateway.upstreams().play().get_tournament_run(request).await?;
    let run = reply.into_inner().run.ok_or(Absent("run"))?;
    Ok(Reply::ok(Run::new(&gateway, run, Some(&tournament_id))?))
}

/// `GET /tournaments/{id}/runs-left`
pub(crate) async fn left(
    State(gateway): State<Gateway>,
    Segment(tournament_id): Segment,
) -> HandlerResult<RoundRuns> {
    let request = GetRunsLeftRequest { tournament_id };
    let reply = gateway.upstreams().play().get_runs_left(request).await?.into_inner();
    let GetRunsLeftResponse { runs_left, has_open_run, round } = reply;
    Ok(Reply::ok(RoundRuns { runs_left, has_open_run, round }))
}

payloads!(Run, RoundRuns);

/// What a player may still play in a tournament.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RoundRuns {
    /// How many runs the player has left in the round that is on.
    runs_left: u32,
    /// Whether a run that has begun can still be submitted.
    has_open_run: bool,
    /// The round's number, from 0.
    round: u32,
}

/// A run that can be watched.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Run {
    user_id: String,
    game_id: String,
    points: i32,
    reached_at: At,
    /// The game's page, with the run in its fragment.
    watch_url: String,
    /// Whether PlayOn serves the game's page, which opens inside the app.
    hosted: bool,
}

impl Run {
    fn new(gateway: &Gateway, run: rpc::Run, tournament_id: Option<&str>) -> Result<Self, Absent> {
        let rules = run.rules.ok_or(Absent("rules"))?;
        let tournament = tournament_id.map(|id| format!("&tournament={}", encoded(id)));
        let next_seeds: Vec<_> = run.next_seeds.iter().map(ToString::to_string).collect();
        let fragment = format!(
            "watch=1&seed={}&nextSeeds={}&level={}&rules={}&sha256={}&game={}&points={}&inputs={}{}",
            run.seed,
            next_seeds.join(","),
            run.level,
            encoded(&rules.url),
            rules.sha256,
            encoded(&run.game_id),
            run.points,
            URL_SAFE_NO_PAD.encode(&run.inputs),
            tournament.unwrap_or_default(),
        );
        let page = on_games_origin(gateway, &run.game_url);
        Ok(Self {
            user_id: run.player_id,
            game_id: run.game_id,
            points: run.points,
            reached_at: At::promised(run.reached_at, "reached_at")?,
            hosted: hosted_slug(&run.game_url).is_some(),
            watch_url: format!("{page}#{fragment}"),
        })
    }
}
