//! Runs the selected scenarios one after the other.

mod play;
mod talk;

use std::{
    io::{self, Write as _},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use types::Rng;

use crate::{
    config::Plan,
    cpu::CpuMeter,
    figures::Figures,
    hello::{GetHello, YardstickServer},
    large, live_update,
    load::{Load, Workload},
    memory::Memory,
    pgbench,
    play::prepared::Prepared,
    players::Players,
    random::Zipf,
    report::Report,
    scenario::{Scenario, Selection},
    sign_out,
    wallet_db::WalletDb,
    workloads::{self, History, LargeTransfer, PairTransfer, Read},
};

/// The promise for a payment: the waiting screen changes this long after M-Pesa's result.
const LIVE_UPDATE_PROMISE: Duration = Duration::from_millis(300);
/// The promise for a sign-out: the session is refused everywhere this long afterwards.
const SIGN_OUT_PROMISE: Duration = Duration::from_secs(1);
/// Players who signed up earlier are replaced before a scenario: access tokens expire after
/// 15 minutes, and a scenario takes a few.
const MAX_PLAYER_AGE: Duration = Duration::from_mins(8);
/// The transfers before histories are read that were just written.
const FRESH_TRANSFERS: u64 = 20_000;
/// The error of a gateway with the rate limits of production.
const RATE_LIMITED: &str = "429 RATE_LIMITED";

/// Runs the plan's scenarios, prints the report and writes the JSON file. Fails when there
/// were errors.
pub(crate) async fn run(plan: &Plan) -> Result<()> {
    let mut run = Run {
        plan,
        report: Report::new(plan),
        players: None,
        play: Prepared::default(),
        large_loaded: false,
    };
    let done = run.measure().await;
    // The figures of the scenarios before a failure are printed too.
    write!(io::stdout(), "{}", run.report)?;
    done?;
    if let Some(file) = &plan.json {
        run.report.write(file)?;
    }
    if !run.report.is_good() {
        bail!("there were errors: these figures are not comparable");
    }
    Ok(())
}

struct Run<'a> {
    plan: &'a Plan,
    report: Report,
    /// The players and when they signed up, before the first scenario that needs them.
    players: Option<(Instant, Arc<Players>)>,
    play: Prepared,
    large_loaded: bool,
}

