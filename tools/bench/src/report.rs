//! All figures of a run, printed as tables.

use std::{
    fmt::{self, Write as _},
    fs,
    path::Path,
    time::Duration,
};

use anyhow::Result;

use crate::{
    config::Plan,
    figures::{Figures, Millis, Ratio, Thousandths, micros},
    json,
    memory::Memory,
    process::GENERATOR,
    scenario::Scenario,
    wallet_db::Backlog,
};

/// The figures of a run and the circumstances.
#[derive(Debug)]
pub(crate) struct Report {
    cores: usize,
    /// The load averages of `/proc/loadavg` before the run.
    load_before: String,
    connections: u16,
    players: u16,
    settings: Vec<String>,
    rates: Vec<Rate>,
    latencies: Vec<Latency>,
    memory: Vec<(&'static str, Vec<Memory>)>,
    notes: Vec<String>,
    proof: Option<String>,
    proof_failed: bool,
}

/// A scenario under load.
#[derive(Debug)]
struct Rate {
    scenario: Scenario,
    figures: Figures,
    /// The rate as a share of a yardstick's.
    share: Option<(Thousandths, Scenario)>,
}

/// A scenario that measures latency without load.
#[derive(Debug)]
struct Latency {
    scenario: Scenario,
    figures: Figures,
    /// The highest latency that the product promises.
    promised: Duration,
}

impl Report {
    /// A report without figures.
    pub(crate) fn new(plan: &Plan) -> Self {
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load: Vec<&str> = load.split_ascii_whitespace().take(3).collect();
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load_before: load.join(" "),
            connections: plan.connections,
            players: plan.players,
            settings: plan.setting.clone(),
            rates: Vec::new(),
            latencies: Vec::new(),
            memory: Vec::new(),
            notes: Vec::new(),
            proof: None,
            proof_failed: false,
        }
    }

    /// Adds a scenario under load, with its share of its yardstick if that has run.
    pub(crate) fn add_rate(&mut self, scenario: Scenario, figures: Figures) {
        let yardstick = self.rates.iter().find(|rate| Some(rate.scenario) == scenario.yardstick());
        let share =
            yardstick.and_then(|rate| Some((figures.share_of(&rate.figures)?, rate.scenario)));
        self.rates.push(Rate { scenario, figures, share });
    }

    /// Adds a scenario that measures latency.
    pub(crate) fn add_latency(&mut self, scenario: Scenario, promised: Duration, figures: Figures) {
        self.latencies.push(Latency { scenario, figures, promised });
    }

    /// Adds the resident memory of all processes at some moment.
    pub(crate) fn add_memory(&mut self, moment: &'static str, memory: Vec<Memory>) {
        self.memory.push((moment, memory));
    }

    /// Adds what a scenario left in the outbox.
    pub(crate) fn add_backlog(&mut self, scenario: Scenario, backlog: Backlog) {
        let drained = Millis(micros(backlog.drained));
        self.add_note(format!(
            "outbox after {scenario}: {} rows, all delivered after {drained}",
            backlog.rows
        ));
    }

    /// Adds how the processor time of a request compares with another scenario's, in all
    /// processes but the load generator, whose part is the same.
    pub(crate) fn add_cpu_ratio(&mut self, scenario: Scenario, other: Scenario) {
        let servers = |figures: &Figures| figures.cpu_without(GENERATOR);
        let times = (self.rate_of(scenario).map(servers), self.rate_of(other).map(servers));
        if let (Some(time), Some(than)) = times {
            let ratio = Ratio::of(time, than);
            self.add_note(format!("{scenario}: {ratio} times the processor time of {other}"));
        }
    }

    /// Adds how the processor time of a score's write compares with a single upsert's.
    pub(crate) fn add_write_ratio(
        &mut self,
        write: Scenario,
        service: &'static str,
        yardstick: Scenario,
    ) {
        let (Some(written), Some(single)) = (self.rate_of(write), self.rate_of(yardstick)) else {
            return;
        };
        let time = written.cpu_of(&[service, "postgres"]);
        let alone = Ratio::of(time, single.cpu_of(&["postgres"]));
        let whole = Ratio::of(time, single.cpu_of(&["postgres", GENERATOR]));
        self.add_note(format!(
            "{write}: {time} µs in {service} and PostgreSQL together: {whole} times an \
             {yardstick} with its client, {alone} times PostgreSQL's part of it"
        ));
    }

