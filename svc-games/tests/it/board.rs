//! A stub of svc-tournament.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use mesh::Fault;
use proto::{
    from_timestamp, timestamp,
    tournament::v1::{
        GetCashAtStakeRequest, GetCashAtStakeResponse, GetPodiumRequest, GetPodiumResponse,
        GetRoundRequest, GetRoundResponse, RecordScoreRequest, RecordScoreResponse,
        score_service_server::{ScoreService, ScoreServiceServer},
    },
};
use time::{Duration, OffsetDateTime};
use tonic::{Code, Request, Response, Status, service::Routes};
use types::{Clock, Rng};

/// The tournaments of one test, and what was recorded on their boards.
#[derive(Clone)]
pub(crate) struct Board {
    clock: Clock,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    tournaments: HashMap<String, Tournament>,
    recorded: Vec<RecordScoreRequest>,
    is_away: bool,
    /// Whether much cash depends on each game.
    has_much_cash: bool,
    is_silent: bool,
    /// The REASON with which scores are refused.
    refusal: Option<(Code, &'static str)>,
}

/// A tournament of the stub.
#[derive(Clone)]
pub(crate) struct Tournament {
    pub(crate) game: String,
    pub(crate) level: u32,
    pub(crate) round: u32,
    pub(crate) seed: i64,
    pub(crate) runs_per_round: u32,
    pub(crate) starts: OffsetDateTime,
    pub(crate) ends: OffsetDateTime,
    /// The hash of the rules; empty in a tournament of an earlier release.
    pub(crate) rules: Vec<u8>,
    /// The players of the podium; `None` until the tournament is settled.
    pub(crate) podium: Option<Vec<String>>,
}

impl Board {
    pub(crate) fn new(clock: &Clock) -> Self {
        Self { clock: clock.clone(), state: Arc::default() }
    }

    /// Serves the stub in the name of svc-tournament; returns its URL.
    pub(crate) async fn serve(&self) -> String {
        let routes = Routes::new(ScoreServiceServer::new(self.clone()));
        testkit::serve("svc-tournament", routes).await
    }

    /// Opens a tournament of an hour with odd seed and three runs a round; returns its id.
    pub(crate) fn open(&self, game: &str, change: impl FnOnce(&mut Tournament)) -> String {
        let (now, rng) = (self.clock.now(), Rng::system());
        let mut tournament = Tournament {
            game: game.to_owned(),
            level: 2,
            round: 0,
            seed: i64::from_be_bytes(rng.bytes()) | 1,
            runs_per_round: 3,
            starts: now,
            ends: now + Duration::hours(1),
            rules: Vec::new(),
            podium: None,
        };
        change(&mut tournament);
        let id = rng.uuid_v7(now).to_string();
        self.state.lock().unwrap().tournaments.insert(id.clone(), tournament);
        id
    }

    pub(crate) fn change(&self, id: &str, change: impl FnOnce(&mut Tournament)) {
        change(self.state.lock().unwrap().tournaments.get_mut(id).unwrap());
    }

    /// Makes each call fail as if svc-tournament were unreachable.
    pub(crate) fn set_away(&self, is_away: bool) {
        self.state.lock().unwrap().is_away = is_away;
    }

    /// Makes much cash depend on each game.
    pub(crate) fn put_much_cash_at_stake(&self) {
        self.state.lock().unwrap().has_much_cash = true;
    }

    /// Makes the stub leave scores without a reply.
    pub(crate) fn set_silent(&self, is_silent: bool) {
        self.state.lock().unwrap().is_silent = is_silent;
    }

    /// Makes the stub refuse scores for good.
    pub(crate) fn refuse(&self, code: Code, reason: &'static str) {
        self.state.lock().unwrap().refusal = Some((code, reason));
    }

    /// Returns all calls that recorded a score, in their order.
    pub(crate) fn recorded(&self) -> Vec<RecordScoreRequest> {
        self.state.lock().unwrap().recorded.clone()
    }

    fn tournament(&self, id: &str) -> Result<Tournament, Status> {
        let state = self.state.lock().unwrap();
        if state.is_away {
            return Err(Status::unavailable("away"));
        }
        let found = state.tournaments.get(id).cloned();
        found.ok_or_else(|| refusal(Code::NotFound, "TOURNAMENT_NOT_FOUND"))
    }
}

fn refusal(code: Code, reason: &'static str) -> Status {
    Fault::new(code, reason).into()
}

#[tonic::async_trait]
impl ScoreService for Board {
    async fn get_round(
        &self,
        request: Request<GetRoundRequest>,
    ) -> Result<Response<GetRoundResponse>, Status> {
        let found = self.tournament(&request.into_inner().tournament_id)?;
        let now = self.clock.now();
        if now < found.starts || now >= found.ends {
            return Err(refusal(Code::FailedPrecondition, "TOURNAMENT_NOT_ON"));
        }
        Ok(Response::new(GetRoundResponse {
            game_id: found.game,
            level: found.level,
            round: found.round,
            seed: found.seed,
            piece_key: vec![7; 32],
            runs_per_round: found.runs_per_round,
            ends: Some(timestamp(found.ends)),
            rules_sha256: found.rules,
            score_key: Vec::new(),
        }))
    }

    async fn record_score(
        &self,
        request: Request<RecordScoreRequest>,
    ) -> Result<Response<RecordScoreResponse>, Status> {
        let request = request.into_inner();
        self.tournament(&request.tournament_id)?;
        if self.state.lock().unwrap().is_silent {
            std::future::pending::<()>().await;
        }
        let mut state = self.state.lock().unwrap();
        if let Some((code, reason)) = state.refusal {
            return Err(refusal(code, reason));
        }
        state.recorded.push(request.clone());
        let mut best: HashMap<&str, (i32, OffsetDateTime)> = HashMap::new();
        for score in state.recorded.iter().filter(|one| one.tournament_id == request.tournament_id)
        {
            let at = from_timestamp(score.reached_at, "reached_at").ok().unwrap();
            let entry = best.entry(&score.player_id).or_insert((score.points, at));
            if score.points > entry.0 || score.points == entry.0 && at < entry.1 {
                *entry = (score.points, at);
            }
        }
        let own = best[request.player_id.as_str()];
        let before =
            |other: &&(i32, OffsetDateTime)| other.0 > own.0 || other.0 == own.0 && other.1 < own.1;
        let rank = 1 + best.values().filter(before).count() as u64;
        Ok(Response::new(RecordScoreResponse { best: own.0, rank: Some(rank) }))
    }

    async fn get_podium(
        &self,
        request: Request<GetPodiumRequest>,
    ) -> Result<Response<GetPodiumResponse>, Status> {
        let podium = self.tournament(&request.into_inner().tournament_id)?.podium;
        Ok(Response::new(GetPodiumResponse {
            settled: podium.is_some(),
            player_ids: podium.unwrap_or_default(),
        }))
    }

    async fn get_cash_at_stake(
        &self,
        _: Request<GetCashAtStakeRequest>,
    ) -> Result<Response<GetCashAtStakeResponse>, Status> {
        let state = self.state.lock().unwrap();
        if state.is_away {
            return Err(Status::unavailable("away"));
        }
        let needs_second_operator = state.has_much_cash;
        Ok(Response::new(GetCashAtStakeResponse { needs_second_operator }))
    }
}
