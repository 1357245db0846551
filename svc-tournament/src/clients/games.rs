//! The client of svc-games, for tournaments' games and unfinished runs.

use std::collections::HashMap;

use anyhow::Context as _;
use mesh::{Fault, grpc::client::Upstream};
use proto::{
    from_timestamp,
    games::v1::{
        Game as WireGame, GetGameProofRequest, GetGameProofResponse, GetGameRequest,
        GetOpenRunsRequest, ListGamePlayersRequest, ListTournamentRunsRequest,
        PrizeClass as WirePrizeClass, Run as WireRun, ScreenRunsRequest,
        games_service_client::GamesServiceClient, run_service_client::RunServiceClient,
    },
    timestamp,
};
use time::OffsetDateTime;
use tonic::Code;
use types::PlayerId;

use crate::{
    domain::{GameId, PrizeClass, Proof, TournamentId},
    error::Error,
};

/// A client of svc-games.
#[derive(Clone)]
pub(crate) struct Games {
    games: GamesServiceClient<Upstream>,
    runs: RunServiceClient<Upstream>,
}

/// Selects a page of a game's players, ordered by id: those after `after` whose last run was at or
/// after `since` and before `before`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlayersOf {
    pub(crate) game: GameId,
    pub(crate) since: OffsetDateTime,
    pub(crate) before: OffsetDateTime,
    pub(crate) after: Option<PlayerId>,
    pub(crate) page_size: u32,
}

/// A game, as far as a tournament in it depends on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlayedGame {
    /// The number of levels.
    pub(crate) levels: u32,
    pub(crate) prize_class: PrizeClass,
}

/// How the scores of a game are proven.
#[derive(Debug)]
pub(crate) struct GameProof {
    pub(crate) proof: Proof,
    /// Whether two operators have applied the rules or the key.
    pub(crate) is_confirmed: bool,
    /// Whether runs are live.
    pub(crate) is_live: bool,
}

/// A run that can be replayed by the rules.
#[derive(Debug, Clone)]
pub(crate) struct ProvenRun {
    pub(crate) player: PlayerId,
    pub(crate) points: i32,
    /// SHA-256 of the rules module, in hexadecimal digits.
    pub(crate) rules_sha256: String,
    /// The play session.
    pub(crate) session: String,
    pub(crate) seed: i64,
    /// The seeds of the other pieces of a live run.
    pub(crate) next_seeds: Vec<i64>,
    pub(crate) inputs: Vec<u8>,
    pub(crate) reached_at: OffsetDateTime,
}

fn proven(run: WireRun) -> anyhow::Result<ProvenRun> {
    let player = PlayerId::parse(&run.player_id).context("svc-games named a malformed player")?;
    let rules = run.rules.context("svc-games listed a run without rules")?;
    let (points, rules_sha256) = (run.points, rules.sha256);
    let reached_at = from_timestamp(run.reached_at, "reached_at").ok();
    let reached_at = reached_at.context("svc-games listed a run without its time")?;
    Ok(ProvenRun {
        player,
        points,
        rules_sha256,
        session: run.session_id,
        seed: run.seed,
        next_seeds: run.next_seeds,
        inputs: run.inputs,
        reached_at,
    })
}

fn played(game: WireGame) -> PlayedGame {
    let prize_class = match game.prize_class() {
        WirePrizeClass::Unspecified | WirePrizeClass::Solvable => PrizeClass::Solvable,
        WirePrizeClass::Open => PrizeClass::Open,
        WirePrizeClass::Reflex => PrizeClass::Reflex,
    };
    PlayedGame { levels: game.levels, prize_class }
}