    /// Adds how many messages there were, where the figures are those of deliveries.
    pub(crate) fn add_messages(&mut self, scenario: Scenario, per_second: u64) {
        self.add_note(format!("{scenario}: {per_second} messages a second"));
    }

    fn rate_of(&self, scenario: Scenario) -> Option<&Figures> {
        self.rates.iter().find(|rate| rate.scenario == scenario).map(|rate| &rate.figures)
    }

    /// Adds the result of the proof of the ledger.
    pub(crate) fn add_proof(&mut self, proof: Result<Duration>) {
        self.proof_failed = proof.is_err();
        self.proof = Some(match proof {
            Ok(took) => format!("no fault, checked in {took:.1?}"),
            Err(fault) => format!("{fault:#}"),
        });
    }

    /// Adds a line that a reader of the figures needs.
    pub(crate) fn add_note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Writes the figures as JSON.
    pub(crate) fn write(&self, file: &Path) -> Result<()> {
        json::write(file, self.figures())
    }

    /// Whether there were no errors and the ledger has no fault; other figures are not
    /// comparable.
    pub(crate) fn is_good(&self) -> bool {
        !self.proof_failed && self.figures().all(|(_, figures)| figures.errors.is_empty())
    }

    fn figures(&self) -> impl Iterator<Item = (&'static str, &Figures)> {
        let rates = self.rates.iter().map(|rate| (rate.scenario.name(), &rate.figures));
        let latencies = self.latencies.iter();
        let latencies = latencies.map(|latency| (latency.scenario.name(), &latency.figures));
        rates.chain(latencies)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n  {} cores, load before {}; {} connections, {} players",
            self.cores, self.load_before, self.connections, self.players
        )?;
        if !self.settings.is_empty() {
            writeln!(f, "  the mesh was started with {}", self.settings.join(" "))?;
        }
        if !self.rates.is_empty() {
            self.fmt_rates(f)?;
            self.fmt_cpu(f)?;
        }
        self.fmt_memory(f)?;
        writeln!(f)?;
        self.fmt_latencies(f)?;
        for note in &self.notes {
            writeln!(f, "  {note}")?;
        }
        for (name, figures) in self.figures() {
            for (kind, count) in &figures.errors {
                writeln!(f, "  error in {name}: {count} x {kind}")?;
            }
        }
        if let Some(proof) = &self.proof {
            writeln!(f, "  proof of the ledger: {proof}")?;
        }
        Ok(())
    }
}

impl Report {
    fn fmt_rates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n  {:<22} {:>10} {:>11} {:>11} {:>7}   share of yardstick",
            "scenario", "per second", "p50", "p99", "errors"
        )?;
        for Rate { scenario, figures, share } in &self.rates {
            let mut shown = String::new();
            if let Some((share, yardstick)) = share {
                write!(shown, "{share} of {yardstick}")?;
            }
            let Figures { per_second, p50, p99, .. } = *figures;
            let errors = figures.error_count();
            writeln!(
                f,
                "  {scenario:<22} {per_second:>10} {:>11} {:>11} {errors:>7}   {shown}",
                Millis(p50),
                Millis(p99)
            )?;
        }
        Ok(())
    }

    fn fmt_cpu(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n  processor time of a request, in microseconds")?;
        for Rate { scenario, figures, .. } in &self.rates {
            let parts = figures.cpu.iter().map(|(process, micros)| format!("{process} {micros}"));
            let parts = parts.collect::<Vec<_>>().join(", ");
            writeln!(f, "  {scenario:<22} {:>10}   {parts}", figures.cpu_whole())?;
        }
        Ok(())
    }

    fn fmt_memory(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.memory.is_empty() {
            writeln!(
                f,
                "\n  resident memory afterwards, in MiB: now/peak since the process started"
            )?;
        }
        for (moment, memory) in &self.memory {
            let parts: Vec<String> = memory.iter().map(ToString::to_string).collect();
            writeln!(f, "  {moment:<22} {}", parts.join(", "))?;
        }
        Ok(())
    }

    fn fmt_latencies(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Latency { scenario, figures, promised } in &self.latencies {
            writeln!(
                f,
                "  {scenario}, {} times: p50 {}, max {} (promised: {}), {} errors",
                figures.count,
                Millis(figures.p50),
                Millis(figures.max),
                Millis(micros(*promised)),
                figures.error_count()
            )?;
        }
        Ok(())
    }
}
