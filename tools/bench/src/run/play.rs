//! The scenarios of play.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use proto::tournament::v1::score_service_client::ScoreServiceClient;
use types::{Clock, Rng};

use super::{Run, progress};
use crate::{
    large,
    load::Load,
    play::{
        boards::{Part, ReadBoard},
        content::{self, Game, Tournament, apply_game, apply_tournament},
        record::{RecordScores, UpsertScores},
        replay,
        rules::Rules,
        runs::{self, CommitPieces, Sessions, StartSessions, SubmitScores},
        standings::{Size, Standings},
    },
    scenario::{Scenario, Selection},
};

/// Tournaments in which sessions are started for a scenario.
const TOURNAMENTS: usize = 8;
/// Sessions that are started for a scenario which begins with them.
const SESSIONS: u64 = 12_000;
/// Longest time that starting these sessions may take.
const STARTING: Duration = Duration::from_mins(1);
/// The caller of `ScoreService`.
const GAMES: &str = "svc-games";

impl Run<'_> {
    pub(super) async fn play(&mut self, scenario: Scenario) -> Result<()> {
        let args = &self.plan.play;
        let missing = args.missing().or_else(|| {
            let file = args.rules.display();
            (!args.rules.is_file()).then(|| format!("{file} is missing (npm run build in games)"))
        });
        if let Some(missing) = missing {
            if self.plan.only.contains(&Selection::One(scenario)) {
                bail!("{scenario}: {missing}");
            }
            self.report.add_note(format!("{scenario}: skipped, {missing}"));
            return Ok(());
        }
        match scenario {
            Scenario::Replay => self.replay().await,
            Scenario::CommitPiece => self.commit_piece().await,
            Scenario::TrivialScore => self.score(scenario, Game::Trivial).await,
            _ => self.score(scenario, Game::DumaDash).await,
        }
    }

    async fn replay(&mut self) -> Result<()> {
        progress(Scenario::Replay.name())?;
        let (figures, notes) = replay::measure(self.plan, self.rules(Game::DumaDash)?).await?;
        self.report.add_rate(Scenario::Replay, figures);
        for note in notes {
            self.report.add_note(note);
        }
        Ok(())
    }

    /// Pages commit the first piece of each of their runs.
    async fn commit_piece(&mut self) -> Result<()> {
        let scenario = Scenario::CommitPiece;
        let sessions = self.start_sessions(Game::DumaDash).await?;
        runs::wait_for_a_piece(&sessions).await;
        progress(scenario.name())?;
        let max_requests = u64::try_from(sessions.all.len())?;
        let workload = CommitPieces { sessions: sessions.all };
        let load = Load { max_requests, ..Load::from(self.plan) };
        let figures = load.run(self.plan.url, workload, &self.meter()).await?;
        self.add(scenario, figures);
        Ok(())
    }

    /// Players submit a run of each of their sessions.
    async fn score(&mut self, scenario: Scenario, game: Game) -> Result<()> {
        let sessions = self.start_sessions(game).await?;
        progress(&format!("playing {} runs", sessions.all.len()))?;
        let rules = self.rules(game)?;
        let play = move || anyhow::Ok((runs::play(game, &rules, &sessions.all)?, sessions));
        let (played, sessions) = tokio::task::spawn_blocking(play).await??;
        let steps: u64 = played.iter().map(|run| u64::from(run.steps())).sum();
        let count = u64::try_from(played.len())?;
        let mean = steps.checked_div(count).context("no session was started")?;
        progress("waiting until the runs can have been played")?;
        runs::wait(&sessions, &played).await;
        let workload = SubmitScores::new(&sessions.all, &played);
        let unranked = Arc::clone(&workload.unranked);
        progress(scenario.name())?;
        let load = Load { max_requests: workload.count()?, ..Load::from(self.plan) };
        let figures = load.run(self.plan.url, workload, &self.meter()).await?;
        self.add(scenario, figures);
        let unranked = unranked.load(Ordering::Relaxed);
        self.report.add_note(format!(
            "{scenario}: {count} runs of {mean} steps; {unranked} replies without a rank"
        ));
        Ok(())
    }

    async fn start_sessions(&mut self, game: Game) -> Result<Sessions> {
        let workload = self.starts(game).await?;
        progress("starting sessions")?;
        let max_requests = workload.limit()?.min(SESSIONS).min(self.plan.max_requests);
        let load = Load {
            warm_up: Duration::ZERO,
            measure: STARTING,
            max_requests,
            ..Load::from(self.plan)
        };
        let figures = load.run(self.plan.url, workload.clone(), &self.meter()).await?;
        if let Some((kind, count)) = figures.errors.first_key_value() {
            bail!("sessions were not started: {count} x {kind}");
        }
        progress("beginning their runs")?;
        workload.begin(self.plan.url).await
    }

    /// Starts of runs in tournaments of their own, in which no player has a run yet.
    async fn starts(&mut self, game: Game) -> Result<StartSessions> {
        let players = self.players().await?;
        let plan = self.plan;
        progress("applying the game and its tournaments")?;
        apply_game(&plan.play, game).await?;
        let run = Rng::system().uuid_v7(Clock::system().now()).simple().to_string();
        let mut tournaments = Vec::new();
        for number in 0..TOURNAMENTS {
            let key = format!("bench-{run}-{number}");
            tournaments.push(apply_tournament(&plan.play, plan.url, game, &key).await?);
        }
        Ok(StartSessions::new(players, tournaments))
    }

    fn rules(&self, game: Game) -> Result<Rules> {
        Rules::new(&content::rules(&self.plan.play, game)?)
    }

    pub(super) async fn leaderboard(&mut self, scenario: Scenario) -> Result<()> {
        let (size, part) = match scenario {
            Scenario::LeaderboardPageSmall => (Size::Small, Part::FirstPage),
            Scenario::LeaderboardPage => (Size::Large, Part::FirstPage),
            Scenario::LeaderboardOwnRankSmall => (Size::Small, Part::OwnRank),
            _ => (Size::Large, Part::OwnRank),
        };
        let workload = self.read_board(size, part).await?;
        self.load(scenario, workload).await?;
        self.add_ratio(scenario);
        Ok(())
    }

    pub(super) async fn upsert_score(&mut self) -> Result<()> {
        let scenario = Scenario::UpsertScore;
        let database = self.plan.bench_database_url.as_ref();
        let options = database.context("BENCH_DATABASE_URL is not set")?.options().clone();
        let standings = self.standings(Size::Large);
        progress("filling the yardstick's table")?;
        UpsertScores::prepare(&options, standings).await?;
        progress(scenario.name())?;
        // The yardstick has as many connections as svc-tournament has to its database.
        let connections = usize::from(self.plan.pgbench_clients);
        let load = Load { connections, ..Load::from(self.plan) };
        let caller = || UpsertScores::new(options.clone(), standings);
        let figures = load.drive(caller, &self.meter()).await?;
        self.add(scenario, figures);
        Ok(())
    }

    pub(super) async fn record_score(&mut self) -> Result<()> {
        let scenario = Scenario::RecordScore;
        // The rank of a score comes from the board, so svc-tournament must have it in memory.
        let board = self.read_board(Size::Large, Part::FirstPage).await?;
        let scores = ScoreServiceClient::new(self.plan.play.tournament(GAMES)?);
        progress(scenario.name())?;
        let caller = || RecordScores {
            scores: scores.clone(),
            tournament: board.tournament.id.clone(),
            standings: board.standings,
        };
        let figures = Load::from(self.plan).drive(caller, &self.meter()).await?;
        self.add(scenario, figures);
        self.report.add_write_ratio(scenario, "svc-tournament", Scenario::UpsertScore);
        Ok(())
    }

    fn standings(&self, size: Size) -> Standings {
        size.standings(self.plan.dataset)
    }

    /// The board, in the database and in the memory of svc-tournament.
    async fn read_board(&mut self, size: Size, part: Part) -> Result<ReadBoard> {
        let tournament = self.board(size).await?;
        if self.play.bearers.is_empty() {
            progress("signing in players of the large data set")?;
            let (url, dataset) = (self.plan.url, self.plan.dataset);
            self.play.bearers = large::sign_in_readers(url, dataset).await?;
        }
        let standings = self.standings(size);
        let bearers = self.play.bearers.clone();
        let workload = ReadBoard { tournament, standings, part, bearers };
        let took = workload.wait_until_loaded(self.plan.url).await?;
        if took > Duration::from_millis(100) {
            self.report.add_note(format!(
                "board of {} standings: first read after {took:.1?}",
                standings.players
            ));
        }
        Ok(workload)
    }

    async fn board(&mut self, size: Size) -> Result<Tournament> {
        let loaded = self.play.boards.iter().find(|(loaded, _)| *loaded == size);
        if let Some((_, tournament)) = loaded {
            return Ok(tournament.clone());
        }
        let plan = self.plan;
        if !self.play.has_directory {
            progress(&format!("loading {} players", plan.dataset.wallets))?;
            large::load_players(plan).await?;
            self.play.has_directory = true;
        }
        apply_game(&plan.play, Game::Trivial).await?;
        let key = size.key();
        let tournament = apply_tournament(&plan.play, plan.url, Game::Trivial, key).await?;
        let standings = self.standings(size);
        progress(&format!("loading {} standings", standings.players))?;
        let superuser =
            plan.bench_database_url.as_ref().context("BENCH_DATABASE_URL is not set")?;
        let database = plan.play.tournament_database_url.as_ref();
        let database = database.context("TOURNAMENT_DATABASE_URL is not set")?;
        let took = standings.load(&superuser.options_for(database)?, &tournament.id).await?;
        if let Some(took) = took {
            self.report.add_note(format!("{} standings: loaded in {took:.1?}", standings.players));
        }
        self.play.boards.push((size, tournament.clone()));
        Ok(tournament)
    }

    /// Says how much more processor time the large board takes than the small one.
    fn add_ratio(&mut self, scenario: Scenario) {
        if let Some(small) = scenario.yardstick() {
            self.report.add_cpu_ratio(scenario, small);
        }
    }
}