impl Games {
    /// A client on a channel to svc-games.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self {
            games: GamesServiceClient::new(upstream.clone()),
            runs: RunServiceClient::new(upstream),
        }
    }

    /// Finds a game; `None` if there is no such game.
    pub(crate) async fn find(&self, id: GameId) -> Result<Option<PlayedGame>, Error> {
        let request = GetGameRequest { id: id.to_string() };
        match self.games.clone().get_game(request).await {
            Ok(reply) => Ok(reply.into_inner().game.map(played)),
            Err(status) if status.code() == Code::NotFound => Ok(None),
            Err(status) => Err(Fault::from_status(&status).into()),
        }
    }

    /// A page of a game's players, with the game's name; no players if the game was removed.
    pub(crate) async fn players(&self, page: PlayersOf) -> Result<(String, Vec<PlayerId>), Error> {
        let request = ListGamePlayersRequest {
            game_id: page.game.to_string(),
            since: Some(timestamp(page.since)),
            before: Some(timestamp(page.before)),
            after_player_id: page.after.map(|player| player.to_string()).unwrap_or_default(),
            page_size: page.page_size,
        };
        let listed = match self.runs.clone().list_game_players(request).await {
            Ok(reply) => reply.into_inner(),
            Err(status) if status.code() == Code::NotFound => return Ok(Default::default()),
            Err(status) => return Err(Fault::from_status(&status).into()),
        };
        let players =
            listed.player_ids.iter().map(|id| PlayerId::parse(id)).collect::<Result<_, _>>();
        let players = players.context("svc-games listed a malformed id")?;
        Ok((listed.game_name, players))
    }

    /// How the scores of a game are proven, and whether two operators have applied that.
    pub(crate) async fn proof(&self, game: GameId) -> Result<GameProof, Error> {
        let request = GetGameProofRequest { game_id: game.to_string() };
        let reply = self.runs.clone().get_game_proof(request).await;
        let reply = reply.map_err(|status| Fault::from_status(&status))?.into_inner();
        let some = |bytes: Vec<u8>| (!bytes.is_empty()).then_some(bytes);
        let GetGameProofResponse { rules_sha256, score_key, is_confirmed, is_live } = reply;
        let proof = Proof { rules_sha256: some(rules_sha256), score_key: some(score_key) };
        Ok(GameProof { proof, is_confirmed, is_live })
    }

    /// The best runs of at most 20 players in a tournament, those that the rules prove.
    pub(crate) async fn tournament_runs(
        &self,
        tournament: TournamentId,
        players: &[PlayerId],
    ) -> Result<Vec<ProvenRun>, Error> {
        let request = ListTournamentRunsRequest {
            tournament_id: tournament.to_string(),
            player_ids: players.iter().map(ToString::to_string).collect(),
        };
        let reply = self.runs.clone().list_tournament_runs(request).await;
        let runs = reply.map_err(|status| Fault::from_status(&status))?.into_inner().runs;
        Ok(runs.into_iter().map(proven).collect::<anyhow::Result<_>>()?)
    }

    /// Doubts about the best runs of at most 20 players in a tournament, as operators read them.
    pub(crate) async fn doubts(
        &self,
        tournament: TournamentId,
        players: &[PlayerId],
    ) -> Result<HashMap<PlayerId, String>, Error> {
        let request = ScreenRunsRequest {
            tournament_id: tournament.to_string(),
            player_ids: players.iter().map(ToString::to_string).collect(),
        };
        let reply = self.runs.clone().screen_runs(request).await;
        let doubts = reply.map_err(|status| Fault::from_status(&status))?.into_inner().doubts;
        let doubts = doubts.into_iter().map(|doubt| {
            let player = PlayerId::parse(&doubt.player_id);
            Ok((player.context("svc-games named a malformed player")?, doubt.text))
        });
        Ok(doubts.collect::<anyhow::Result<_>>()?)
    }

    /// How many runs of a tournament may still be recorded on its board.
    pub(crate) async fn open_runs(&self, tournament: TournamentId) -> Result<u32, Error> {
        let request = GetOpenRunsRequest { tournament_id: tournament.to_string() };
        let reply = self.runs.clone().get_open_runs(request).await;
        Ok(reply.map_err(|status| Fault::from_status(&status))?.into_inner().unfinished)
    }
}
