//! Stops the processes of an instance in order, also those of an earlier run.

use std::time::Duration;

use anyhow::{Context as _, Result};
use nix::sys::signal::Signal;

use crate::files::remove;
use crate::instance::{BOTS, Instance, Lock};
use crate::pidfile::PidFile;
use crate::services::POSTGRES;
use crate::terminal::Step;

/// How long a process may take before it is killed: more than the services' own
/// limit, which is ten seconds.
const LIMIT: Duration = Duration::from_secs(15);

/// The stages in which processes are stopped: first the bots and the gateway, so that no
/// call comes in, then the services, last the sandbox and the stores, which the services
/// need until then.
fn stage(name: &str) -> u8 {
    match name {
        BOTS | "gateway" => 0,
        name if name.starts_with("svc-") => 1,
        _ => 2,
    }
}

/// Stops everything that runs in the instance; goes on when one process fails to end.
pub(crate) fn stop_all(instance: &Instance, _held: &Lock) -> Result<()> {
    let processes = processes(instance)?;
    let mut outcome = Ok(());
    for stage in 0..=2 {
        let members = processes.iter().filter(|(name, _)| self::stage(name) == stage);
        let members = members.filter(|(_, process)| process.alive()).collect::<Vec<_>>();
        // The processes of one stage drain at the same time.
        for (name, process) in &members {
            process.signal(signal(name));
        }
        for (name, process) in members {
            let step = Step::begin(format!("stopping {name}"));
            outcome = outcome.and(step.end(await_end(name, process)));
        }
    }
    for (name, process) in &processes {
        if !process.alive() {
            remove(&instance.pid_file(name))?;
        }
    }
    outcome
}

/// Whether there is anything to stop.
pub(crate) fn anything_runs(instance: &Instance) -> Result<bool> {
    Ok(processes(instance)?.iter().any(|(_, process)| process.alive()))
}

/// Stops one process.
pub(crate) fn stop(name: &str, process: &PidFile) -> Result<()> {
    process.signal(signal(name));
    await_end(name, process)
}

fn await_end(name: &str, process: &PidFile) -> Result<()> {
    process.await_end(LIMIT).with_context(|| format!("cannot stop {name}"))
}

/// The signal that stops a process. At SIGTERM PostgreSQL waits until the last client has left, at
/// SIGINT it does not.
fn signal(name: &str) -> Signal {
    if name == POSTGRES { Signal::SIGINT } else { Signal::SIGTERM }
}

/// Every process that has a pid file, by name; also those that have ended.
fn processes(instance: &Instance) -> Result<Vec<(String, PidFile)>> {
    let folder = instance.pid_files();
    let mut found = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        if let (Some(name), Some(process)) = (name, PidFile::read(&path)) {
            found.push((name, process));
        }
    }
    found.sort_by(|(left, _), (right, _)| left.cmp(right));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gateway_stops_before_the_services_and_the_stores_stop_last() {
        let mut names = ["postgres", "svc-wallet", "gateway", "sandbox"];
        names.sort_by_key(|name| stage(name));
        assert_eq!(names, ["gateway", "svc-wallet", "postgres", "sandbox"]);
    }
}
