//! `overload`: five times the load that the mesh can carry.
//!
//! First the highest rate of the mix is found, then that rate times five is offered, open
//! loop: a request is due every few microseconds, whatever became of the earlier ones.
//! Refused requests are cheap and boosts are not, so goodput is counted in work: the
//! number of accepted requests times what one of its kind costs when it runs alone.

mod drive;
mod mix;
mod outcome;
mod report;

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use types::Rng;

use self::{
    drive::{Driver, Samples},
    mix::{Costs, Mix, Operation},
    outcome::{Overload, TIMES},
};
use crate::{config::OverloadPlan, players::Players};

/// Players who make the requests; pairs of them pay each other.
const PLAYERS: u16 = 64;
/// Connections with which the cost of one operation is measured.
const CONNECTIONS: usize = 32;
/// Connections with which the highest rate of the mix is searched.
const SEARCH: [usize; 4] = [8, 16, 32, 64];
/// How long each of these measurements takes.
const MEASURE: Duration = Duration::from_secs(5);
/// How long half of the highest rate is offered before the overload, and after it.
const BEFORE: Duration = Duration::from_secs(10);
const AFTER: Duration = Duration::from_secs(30);

/// Measures, prints the report, and fails when a bar was missed.
pub(crate) async fn run(arguments: &OverloadPlan) -> Result<()> {
    let overload = measure(arguments).await?;
    report::print(&overload, arguments.report.as_deref())?;
    let problems = overload.problems();
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

async fn measure(arguments: &OverloadPlan) -> Result<Overload> {
    let players = Players::sign_up(arguments.url, PLAYERS, &Rng::system()).await?;
    players.fund(arguments.url, arguments.sandbox_url).await?;
    let mix = Mix::new(arguments.url, players).await?;
    let mut driver = Driver::new(arguments.url, mix);

    let mut costs = Costs::default();
    for operation in Operation::ALL {
        let alone = driver.closed(CONNECTIONS, MEASURE, Some(operation)).await?;
        let rate = per_second(alone.accepted(), MEASURE);
        report::progress(&format!("{}: {rate} a second alone", operation.name()))?;
        costs.set(operation, rate).with_context(|| format!("no {operation:?} succeeded"))?;
    }
    let mut peak = Samples::default();
    for connections in SEARCH {
        let samples = driver.closed(connections, MEASURE, None).await?;
        let rate = per_second(samples.accepted(), MEASURE);
        report::progress(&format!("the mix on {connections} connections: {rate} a second"))?;
        if samples.accepted() > peak.accepted() {
            peak = samples;
        }
    }
    let rate = per_second(peak.accepted(), MEASURE);
    report::progress(&format!("half of that: {} a second", rate / 2))?;
    let before = driver.open(rate / 2, BEFORE).await?;
    report::progress(&format!("five times that: {} a second", rate * TIMES))?;
    let lasts = Duration::from_mins(arguments.minutes);
    let during = driver.open(rate * TIMES, lasts).await?;
    report::progress("half of it again")?;
    let after = driver.open(rate / 2, AFTER).await?;
    Ok(Overload { costs, rate, peak, peak_time: MEASURE, before, during, lasts, after })
}

fn per_second(count: u64, time: Duration) -> u64 {
    count.checked_div(time.as_secs()).unwrap_or_default()
}
