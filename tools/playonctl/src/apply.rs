//! Applies documents: all are checked by their service before the first is applied.

use std::{
    collections::{BTreeSet, HashMap},
    io::{self, Write},
};

use proto::types::v1::Change;
use serde_json::{Map, Value};
use time::OffsetDateTime;
use tonic::Status;

use crate::{
    catalogue::Catalogue,
    documents::{Document, Problem, Problems},
    manifest::{Item, Kind, Manifest},
    service::{needs_second_operator, violation},
};

/// The mode in which `apply` treats the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The documents are applied.
    Apply,
    /// The documents are checked, and what would change is printed.
    DryRun,
    /// The documents are checked, and what would change is printed with the old and the new value
    /// of each field.
    Diff,
}

/// A document, the item that it makes, and the one that exists.
struct Step<'a> {
    document: &'a Document,
    existing: Option<&'a Item>,
    item: Item,
    /// The rules module; empty if the service has it.
    rules: Vec<u8>,
}

/// What became of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Changed(Change),
    /// The document takes effect when a second operator applies it.
    Proposed,
}

/// Checks all documents, and applies those that change something, in the order of their
/// kinds. Prints a line a document and a summary. Fails after that if a document waits for a second
/// operator.
pub async fn apply(
    catalogue: &Catalogue,
    documents: &[Document],
    mode: Mode,
    now: OffsetDateTime,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let services: BTreeSet<_> =
        documents.iter().map(|document| document.kind().service()).collect();
    let items = catalogue.items_of(services).await?;
    let existing: HashMap<(Kind, &str), &Item> =
        items.iter().map(|item| ((item.kind(), item.id()), item)).collect();
    let mut steps: Vec<Step<'_>> = documents
        .iter()
        .map(|document| {
            let key = (document.kind(), document.id());
            Step::new(document, existing.get(&key).copied(), now)
        })
        .collect();
    steps.sort_by_key(|step| step.item.kind());
    let changes = check(catalogue, &steps).await?;
    let mut outcomes: Vec<_> = changes.iter().copied().map(Outcome::Changed).collect();
    if mode == Mode::Apply {
        for (index, (step, outcome)) in steps.iter().zip(&mut outcomes).enumerate() {
            // The rules of a game that is changed here come into its tournaments.
            if changes[index] != Change::Unchanged
                || step.has_changed_game(&steps[..index], &changes)
            {
                *outcome = apply_step(catalogue, step).await?;
            }
        }
    }
    print(mode, &steps, &outcomes, out)?;
    anyhow::ensure!(
        !outcomes.contains(&Outcome::Proposed),
        "the proposed documents take effect when a second operator applies them within seven days"
    );
    Ok(())
}

async fn apply_step(catalogue: &Catalogue, step: &Step<'_>) -> anyhow::Result<Outcome> {
    match catalogue.apply(step.item.clone(), step.rules.clone(), false).await {
        Ok(change) => Ok(Outcome::Changed(change)),
        Err(status) if needs_second_operator(&status) => Ok(Outcome::Proposed),
        Err(status) => Err(rest_not_applied(step, &status)),
    }
}

impl<'a> Step<'a> {
    fn new(document: &'a Document, existing: Option<&'a Item>, now: OffsetDateTime) -> Self {
        let item = document.item(existing, now);
        // The service stores a module once; who sends one that it has confirms it.
        let rules = document.rules.clone().unwrap_or_default();
        Self { document, existing, item, rules }
    }

    /// The problem that a refusal is about, if it is about a field.
    fn problem(&self, status: &Status) -> Option<Problem> {
        let (field, problem) = violation(status)?;
        Some(self.document.problem(Some(&field), problem))
    }

