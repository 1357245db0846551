//! Play sessions that players start, and the runs that end them.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use anyhow::{Context as _, Result, anyhow};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::Method;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use super::{
    content::{Game, RUNS_PER_ROUND, Tournament},
    dash,
    replay::TICKS,
    rules::{Rules, Run},
};
use crate::{
    address::Target,
    client::{self, Connection, HttpRequest, Reply},
    load::{Iteration, Workload},
    players::Players,
    random::SplitMix64,
};

/// How long a run of Duma Dash is: the two pieces whose seeds its page has from the beginning.
const RUN_SECONDS: u32 = 10;
/// How long a piece of Duma Dash is.
const PIECE_SECONDS: u64 = 5;
/// The inputs of a piece in which the player does nothing: 300 steps of input 0.
const QUIET_PIECE: [u8; 3] = [0xac, 0x02, 0];
/// Ticks of the trivial game.
const TRIVIAL_TICKS: u64 = 10;

/// A play session whose run has begun.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    ticket: String,
    /// The seeds of the pieces that the page knows.
    seeds: Vec<i64>,
}

/// Sessions whose runs have begun, and when the last one did.
pub(crate) struct Sessions {
    pub(crate) all: Vec<Session>,
    begun: Instant,
}

/// Players start sessions, in one tournament after the other, because each player has a limited number
/// of runs in a round.
#[derive(Clone)]
pub(crate) struct StartSessions {
    pub(crate) players: Arc<Players>,
    pub(crate) tournaments: Arc<Vec<Tournament>>,
    tickets: Arc<Mutex<Vec<String>>>,
}

impl StartSessions {
    pub(crate) fn new(players: Arc<Players>, tournaments: Vec<Tournament>) -> Self {
        Self { players, tournaments: Arc::new(tournaments), tickets: Arc::default() }
    }

    /// How many runs the players have in all tournaments.
    pub(crate) fn limit(&self) -> Result<u64> {
        let runs = u64::from(RUNS_PER_ROUND) * u64::try_from(self.players.count())?;
        Ok(runs * u64::try_from(self.tournaments.len())?)
    }

    /// Begins the runs of the sessions that were started, one after the other.
    pub(crate) async fn begin(&self, target: Target) -> Result<Sessions> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Begun {
            seed: String,
            next_seeds: Vec<String>,
        }
        let tickets = {
            let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *tickets)
        };
        let mut connection = Connection::new(target);
        let mut all = Vec::with_capacity(tickets.len());
        for ticket in tickets {
            let body = json!({"session": ticket});
            let begin = client::json(Method::POST, "/api/runs", &body)?;
            let begun: Begun = connection.call_api(begin).await?;
            let texts = std::iter::once(&begun.seed).chain(&begun.next_seeds);
            let seeds = texts.map(|text| text.parse()).collect::<Result<_, _>>()?;
            all.push(Session { ticket, seeds });
        }
        Ok(Sessions { all, begun: Instant::now() })
    }
}

impl Workload for StartSessions {
    fn request(&self, iteration: Iteration) -> Result<HttpRequest> {
        let players = self.players.count().max(1);
        let place = iteration.number / players / usize::try_from(RUNS_PER_ROUND)?;
        let tournament = self.tournaments.get(place).context("the players have no runs left")?;
        let path = format!("/api/games/{}/sessions", tournament.game);
        let body = json!({"tournamentId": tournament.id});
        let request = client::json(Method::POST, &path, &body)?;
        Ok(self.players.get(iteration.number)?.authorize(request))
    }

    fn is_success(&self, reply: &Reply) -> bool {
        let Some(ticket) = parse(reply) else { return false };
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner).push(ticket);
        true
    }
}

fn parse(reply: &Reply) -> Option<String> {
    #[derive(Deserialize)]
    struct Envelope {
        payload: Started,
    }
    #[derive(Deserialize)]
    struct Started {
        session: String,
    }
    let Envelope { payload } = serde_json::from_slice(&reply.body).ok()?;
    Some(payload.session)
}

