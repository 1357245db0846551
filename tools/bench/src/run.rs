//! The whole run, in order: each yardstick right before what is held against
//! it, because on a shared machine a minute is a long time.

use std::{
    io::{self, Write as _},
    sync::Arc,
    time::Duration,
};

use anyhow::{Result, bail};
use types::Chance;

use crate::{
    argon2,
    config::{Plan, Scenario},
    cpu::Watched,
    figures::Figures,
    hello::{AskHello, Hello},
    live,
    load::Load,
    pgbench,
    players::Players,
    report::Report,
    scenarios::{Read, SignIn, Transfer},
    sign_out, stopwatch,
    wallet_db::WalletDb,
};

const HELLO: &str = "bare axum hello";
const ARGON2: &str = "bare Argon2id";
const SIGN_IN: &str = "sign-in";
const PROFILE: &str = "signed-in profile read";
const BALANCE: &str = "balance read";
const PGBENCH: &str = "pgbench transfer";
const TRANSFER: &str = "wallet transfer";
/// The waiting screen changes within this of M-Pesa's outcome.
const PAYMENT_KNOWN: Duration = Duration::from_millis(300);
/// An ended session is known everywhere within this.
const SIGN_OUT_KNOWN: Duration = Duration::from_secs(1);
/// What a gateway with the limits of production answers to a bench.
const LIMITED: &str = "429 RATE_LIMITED";

/// Runs what the plan asks for and prints what came of it.
pub(crate) async fn run(plan: &Plan) -> Result<()> {
    let mut report = Report::new(plan);
    let done = measure(plan, &mut report).await;
    // What was measured before something broke is still worth reading.
    write!(io::stdout(), "{report}")?;
    done?;
    if let Some(file) = &plan.json {
        report.write(file)?;
    }
    if !report.is_good() {
        bail!("figures with errors in them are worth nothing");
    }
    Ok(())
}

async fn measure(plan: &Plan, report: &mut Report) -> Result<()> {
    say(&format!("signing up {} players (each solves a captcha)", plan.players))?;
    let players = Players::sign_up(plan.url, plan.players, &Chance::system()).await?;
    let players = Arc::new(players);
    if plan.wants(Scenario::SignIn) {
        sign_ins(plan, &players, report).await?;
    }
    reads(plan, &players, report).await?;
    if plan.wants(Scenario::Transfer) {
        transfers(plan, &players, report).await?;
    }
    news(plan, &players, report).await?;
    if plan.wants(Scenario::Stopwatch) {
        say("asking about known and unknown addresses")?;
        report.compare(stopwatch::measure(plan.url, &players).await?);
    }
    prove(plan, report).await
}

/// What is promised to be known soon, timed while nothing else is asked.
async fn news(plan: &Plan, players: &Players, report: &mut Report) -> Result<()> {
    if plan.wants(Scenario::Live) {
        say(&format!("timing the news of {} payments", plan.samples))?;
        let news = live::measure(plan.url, plan.sandbox_url, players, plan.samples).await?;
        report.add_news("live news", PAYMENT_KNOWN, news);
    }
    if plan.wants(Scenario::SignOut) {
        say(&format!("timing the news of {} sign-outs", plan.samples))?;
        let news = sign_out::measure(plan.url, players, plan.samples).await?;
        report.add_news("sign-out", SIGN_OUT_KNOWN, news);
    }
    Ok(())
}

async fn sign_ins(plan: &Plan, players: &Arc<Players>, report: &mut Report) -> Result<()> {
    say(ARGON2)?;
    report.add(ARGON2, argon2::measure(plan).await?, None);
    say(SIGN_IN)?;
    let ask = SignIn { players: players.clone() };
    let figures = Load::from(plan).drive(plan.url, ask, &Watched::new(&plan.process)).await?;
    hint(&figures, report);
    report.add(SIGN_IN, figures, Some(ARGON2));
    Ok(())
}

async fn reads(plan: &Plan, players: &Arc<Players>, report: &mut Report) -> Result<()> {
    let wanted = [
        (Scenario::Profile, PROFILE, "/api/auth/login"),
        (Scenario::Balance, BALANCE, "/api/wallets/balance"),
    ];
    let wanted = wanted.into_iter().filter(|(scenario, ..)| plan.wants(*scenario));
    let wanted: Vec<_> = wanted.collect();
    if wanted.is_empty() {
        return Ok(());
    }
    say(HELLO)?;
    let hello = Hello::start().await?;
    let watched = Watched::new(hello.process().as_slice());
    let figures = Load::from(plan).drive(hello.target, AskHello, &watched).await?;
    drop(hello);
    report.add(HELLO, figures, None);
    for (_, name, path) in wanted {
        say(name)?;
        let ask = Read { players: players.clone(), path };
        let figures = Load::from(plan).drive(plan.url, ask, &Watched::new(&plan.process)).await?;
        hint(&figures, report);
        report.add(name, figures, Some(HELLO));
    }
    Ok(())
}

async fn transfers(plan: &Plan, players: &Arc<Players>, report: &mut Report) -> Result<()> {
    match (pgbench::find(), &plan.yardstick_database_url) {
        (Some(program), Some(database)) => {
            say(PGBENCH)?;
            report.add(PGBENCH, pgbench::measure(&program, database, plan).await?, None);
        }
        (None, _) => report.note(format!("{PGBENCH}: skipped, pgbench is not installed")),
        (_, None) => report.note(format!("{PGBENCH}: skipped, there is no BENCH_DATABASE_URL")),
    }
    say("topping up every player by M-Pesa")?;
    players.fund(plan.url, plan.sandbox_url).await?;
    say(TRANSFER)?;
    let ask = Transfer { players: players.clone() };
    let figures = Load::from(plan).drive(plan.url, ask, &Watched::new(&plan.process)).await?;
    hint(&figures, report);
    report.add(TRANSFER, figures, Some(PGBENCH));
    if let Some(database) = &plan.wallet_database_url {
        report.add_backlog(WalletDb::open(database).await?.drain().await?);
    }
    Ok(())
}

async fn prove(plan: &Plan, report: &mut Report) -> Result<()> {
    match &plan.wallet_database_url {
        Some(database) => report.add_proof(WalletDb::open(database).await?.prove().await),
        None => report.note("no proof: there is no WALLET_DATABASE_URL".to_owned()),
    }
    Ok(())
}

fn hint(figures: &Figures, report: &mut Report) {
    if figures.errors.contains_key(LIMITED) {
        report.note(
            "the gateway's limits bite; start it with RATE_GUEST, RATE_READ and RATE_MONEY raised, \
             as `cargo xtask bench` does"
                .to_owned(),
        );
    }
}

fn say(what: &str) -> io::Result<()> {
    writeln!(io::stdout(), "  … {what}")
}