impl Run<'_> {
    async fn measure(&mut self) -> Result<()> {
        let ledger = [Scenario::History, Scenario::WalletTransferLarge];
        // The data set is loaded before the yardsticks, because each yardstick is measured in the
        // same minute as its scenario.
        if ledger.into_iter().any(|scenario| self.plan.includes(scenario)) {
            self.load_large().await?;
        }
        for scenario in Scenario::ALL {
            if self.plan.includes(scenario) {
                self.measure_one(scenario).await?;
                let memory = Memory::read(&self.plan.process);
                self.report.add_memory(scenario.name(), memory);
            }
        }
        if self.plan.only.is_empty() {
            let large = Scenario::ALL.into_iter().filter(|scenario| scenario.is_large());
            let names = large.map(Scenario::name).collect::<Vec<_>>().join(", ");
            self.report.add_note(format!("left out: {names} (--only all-large runs them)"));
        }
        self.prove().await?;
        self.report.add_memory("at the end", Memory::read(&self.plan.process));
        Ok(())
    }

    async fn measure_one(&mut self, scenario: Scenario) -> Result<()> {
        let plan = self.plan;
        match scenario {
            Scenario::Hello => self.hello().await,
            Scenario::ProfileRead => self.read(scenario, "/api/auth/login").await,
            Scenario::BalanceRead => self.read(scenario, "/api/wallets/balance").await,
            Scenario::PgbenchTransfer => self.pgbench().await,
            Scenario::WalletTransfer => {
                let players = self.funded_players().await?;
                self.transfer(scenario, PairTransfer { players, keys: "pair" }).await
            }
            Scenario::HistoryFresh => {
                let players = self.funded_players().await?;
                progress("transferring between the players, whose histories are read then")?;
                let workload = PairTransfer { players, keys: "fresh" };
                let load = Load::from(plan).for_requests(FRESH_TRANSFERS);
                let figures = load.run(plan.url, workload, &self.meter()).await?;
                ensure!(figures.errors.is_empty(), "transfers failed: {:?}", figures.errors);
                if let Some(database) = &plan.wallet_database_url {
                    WalletDb::open(database).await?.drain_outbox().await?;
                }
                self.read(scenario, workloads::HISTORY).await
            }
            Scenario::LiveUpdate | Scenario::SignOut => self.latency(scenario).await,
            Scenario::History => {
                self.load_large().await?;
                progress("signing in players of the large data set")?;
                let bearers = large::sign_in_readers(plan.url, plan.dataset).await?;
                self.load(scenario, History { bearers }).await
            }
            Scenario::WalletTransferLarge => {
                self.load_large().await?;
                let players = self.funded_players().await?;
                let popularity = Zipf::new(plan.dataset.wallets);
                let dataset = plan.dataset;
                self.transfer(scenario, LargeTransfer { players, dataset, popularity }).await
            }
            Scenario::Replay
            | Scenario::CommitPiece
            | Scenario::TrivialScore
            | Scenario::ProvenScore => self.play(scenario).await,
            Scenario::LeaderboardPageSmall
            | Scenario::LeaderboardPage
            | Scenario::LeaderboardOwnRankSmall
            | Scenario::LeaderboardOwnRank => self.leaderboard(scenario).await,
            Scenario::UpsertScore => self.upsert_score().await,
            Scenario::RecordScore => self.record_score().await,
            _ => self.talk(scenario).await,
        }
    }

    async fn hello(&mut self) -> Result<()> {
        progress(Scenario::Hello.name())?;
        let server = YardstickServer::start("hello").await?;
        let meter = CpuMeter::new(server.process().as_slice());
        let figures = Load::from(self.plan).run(server.target, GetHello, &meter).await?;
        self.report.add_rate(Scenario::Hello, figures);
        Ok(())
    }

    async fn read(&mut self, scenario: Scenario, path: &'static str) -> Result<()> {
        let players = self.players().await?;
        self.load(scenario, Read { players, path }).await
    }

    async fn pgbench(&mut self) -> Result<()> {
        let plan = self.plan;
        let missing = match (pgbench::find(), &plan.bench_database_url) {
            (Some(program), Some(database)) => {
                progress(Scenario::PgbenchTransfer.name())?;
                let figures = pgbench::measure(&program, database, plan).await?;
                self.report.add_rate(Scenario::PgbenchTransfer, figures);
                return Ok(());
            }
            (None, _) => "pgbench is not installed",
            (_, None) => "BENCH_DATABASE_URL is not set",
        };
        if plan.only.contains(&Selection::One(Scenario::PgbenchTransfer)) {
            bail!("{}: {missing}", Scenario::PgbenchTransfer);
        }
        self.report.add_note(format!("{}: skipped, {missing}", Scenario::PgbenchTransfer));
        Ok(())
    }

    async fn latency(&mut self, scenario: Scenario) -> Result<()> {
        let plan = self.plan;
        let players = self.players().await?;
        progress(&format!("{scenario}, {} times", plan.samples))?;
        let (promised, figures) = if scenario == Scenario::LiveUpdate {
            let measured =
                live_update::measure(plan.url, plan.sandbox_url, &players, plan.samples).await?;
            (LIVE_UPDATE_PROMISE, measured)
        } else {
            (SIGN_OUT_PROMISE, sign_out::measure(plan.url, &players, plan.samples).await?)
        };
        self.report.add_latency(scenario, promised, figures);
        Ok(())
    }

    /// Transfers under load, until the outbox is empty again.
    async fn transfer<W: Workload>(&mut self, scenario: Scenario, workload: W) -> Result<()> {
        self.load(scenario, workload).await?;
        if let Some(database) = &self.plan.wallet_database_url {
            let backlog = WalletDb::open(database).await?.drain_outbox().await?;
            self.report.add_backlog(scenario, backlog);
        }
        Ok(())
    }

    async fn load<W: Workload>(&mut self, scenario: Scenario, workload: W) -> Result<()> {
        progress(scenario.name())?;
        let figures = Load::from(self.plan).run(self.plan.url, workload, &self.meter()).await?;
        self.add(scenario, figures);
        Ok(())
    }

    fn add(&mut self, scenario: Scenario, figures: Figures) {
        if figures.errors.contains_key(RATE_LIMITED) {
            self.report.add_note(format!(
                "{scenario} met the gateway's rate limits: raise RATE_GUEST, RATE_READ and \
                 RATE_MONEY, as `cargo xtask bench` does"
            ));
        }
        self.report.add_rate(scenario, figures);
    }

    fn meter(&self) -> CpuMeter {
        CpuMeter::new(&self.plan.process)
    }

    async fn players(&mut self) -> Result<Arc<Players>> {
        if let Some((signed_up, players)) = &self.players
            && signed_up.elapsed() < MAX_PLAYER_AGE
        {
            return Ok(players.clone());
        }
        let count = self.plan.players;
        progress(&format!("signing up {count} players (each solves a captcha)"))?;
        let players = Players::sign_up(self.plan.url, count, &Rng::system()).await?;
        let players = Arc::new(players);
        self.players = Some((Instant::now(), players.clone()));
        Ok(players)
    }

    async fn funded_players(&mut self) -> Result<Arc<Players>> {
        let players = self.players().await?;
        progress("topping up every player by M-Pesa")?;
        players.fund(self.plan.url, self.plan.sandbox_url).await?;
        Ok(players)
    }

    async fn load_large(&mut self) -> Result<()> {
        if self.large_loaded {
            return Ok(());
        }
        let plan = self.plan;
        progress(&format!(
            "loading {} wallets and {} postings",
            plan.dataset.wallets, plan.dataset.postings
        ))?;
        let loaded = large::load(plan).await.context("the large data set was not loaded")?;
        let note = match loaded {
            Some(took) => format!("large data set: loaded in {took:.1?}"),
            None => "large data set: already in the databases".to_owned(),
        };
        progress(&note)?;
        self.report.add_note(note);
        self.large_loaded = true;
        Ok(())
    }

    async fn prove(&mut self) -> Result<()> {
        let Some(database) = &self.plan.wallet_database_url else {
            self.report.add_note("no proof: WALLET_DATABASE_URL is not set".to_owned());
            return Ok(());
        };
        progress("proving the ledger")?;
        self.report.add_proof(WalletDb::open(database).await?.prove().await);
        Ok(())
    }
}

fn progress(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "  … {line}")
}