/// Plays a run of each session, with a thread for each core. No two runs have the same inputs,
/// because a run with another player's inputs is held.
pub(crate) fn play(game: Game, rules: &Rules, sessions: &[Session]) -> Result<Vec<Run>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let chunk = sessions.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let chunks = sessions.chunks(chunk).zip(0_u64..);
        let workers: Vec<_> = chunks
            .map(|(sessions, part)| {
                scope.spawn(move || {
                    let noises = (0..).map(|number| part << 32 | number);
                    let played = sessions.iter().zip(noises);
                    played
                        .map(|(session, noise)| play_one(game, rules, &session.seeds, noise))
                        .collect::<Result<Vec<Run>>>()
                })
            })
            .collect();
        let mut runs = Vec::with_capacity(sessions.len());
        for worker in workers {
            runs.extend(worker.join().map_err(|_| anyhow!("a playing thread panicked"))??);
        }
        Ok(runs)
    })
}

fn play_one(game: Game, rules: &Rules, seeds: &[i64], noise: u64) -> Result<Run> {
    if game == Game::DumaDash {
        return dash::play(rules, seeds, noise, RUN_SECONDS * TICKS);
    }
    let first = SplitMix64::new(noise).below(TRIVIAL_TICKS);
    let mut playing = rules.begin(seeds)?;
    let mut tick = 0;
    while playing.step(i32::from(tick >= first))? {
        tick += 1;
    }
    playing.finish()
}

/// Waits until the longest run can have been played since the last one began.
pub(crate) async fn wait(sessions: &Sessions, runs: &[Run]) {
    let longest = runs.iter().map(Run::steps).max().unwrap_or_default();
    let played = std::time::Duration::from_secs((longest / TICKS).into());
    sleep_until(sessions.begun + played).await;
}

/// Waits until the first piece of each run can have been played.
pub(crate) async fn wait_for_a_piece(sessions: &Sessions) {
    sleep_until(sessions.begun + std::time::Duration::from_secs(PIECE_SECONDS)).await;
}

/// Commits the first piece of each run.
pub(crate) struct CommitPieces {
    pub(crate) sessions: Vec<Session>,
}

impl Workload for CommitPieces {
    fn request(&self, iteration: Iteration) -> Result<HttpRequest> {
        let session = self.sessions.get(iteration.number).context("no run is left")?;
        let inputs = STANDARD.encode(QUIET_PIECE);
        let body = json!({"session": session.ticket, "index": 0, "inputs": inputs});
        client::json(Method::POST, "/api/runs/pieces", &body)
    }

    fn is_success(&self, reply: &Reply) -> bool {
        reply.status.is_success()
    }
}

/// Submits the runs, each once.
pub(crate) struct SubmitScores {
    bodies: Vec<serde_json::Value>,
    /// The number of replies without a rank.
    pub(crate) unranked: Arc<AtomicU64>,
}

impl SubmitScores {
    pub(crate) fn new(sessions: &[Session], runs: &[Run]) -> Self {
        let body = |(session, run): (&Session, &Run)| {
            json!({
                "session": session.ticket,
                "inputs": STANDARD.encode(run.encoded()),
                "points": run.points,
            })
        };
        let bodies = sessions.iter().zip(runs).map(body).collect();
        Self { bodies, unranked: Arc::default() }
    }

    /// The number of runs.
    pub(crate) fn count(&self) -> Result<u64> {
        Ok(u64::try_from(self.bodies.len())?)
    }
}

impl Workload for SubmitScores {
    fn request(&self, iteration: Iteration) -> Result<HttpRequest> {
        let body = self.bodies.get(iteration.number).context("no run is left")?;
        client::json(Method::POST, "/api/scores", body)
    }

    fn is_success(&self, reply: &Reply) -> bool {
        if contains(reply, br#""rank":null"#) {
            self.unranked.fetch_add(1, Ordering::Relaxed);
        }
        // A run that was submitted too late has no points.
        let is_whole = !contains(reply, br#""points":0,"#);
        reply.status.is_success() && contains(reply, br#""PROVEN""#) && is_whole
    }
}

fn contains(reply: &Reply, part: &[u8]) -> bool {
    reply.body.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::content::trivial;

    #[test]
    fn each_session_gets_a_run_over_its_seed() {
        let rules = Rules::new(&trivial().unwrap()).unwrap();
        let session = |seed: i64| Session { ticket: seed.to_string(), seeds: vec![seed] };
        let sessions: Vec<Session> = (0..9).map(session).collect();
        let runs = play(Game::Trivial, &rules, &sessions).unwrap();
        assert_eq!(runs.len(), 9);
        assert!(runs.iter().all(|run| run.steps() == 10 && run.points > 0));
    }
}
