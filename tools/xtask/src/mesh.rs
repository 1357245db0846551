//! Starts, watches and stops the processes of an instance.

use std::process::Child;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::daemon::{Daemon, Ready, last_lines};
use crate::instance::{Instance, Lock};
use crate::interrupt;
use crate::pidfile::PidFile;
use crate::ports;
use crate::shutdown;
use crate::terminal::Step;

/// Longest time that a start may take; a longer one has hung.
const START_LIMIT: Duration = Duration::from_mins(1);
/// How often PostgreSQL is started when it ends at once: the children of a killed server hold its
/// shared memory for a moment longer.
const POSTGRES_ATTEMPTS: u32 = 3;
/// The pause between two attempts.
const RETRY: Duration = Duration::from_secs(1);
/// The pause between two checks of a starting process.
const READY_POLL: Duration = Duration::from_millis(50);
/// The pause between two checks of running processes.
const WATCH_POLL: Duration = Duration::from_millis(300);

/// The processes of one instance, those of an earlier run included.
#[derive(Debug)]
pub(crate) struct Mesh {
    instance: Instance,
    members: Vec<Member>,
}

#[derive(Debug)]
struct Member {
    daemon: Daemon,
    process: PidFile,
    /// The child, which is reaped here; init reaps processes of an earlier run.
    child: Option<Child>,
    /// Whether the process's end has been printed.
    lost: bool,
}

impl Mesh {
    /// A mesh without any process yet.
    pub(crate) fn of(instance: &Instance) -> Self {
        Self { instance: instance.clone(), members: Vec::new() }
    }

    /// Starts these processes together and waits until all are ready. A process that runs as it
    /// would be started now is kept.
    pub(crate) fn start(&mut self, daemons: Vec<Daemon>) -> Result<()> {
        let mut started = Vec::new();
        for daemon in daemons {
            interrupt::check()?;
            started.push((self.launch(&daemon)?, daemon));
        }
        for (kept, daemon) in started {
            let mut step = Step::begin(format!("{} on {}", daemon.name, daemon.port()));
            match self.await_ready(&daemon, &mut step) {
                Ok(()) if kept => step.skip("runs"),
                outcome => step.end(outcome)?,
            }
        }
        Ok(())
    }

    /// Makes sure that the process exists; true when it ran already.
    fn launch(&mut self, daemon: &Daemon) -> Result<bool> {
        let fingerprint = daemon.fingerprint()?;
        if let Some(process) = self.instance.running(&daemon.name) {
            if process.fingerprint == fingerprint {
                self.add(daemon, process, None);
                return Ok(true);
            }
            shutdown::stop(&daemon.name, &process)?;
        }
        for port in &daemon.ports {
            ports::require_free(*port).with_context(|| format!("{} cannot start", daemon.name))?;
        }
        self.spawn(daemon, fingerprint)?;
        Ok(false)
    }

    fn spawn(&mut self, daemon: &Daemon, fingerprint: u64) -> Result<()> {
        let child = daemon.spawn(&self.instance.log(&daemon.name))?;
        let process = PidFile::of(child.id(), daemon.port(), fingerprint)?;
        process.write(&self.instance.pid_file(&daemon.name))?;
        self.add(daemon, process, Some(child));
        Ok(())
    }

    fn add(&mut self, daemon: &Daemon, process: PidFile, child: Option<Child>) {
        self.members.push(Member { daemon: daemon.clone(), process, child, lost: false });
    }

    fn await_ready(&mut self, daemon: &Daemon, step: &mut Step) -> Result<()> {
        let name = &daemon.name;
        let mut attempts =
            if matches!(daemon.ready, Ready::Postgres { .. }) { POSTGRES_ATTEMPTS } else { 1 };
        loop {
            interrupt::check()?;
            if let Some(status) = self.remove_ended(name) {
                attempts -= 1;
                if attempts == 0 {
                    bail!("{name} ended at its start{status}{}", self.log_tail(name));
                }
                interrupt::pause(RETRY);
                self.spawn(daemon, daemon.fingerprint()?)?;
            } else if daemon.is_ready() {
                return Ok(());
            }
            if step.elapsed() > START_LIMIT {
                let limit = START_LIMIT.as_secs();
                bail!("{name} is not ready after {limit} s{}", self.log_tail(name));
            }
            interrupt::pause(READY_POLL);
            step.tick();
        }
    }

    /// Removes a member that has ended and returns its exit status.
    fn remove_ended(&mut self, name: &str) -> Option<String> {
        let index = self.members.iter().position(|member| member.daemon.name == name)?;
        if self.members.get(index)?.process.alive() {
            return None;
        }
        Some(self.members.remove(index).reap())
    }

    fn log_tail(&self, name: &str) -> String {
        last_lines(&self.instance.log(name))
    }

    /// Returns at a signal, or when all processes have ended. The end of a single process is
    /// printed and the others run on, so that one can try what the mesh does then.
    pub(crate) fn watch(&mut self) {
        while interrupt::count() == 0 {
            interrupt::pause(WATCH_POLL);
            let instance = &self.instance;
            let ended = self.members.iter_mut().filter_map(|member| member.check(instance));
            let ended = ended.collect::<Vec<_>>();
            if self.members.iter().all(|member| member.lost) {
                outln!("\n  Everything was stopped.");
                return;
            }
            for (name, status) in ended {
                outln!(
                    "\n  ✗ {name} ended{status}; the rest runs on. `cargo xtask up --detach` brings it back.{}",
                    self.log_tail(&name)
                );
            }
        }
    }

    /// Stops all processes of the instance.
    pub(crate) fn stop(mut self, held: &Lock) -> Result<()> {
        let outcome = shutdown::stop_all(&self.instance, held);
        for member in &mut self.members {
            member.reap();
        }
        outcome
    }
}

impl Member {
    /// The name and exit status of the process, the first time that it is found to have ended.
    fn check(&mut self, instance: &Instance) -> Option<(String, String)> {
        if self.process.alive() {
            return None;
        }
        let status = self.reap();
        if let Some(process) = instance.running(&self.daemon.name) {
            // Another `up` has restarted or replaced the process.
            self.process = process;
            self.lost = false;
            return None;
        }
        let printed = std::mem::replace(&mut self.lost, true);
        (!printed).then(|| (self.daemon.name.clone(), status))
    }

    /// Takes the exit status of a child that has ended, so that it is no zombie.
    fn reap(&mut self) -> String {
        let status = self.child.take().and_then(|mut child| child.wait().ok());
        status.map(|status| format!(" ({status})")).unwrap_or_default()
    }
}
