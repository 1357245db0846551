//! Starting, watching and ending the processes of an instance.

use std::process::{Child, ExitStatus};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::daemon::{Daemon, Ready};
use crate::instance::{Instance, Lock};
use crate::interrupt;
use crate::ports;
use crate::process::{Record, last_lines, open_log};
use crate::shutdown;
use crate::terminal::Step;

/// A start that takes longer has hung.
const START_LIMIT: Duration = Duration::from_mins(1);
/// How often PostgreSQL is started when it dies at once: the children of a
/// killed one hold its shared memory for a moment longer.
const POSTGRES_ATTEMPTS: u32 = 3;
/// Between two looks at a starting process.
const LOOK: Duration = Duration::from_millis(50);
/// Between two looks at running ones.
const WATCH: Duration = Duration::from_millis(300);

/// The processes of one instance, those of an earlier run included.
#[derive(Debug)]
pub(crate) struct Mesh {
    instance: Instance,
    members: Vec<Member>,
}

#[derive(Debug)]
struct Member {
    daemon: Daemon,
    record: Record,
    /// Ours to reap; processes of an earlier run belong to init.
    child: Option<Child>,
    /// It ended, and the person was told.
    lost: bool,
}

impl Mesh {
    /// Nothing started yet.
    pub(crate) fn of(instance: &Instance) -> Self {
        Self { instance: instance.clone(), members: Vec::new() }
    }

    /// Starts these together and waits until all are ready. What already runs
    /// as it would be started now is left alone.
    pub(crate) fn start(&mut self, daemons: Vec<Daemon>) -> Result<()> {
        let mut begun = Vec::new();
        for daemon in daemons {
            interrupt::check()?;
            begun.push((self.launch(&daemon)?, daemon));
        }
        for (ran_already, daemon) in begun {
            let mut step = Step::begin(format!("{} on {}", daemon.name, daemon.port()));
            match self.await_ready(&daemon, &mut step) {
                Ok(()) if ran_already => step.fresh("runs"),
                Ok(()) => step.done(),
                Err(fault) => {
                    step.failed();
                    return Err(fault);
                }
            }
        }
        Ok(())
    }

    /// Makes sure that the process exists; true when it ran already.
    fn launch(&mut self, daemon: &Daemon) -> Result<bool> {
        let fingerprint = daemon.fingerprint()?;
        if let Some(record) = self.instance.running(&daemon.name) {
            if record.fingerprint == fingerprint {
                self.members.push(Member {
                    daemon: daemon.clone(),
                    record,
                    child: None,
                    lost: false,
                });
                return Ok(true);
            }
            shutdown::end(&daemon.name, &record)?;
        }
        for port in &daemon.ports {
            ports::free(*port).with_context(|| format!("{} cannot start", daemon.name))?;
        }
        self.spawn(daemon, fingerprint)?;
        Ok(false)
    }

    fn spawn(&mut self, daemon: &Daemon, fingerprint: u64) -> Result<()> {
        let child = daemon.spawn(open_log(&self.instance.log(&daemon.name))?)?;
        let record = Record::of(child.id(), daemon.port(), fingerprint)?;
        record.write(&self.instance.record(&daemon.name))?;
        self.members.push(Member {
            daemon: daemon.clone(),
            record,
            child: Some(child),
            lost: false,
        });
        Ok(())
    }

    fn await_ready(&mut self, daemon: &Daemon, step: &mut Step) -> Result<()> {
        let attempts =
            if matches!(daemon.ready, Ready::Postgres { .. }) { POSTGRES_ATTEMPTS } else { 1 };
        let mut attempt = 1;
        loop {
            interrupt::check()?;
            if let Some(end) = self.ended(&daemon.name) {
                if attempt == attempts {
                    bail!("{} ended at its start{end}{}", daemon.name, self.log_tail(&daemon.name));
                }
                attempt += 1;
                interrupt::pause(Duration::from_secs(1));
                self.spawn(daemon, daemon.fingerprint()?)?;
            } else if daemon.is_ready() {
                return Ok(());
            }
            if step.elapsed() > START_LIMIT {
                let limit = START_LIMIT.as_secs();
                bail!(
                    "{} is not ready after {limit} s{}",
                    daemon.name,
                    self.log_tail(&daemon.name)
                );
            }
            interrupt::pause(LOOK);
            step.tick();
        }
    }

    /// Strikes a member off that has ended, and says how it did.
    fn ended(&mut self, name: &str) -> Option<String> {
        let place = self.members.iter().position(|member| member.daemon.name == name)?;
        if self.members.get(place)?.record.alive() {
            return None;
        }
        Some(self.members.remove(place).reap())
    }

    fn log_tail(&self, name: &str) -> String {
        let log = self.instance.log(name);
        format!("\n    {}:{}", log.display(), last_lines(&log))
    }

    /// Watches until the person asks to stop, or until somebody else has ended
    /// everything. One process's death is told and leaves the others running:
    /// that is how one tries what the house does then.
    pub(crate) fn watch(&mut self) {
        while interrupt::count() == 0 {
            interrupt::pause(WATCH);
            let instance = &self.instance;
            let lost = self.members.iter_mut().filter_map(|member| member.look(instance));
            let lost = lost.collect::<Vec<_>>();
            if self.members.iter().all(|member| member.lost) {
                say!("\n  Everything was stopped.");
                return;
            }
            for (name, end) in lost {
                say!(
                    "\n  ✗ {name} ended{end}; the rest runs on. `cargo xtask up --detach` brings it back.{}",
                    self.log_tail(&name)
                );
            }
        }
    }

    /// Ends all that runs in the instance.
    pub(crate) fn drain(mut self, held: &Lock) -> Result<()> {
        let outcome = shutdown::end_all(&self.instance, held);
        for member in &mut self.members {
            member.reap();
        }
        outcome
    }
}

impl Member {
    /// Looks whether it still runs; tells the first time that it does not.
    fn look(&mut self, instance: &Instance) -> Option<(String, String)> {
        if self.record.alive() {
            return None;
        }
        let end = self.reap();
        if let Some(record) = instance.running(&self.daemon.name) {
            // Another `up` has brought it back or replaced it.
            self.record = record;
            self.lost = false;
            return None;
        }
        let told = std::mem::replace(&mut self.lost, true);
        (!told).then(|| (self.daemon.name.clone(), end))
    }

    /// Takes the exit status of a child that has ended, so that no zombie stays.
    fn reap(&mut self) -> String {
        let status: Option<ExitStatus> = self.child.take().and_then(|mut child| child.wait().ok());
        status.map(|status| format!(" ({status})")).unwrap_or_default()
    }
}
