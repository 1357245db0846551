//! Ending a mesh in good order, whoever started it.

use std::time::Duration;

use anyhow::{Context as _, Result};
use nix::sys::signal::Signal;

use crate::instance::{Instance, Lock, remove};
use crate::postgres;
use crate::process::Record;
use crate::terminal::Step;

/// How long a process may take to end before it is killed. More than the
/// services' own limit, which is ten seconds.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

/// The order of ending: from the door inwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Lets nobody in any more.
    Door,
    /// The services finish what they have begun.
    Services,
    /// The sandbox and the stores, which the services needed until now.
    Ground,
}

impl Stage {
    const ALL: [Self; 3] = [Self::Door, Self::Services, Self::Ground];

    fn of(name: &str) -> Self {
        match name {
            "gateway" => Self::Door,
            name if name.starts_with("svc-") => Self::Services,
            _ => Self::Ground,
        }
    }
}

/// Ends everything that runs in the instance; goes on when one resists.
pub(crate) fn end_all(instance: &Instance, _held: &Lock) -> Result<()> {
    let recorded = recorded(instance)?;
    let mut outcome = Ok(());
    for stage in Stage::ALL {
        let members = recorded
            .iter()
            .filter(|(name, record)| Stage::of(name) == stage && record.alive())
            .collect::<Vec<_>>();
        // Neighbours of one stage drain side by side.
        for (name, record) in &members {
            record.signal(signal(name));
        }
        for (name, record) in members {
            let step = Step::begin(format!("stopping {name}"));
            match record.await_end(PATIENCE).with_context(|| format!("cannot stop {name}")) {
                Ok(()) => step.done(),
                Err(fault) => {
                    step.failed();
                    outcome = outcome.and(Err(fault));
                }
            }
        }
    }
    for (name, record) in &recorded {
        if !record.alive() {
            remove(&instance.record(name))?;
        }
    }
    outcome
}

/// Whether there is anything to end.
pub(crate) fn anything_runs(instance: &Instance) -> Result<bool> {
    Ok(recorded(instance)?.iter().any(|(_, record)| record.alive()))
}

/// Ends one process.
pub(crate) fn end(name: &str, record: &Record) -> Result<()> {
    record.signal(signal(name));
    record.await_end(PATIENCE).with_context(|| format!("cannot stop {name}"))
}

/// PostgreSQL takes SIGTERM as "when the last client has left".
fn signal(name: &str) -> Signal {
    if name == postgres::NAME { Signal::SIGINT } else { Signal::SIGTERM }
}

/// Every process that has a record, by name; also those that have died.
fn recorded(instance: &Instance) -> Result<Vec<(String, Record)>> {
    let folder = instance.dir.join("run");
    let mut found = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        if let (Some(name), Some(record)) = (name, Record::read(&path)) {
            found.push((name, record));
        }
    }
    found.sort_by(|(left, _), (right, _)| left.cmp(right));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_door_closes_before_the_services_and_the_stores_go_last() {
        let mut names = ["postgres", "svc-wallet", "gateway", "sandbox"];
        names.sort_by_key(|name| Stage::ALL.iter().position(|stage| *stage == Stage::of(name)));
        assert_eq!(names, ["gateway", "svc-wallet", "postgres", "sandbox"]);
    }
}
