//! `up`, `down`, `status`, `env`: the mesh on this machine.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::apt::{self, Tool};
use crate::bots;
use crate::builds;
use crate::certificates;
use crate::checkout::{Checkout, Profile};
use crate::command::{Beside, xtask};
use crate::demo;
use crate::instance::{Instance, Lock};
use crate::interrupt;
use crate::jaeger::{self, Jaeger};
use crate::mesh::Mesh;
use crate::pidfile::PidFile;
use crate::ports;
use crate::services::{POSTGRES, SERVICES, packages, processes, replica_name};
use crate::shutdown;
use crate::stores::{self, Stores};
use crate::terminal::{Step, seconds};
use crate::topology::{self, Layout};

/// How the mesh is started.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Up {
    /// Return once everything is ready, and leave it running.
    #[arg(long)]
    detach: bool,
    /// Begin with empty databases and new secrets.
    #[arg(long)]
    fresh: bool,
    /// Start what was built last.
    #[arg(long)]
    no_build: bool,
    /// Build the programs as in production: a quarter of an hour to build, faster to run.
    #[arg(long)]
    release: bool,
    /// Leave a process out, to start it by hand (in a debugger, say).
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
    /// Processes of every service, over which the gateway balances the calls.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=i64::from(ports::MAX_REPLICAS)))]
    replicas: u16,
    /// Leave the content as it is: apply no demo content, and let no bots play.
    #[arg(long)]
    no_demo: bool,
    /// Start a Jaeger too, installed or in a container, and send it all traces.
    #[arg(long)]
    jaeger: bool,
}

impl Up {
    pub(crate) fn run(&self) -> Result<()> {
        if let Some(unknown) = self.without.iter().find(|name| !packages().contains(name)) {
            bail!("--without {unknown}: there are {}", packages().join(", "));
        }
        let checkout = Checkout::find()?;
        interrupt::catch()?;
        let instance = Instance::dev(&checkout)?;
        let whole =
            Step::announce("starting PlayOn: build, stores, services, content (Ctrl-C stops it)");

        let lock = instance.lock()?;
        let mut mesh = Mesh::of(&instance);
        if let Err(fault) = self.start(&checkout, &instance, &lock, &mut mesh) {
            if !self.detach || interrupt::count() > 0 {
                mesh.stop(&lock)?;
            } else if shutdown::anything_runs(&instance)? {
                eprintln!("\nThe processes that did start run on; `cargo xtask down` stops them.");
            }
            return Err(fault);
        }
        drop(lock);
        outln!("{}", welcome(&instance, self.jaeger, &seconds(whole.elapsed())));
        if self.detach {
            return Ok(());
        }
        mesh.watch();
        outln!();
        let lock = instance.lock()?;
        mesh.stop(&lock)
    }

    /// Builds the programs. npm is busy for half a minute of the first build, so it runs beside the
    /// compiler.
    fn build(&self, checkout: &Checkout, instance: &Instance) -> Result<()> {
        let web = Beside::start(&mut xtask(checkout, &["web"]), instance.log("web"))?;
        let names = packages().into_iter().filter(|name| !self.without.contains(name));
        let names = names.chain([certificates::OPERATORS.to_owned()]);
        let built = builds::programs(checkout, self.profile(), &names.collect::<Vec<_>>());
        // The end is awaited also after a failure, so that npm does not go on by itself.
        let step = Step::begin("the PWA and the games, built beside them");
        let web = web.wait();
        if web.outcome.is_err() {
            eprintln!("{}", web.output);
        }
        built.and(step.end(web.outcome))
    }

    fn profile(&self) -> Profile {
        if self.release { Profile::Release } else { Profile::Dev }
    }

