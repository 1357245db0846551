//! The figures as a table for people and as JSON for machines.

use std::{
    fmt::{self, Write as _},
    fs,
    path::Path,
    time::Duration,
};

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::{
    config::Plan,
    figures::{Figures, Millis, Thousandths, micros},
    stopwatch::Compared,
    wallet_db::Backlog,
};

/// All that a run found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    cores: usize,
    /// `/proc/loadavg` before the run: other work on the machine.
    load_before: String,
    connections: u16,
    players: u16,
    settings: Vec<String>,
    rows: Vec<Row>,
    news: Vec<News>,
    compared: Vec<Compared>,
    notes: Vec<String>,
    proof: Option<String>,
    #[serde(skip)]
    broken: bool,
}

/// One line of the table.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: &'static str,
    #[serde(flatten)]
    figures: Figures,
    yardstick: Option<&'static str>,
    ratio_thousandths: Option<Thousandths>,
}

/// How long something took to be known, beside what is promised.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct News {
    name: &'static str,
    #[serde(flatten)]
    figures: Figures,
    #[serde(rename = "promisedMicros")]
    promised: u64,
}

impl Report {
    /// An empty one, for this machine.
    pub(crate) fn new(plan: &Plan) -> Self {
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load: Vec<&str> = load.split_ascii_whitespace().take(3).collect();
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load_before: load.join(" "),
            connections: plan.connections,
            players: plan.players,
            settings: plan.setting.clone(),
            rows: Vec::new(),
            news: Vec::new(),
            compared: Vec::new(),
            notes: Vec::new(),
            proof: None,
            broken: false,
        }
    }

    /// A scenario, held against a yardstick that is already in the report.
    pub(crate) fn add(
        &mut self,
        name: &'static str,
        figures: Figures,
        yardstick: Option<&'static str>,
    ) {
        let measured = self.rows.iter().find(|row| Some(row.name) == yardstick);
        let ratio_thousandths = measured.and_then(|row| figures.share_of(&row.figures));
        let yardstick = measured.map(|row| row.name);
        self.rows.push(Row { name, figures, yardstick, ratio_thousandths });
    }

    /// How long something took to be known.
    pub(crate) fn add_news(&mut self, name: &'static str, promised: Duration, figures: Figures) {
        self.news.push(News { name, figures, promised: micros(promised) });
    }

    /// What a stopwatch showed.
    pub(crate) fn compare(&mut self, compared: Vec<Compared>) {
        self.compared = compared;
    }

    /// What the transfers left in the outbox.
    pub(crate) fn add_backlog(&mut self, backlog: Backlog) {
        let drained = Millis(micros(backlog.drained));
        self.note(format!(
            "outbox: {} rows when the transfers stopped, none after {drained}",
            backlog.rows
        ));
    }

    /// Whether the ledger is whole.
    pub(crate) fn add_proof(&mut self, proof: Result<()>) {
        self.broken = proof.is_err();
        self.proof = Some(match proof {
            Ok(()) => "no row: the ledger is whole".to_owned(),
            Err(fault) => format!("{fault:#}"),
        });
    }

    /// Something that a reader of the figures must know.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Writes it down for machines.
    pub(crate) fn write(&self, file: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
    }

    /// Figures with errors in them, or of a broken ledger, are worth nothing.
    pub(crate) fn is_good(&self) -> bool {
        !self.broken && self.errors().next().is_none()
    }

    fn errors(&self) -> impl Iterator<Item = (&'static str, &String, u64)> {
        let rows = self.rows.iter().map(|row| (row.name, &row.figures));
        let all = rows.chain(self.news.iter().map(|news| (news.name, &news.figures)));
        all.flat_map(|(name, figures)| {
            figures.errors.iter().map(move |(kind, count)| (name, kind, *count))
        })
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
        if !self.rows.is_empty() {
            self.show_rates(f)?;
            self.show_cpu(f)?;
        }
        writeln!(f)?;
        for News { name, figures, promised } in &self.news {
            writeln!(
                f,
                "  {name}, {} times: p50 {}, max {} (promised: {}), {} errors",
                figures.count,
                Millis(figures.p50),
                Millis(figures.max),
                Millis(*promised),
                figures.error_count()
            )?;
        }
        for compared in &self.compared {
            writeln!(f, "  {compared}")?;
        }
        for note in &self.notes {
            writeln!(f, "  {note}")?;
        }
        for (name, kind, count) in self.errors() {
            writeln!(f, "  error in {name}: {count} x {kind}")?;
        }
        if let Some(proof) = &self.proof {
            writeln!(f, "  proof of the ledger: {proof}")?;
        }
        Ok(())
    }
}

impl Report {
    fn show_rates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n  {:<28} {:>10} {:>11} {:>11} {:>7}   of its yardstick",
            "scenario", "per second", "p50", "p99", "errors"
        )?;
        for row in &self.rows {
            let mut ratio = String::new();
            if let (Some(share), Some(yardstick)) = (row.ratio_thousandths, row.yardstick) {
                write!(ratio, "{share} of {yardstick}")?;
            }
            let Figures { per_second, p50, p99, .. } = row.figures;
            let errors = row.figures.error_count();
            writeln!(
                f,
                "  {:<28} {per_second:>10} {:>11} {:>11} {errors:>7}   {ratio}",
                row.name,
                Millis(p50),
                Millis(p99)
            )?;
        }
        Ok(())
    }

    fn show_cpu(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n  time of the processor, in microseconds a request")?;
        for Row { name, figures, .. } in &self.rows {
            let whole: u64 = figures.cpu.values().sum();
            let parts = figures.cpu.iter().map(|(process, micros)| format!("{process} {micros}"));
            let parts = parts.collect::<Vec<_>>().join(", ");
            writeln!(f, "  {name:<28} {whole:>10}   {parts}")?;
        }
        Ok(())
    }
}