    /// Whether a refusal is about a game, its prizes or its levels, which an earlier step creates or
    /// changes.
    /// The service refuses again when the step is applied, if the reason is still true then.
    fn waits_for_game(&self, status: &Status, earlier: &[Step<'_>], changes: &[Change]) -> bool {
        self.has_changed_game(earlier, changes)
            && violation(status).is_some_and(|(field, _)| field == "game" || field == "level")
    }

    /// Whether an earlier step creates, changes or confirms the game of this tournament.
    fn has_changed_game(&self, earlier: &[Step<'_>], changes: &[Change]) -> bool {
        let Item::Tournament(tournament) = &self.item else { return false };
        earlier.iter().zip(changes).any(|(step, change)| {
            *change != Change::Unchanged
                && matches!(&step.item, Item::Game(game) if game.key == tournament.game)
        })
    }

    fn failure(&self, status: &Status) -> anyhow::Error {
        self.item.kind().service().failure(status)
    }
}

/// The rules or the key that an operator confirms with a game.
fn proof_of(item: &Item) -> &str {
    match item {
        Item::Game(game) if game.rules_sha256.is_empty() => &game.score_key,
        Item::Game(game) => &game.rules_sha256,
        _ => "",
    }
}

/// Returns the change that each document would make; fails with all problems of the documents.
async fn check(catalogue: &Catalogue, steps: &[Step<'_>]) -> anyhow::Result<Vec<Change>> {
    let mut changes = Vec::new();
    let mut problems = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        match catalogue.apply(step.item.clone(), step.rules.clone(), true).await {
            Ok(change) => changes.push(change),
            Err(status) if step.waits_for_game(&status, &steps[..index], &changes) => {
                let is_new = step.existing.is_none();
                changes.push(if is_new { Change::Created } else { Change::Updated });
            }
            Err(status) => {
                problems.push(step.problem(&status).ok_or_else(|| step.failure(&status))?);
                // A placeholder keeps the changes in line with their steps.
                changes.push(Change::Unspecified);
            }
        }
    }
    if problems.is_empty() { Ok(changes) } else { Err(Problems(problems).into()) }
}

/// The error for a problem that only shows when a document is written, for example a package that
/// another game has.
fn rest_not_applied(step: &Step<'_>, status: &Status) -> anyhow::Error {
    let cause = step
        .problem(status)
        .map_or_else(|| step.failure(status), |problem| anyhow::anyhow!(problem));
    cause.context("this document and those after it were not applied")
}

fn print(
    mode: Mode,
    steps: &[Step<'_>],
    outcomes: &[Outcome],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    for (step, outcome) in steps.iter().zip(outcomes) {
        let (kind, id) = (step.item.kind(), step.item.id());
        writeln!(out, "{:<9} {kind} {id}", name(*outcome))?;
        if *outcome == Outcome::Changed(Change::Confirmed) {
            writeln!(out, "  its rules or key: {}", proof_of(&step.item))?;
        } else if mode == Mode::Diff && *outcome != Outcome::Changed(Change::Unchanged) {
            differences(step.existing, &step.item, out)?;
        }
    }
    let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    let [created, updated, unchanged] = [Change::Created, Change::Updated, Change::Unchanged]
        .map(|change| count(Outcome::Changed(change)));
    let others =
        [(Outcome::Changed(Change::Confirmed), "confirmed"), (Outcome::Proposed, "proposed")]
            .map(|(outcome, name)| match count(outcome) {
                0 => String::new(),
                some => format!(", {some} {name}"),
            })
            .concat();
    let note = if mode == Mode::Apply { "" } else { "; nothing was applied" };
    writeln!(out, "{created} created, {updated} updated, {unchanged} unchanged{others}{note}")?;
    Ok(())
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Changed(Change::Created) => "created",
        Outcome::Changed(Change::Updated) => "updated",
        Outcome::Changed(Change::Deleted) => "deleted",
        Outcome::Changed(Change::Confirmed) => "confirmed",
        Outcome::Changed(Change::Unchanged | Change::Unspecified) => "unchanged",
        Outcome::Proposed => "proposed",
    }
}

/// A line for each old and each new value of a field.
fn differences(existing: Option<&Item>, item: &Item, out: &mut impl Write) -> anyhow::Result<()> {
    let old = existing.map_or_else(|| Ok(Map::new()), fields)?;
    let new = fields(item)?;
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let (old, new) = (old.get(name), new.get(name));
        if old != new {
            line(out, '-', name, old)?;
            line(out, '+', name, new)?;
        }
    }
    Ok(())
}

fn line(out: &mut impl Write, sign: char, name: &str, value: Option<&Value>) -> io::Result<()> {
    value.map_or(Ok(()), |value| writeln!(out, "  {sign} {name}: {value}"))
}

fn fields(item: &Item) -> anyhow::Result<Map<String, Value>> {
    match serde_json::to_value(Manifest::from(item.clone()))? {
        Value::Object(fields) => Ok(fields),
        other => anyhow::bail!("a manifest is an object, not {other}"),
    }
}