    fn start(
        &self,
        checkout: &Checkout,
        instance: &Instance,
        lock: &Lock,
        mesh: &mut Mesh,
    ) -> Result<()> {
        // The check comes before the long builds, so that a missing program is reported at once.
        apt::require_all(&[Tool::Postgres, Tool::Redis])?;
        let jaeger = self.jaeger.then(Jaeger::find).transpose()?;
        if self.fresh {
            shutdown::stop_all(instance, lock)?;
            stores::erase(instance)?;
        }
        if !self.no_build {
            self.build(checkout, instance)?;
        }
        Stores::start(instance, mesh, true)?;
        let programs = checkout.programs(self.profile());
        for (name, process) in further_replicas(instance, self.replicas) {
            Step::begin(format!("stopping {name}")).end(shutdown::stop(&name, &process))?;
        }
        let layout = Layout { replicas: self.replicas, without: &self.without };
        let mut daemons = topology::daemons(checkout, instance, &programs, layout)?;
        if let Some(jaeger) = jaeger {
            mesh.start(vec![jaeger.daemon(instance)?])?;
            for daemon in &mut daemons {
                daemon.environment.extend(topology::trace_export(instance.ports));
            }
        }
        mesh.start(daemons)?;
        // A service that is started by hand may not run yet.
        if self.no_demo || self.without.iter().any(|name| demo::NEEDS.contains(&name.as_str())) {
            return Ok(());
        }
        demo::apply(checkout, instance, &programs)?;
        if self.without.is_empty() {
            bots::start(checkout, instance);
        }
        Ok(())
    }
}

fn welcome(instance: &Instance, with_jaeger: bool, time: &str) -> String {
    let web = topology::playon_url(instance.ports);
    let sandbox = topology::sandbox_url(instance.ports);
    let jaeger = if with_jaeger {
        format!("    traces    {}\n", jaeger::url(instance.ports))
    } else {
        String::new()
    };
    format!(
        "\n  PlayOn is up ({time}).\n\n\
         \x20   play      {web}\n\
         \x20   sandbox   {sandbox}   (handsets and their M-Pesa prompts)\n\
         {jaeger}\
         \x20   logs      {}\n\n\
         \x20 First steps: open {web}, create an account with any email address, then\n\
         \x20 Wallet, Top up, M-Pesa, 0712345678. The M-Pesa prompt appears on {sandbox}.\n",
        instance.logs().display()
    )
}

/// `down`: stops all processes, including those that another terminal started.
pub(crate) fn down() -> Result<()> {
    interrupt::catch()?;
    let instance = Instance::dev(&Checkout::find()?)?;
    let lock = instance.lock()?;
    if !shutdown::anything_runs(&instance)? {
        outln!("  Nothing runs.");
    }
    shutdown::stop_all(&instance, &lock)
}

/// `status`: the running processes, and since when they run.
pub(crate) fn status() -> Result<()> {
    let instance = Instance::dev(&Checkout::find()?)?;
    outln!("  {:<16} {:<6} {:>8} {:>6}   since", "process", "state", "pid", "port");
    let mut up = 0;
    let further = further_replicas(&instance, 1).map(|(name, _)| name);
    for name in processes().into_iter().chain(further) {
        if let Some(process) = instance.running(&name) {
            up += 1;
            let since = age(&instance.pid_file(&name)).map(seconds).unwrap_or_default();
            outln!("  {name:<16} {:<6} {:>8} {:>6}   {since}", "up", process.pid, process.port);
        } else {
            outln!("  {name:<16} {:<6} {:>8} {:>6}", "down", "-", "-");
        }
    }
    if instance.running(POSTGRES).is_some() {
        outln!("\n  databases   {}   on port {}", SERVICES.join(" "), instance.ports.postgres);
    }
    outln!("  folder      {}", instance.dir.display());
    if up == 0 {
        outln!("\n  Nothing runs. `cargo xtask up` starts it.");
    }
    Ok(())
}

/// The running replicas of services beyond the first `kept` ones.
fn further_replicas(instance: &Instance, kept: u16) -> impl Iterator<Item = (String, PidFile)> {
    let replicas = kept..ports::MAX_REPLICAS;
    let names = replicas
        .flat_map(|replica| packages().into_iter().map(move |name| replica_name(&name, replica)));
    names.filter_map(|name| {
        let process = instance.running(&name)?;
        Some((name, process))
    })
}

/// How long a process has run, by the age of its pid file, which is written when the process
/// starts.
fn age(pid_file: &Path) -> Option<Duration> {
    pid_file.metadata().ok()?.modified().ok()?.elapsed().ok()
}

/// `env`: the variables that a program needs to use the running mesh, as KEY=VALUE.
pub(crate) fn env() -> Result<()> {
    let instance = Instance::dev(&Checkout::find()?)?;
    if instance.running(POSTGRES).is_none() {
        bail!("nothing runs here; `cargo xtask up --detach` starts it");
    }
    for (name, value) in topology::client_environment(&instance)? {
        outln!("{name}={value}");
    }
    Ok(())
}
