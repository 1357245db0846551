//! `up`, `down`, `status`, `env`: the mesh on this machine.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::apt::{self, Tool};
use crate::builds;
use crate::checkout::{Checkout, Profile};
use crate::fleet;
use crate::instance::{Instance, Lock};
use crate::interrupt;
use crate::mesh::Mesh;
use crate::postgres;
use crate::redis;
use crate::services::SERVICES;
use crate::shutdown;
use crate::stores::{self, Stores, database_urls};
use crate::terminal::{Step, seconds};

/// How the mesh is to be brought up.
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
    /// Build the services unoptimised: quicker to build, slower to run.
    #[arg(long)]
    debug: bool,
    /// Leave a process out, to start it by hand (in a debugger, say).
    #[arg(long, value_name = "NAME")]
    without: Vec<String>,
}

impl Up {
    pub(crate) fn run(&self) -> Result<()> {
        for name in &self.without {
            if !fleet::names().contains(name) {
                bail!("--without {name}: there are {}", fleet::names().join(", "));
            }
        }
        let checkout = Checkout::find()?;
        require_linux()?;
        interrupt::catch()?;
        let instance = Instance::dev(&checkout)?;
        let whole = Step::announce("bringing PlayOn up (Ctrl-C stops it)");

        let lock = instance.lock()?;
        let mut mesh = Mesh::of(&instance);
        if let Err(fault) = self.start(&checkout, &instance, &lock, &mut mesh) {
            if !self.detach || interrupt::count() > 0 {
                mesh.drain(&lock)?;
            } else if shutdown::anything_runs(&instance)? {
                eprintln!("\nWhat did start runs on; `cargo xtask down` ends it.");
            }
            return Err(fault);
        }
        drop(lock);
        let time = seconds(whole.elapsed());
        say!("{}", welcome(&instance, &time));
        if self.detach {
            return Ok(());
        }
        mesh.watch();
        say!();
        let lock = instance.lock()?;
        mesh.drain(&lock)
    }

    fn start(
        &self,
        checkout: &Checkout,
        instance: &Instance,
        lock: &Lock,
        mesh: &mut Mesh,
    ) -> Result<()> {
        // Before the long builds: whoever has to install something should know now.
        apt::require(&[Tool::Postgres, Tool::Redis])?;
        if self.fresh {
            shutdown::end_all(instance, lock)?;
            stores::erase(instance)?;
        }
        let profile = if self.debug { Profile::Dev } else { Profile::Release };
        if !self.no_build {
            let packages = fleet::names().into_iter().filter(|name| !self.without.contains(name));
            builds::programs(checkout, profile, &packages.collect::<Vec<_>>())?;
            builds::web(checkout)?;
        }
        Stores::start(instance, mesh, true)?;
        mesh.start(fleet::daemons(checkout, instance, profile, &self.without)?)
    }
}

/// Processes are recognised by /proc.
fn require_linux() -> Result<()> {
    if !Path::new("/proc/self/stat").is_file() {
        bail!("this needs Linux: Debian, Ubuntu, or WSL with one of them");
    }
    Ok(())
}

fn welcome(instance: &Instance, time: &str) -> String {
    let (web, world) = (fleet::playon_url(instance.ports), fleet::sandbox_url(instance.ports));
    format!(
        "\n  PlayOn is up ({time}).\n\n\
         \x20   play        {web}\n\
         \x20   the world   {world}   (handsets and their M-Pesa prompts)\n\
         \x20   logs        {}\n\n\
         \x20 First steps: open {web}, create an account with any e-mail address, then\n\
         \x20 Wallet, Top up, M-Pesa, 0712345678. The phone that rings is on {world}.\n",
        instance.logs().display()
    )
}

/// `down`: ends everything, whoever started it.
pub(crate) fn down() -> Result<()> {
    interrupt::catch()?;
    let instance = Instance::dev(&Checkout::find()?)?;
    let lock = instance.lock()?;
    if !shutdown::anything_runs(&instance)? {
        say!("  Nothing runs.");
    }
    shutdown::end_all(&instance, &lock)
}

/// `status`: what runs, and since when.
pub(crate) fn status() -> Result<()> {
    let instance = Instance::dev(&Checkout::find()?)?;
    say!("  {:<16} {:<6} {:>8} {:>6}   since", "process", "state", "pid", "port");
    let stores = [postgres::NAME, redis::NAME].map(str::to_owned);
    let mut up = 0;
    for name in stores.into_iter().chain(fleet::names()) {
        if let Some(record) = instance.running(&name) {
            up += 1;
            let since = age(&instance.record(&name)).map(seconds).unwrap_or_default();
            say!("  {name:<16} {:<6} {:>8} {:>6}   {since}", "up", record.pid, record.port);
        } else {
            say!("  {name:<16} {:<6} {:>8} {:>6}", "down", "-", "-");
        }
    }
    if instance.running(postgres::NAME).is_some() {
        say!("\n  databases   {}   on port {}", SERVICES.join(" "), instance.ports.postgres());
    }
    say!("  folder      {}", instance.dir.display());
    if up == 0 {
        say!("\n  Nothing runs. `cargo xtask up` starts it.");
    }
    Ok(())
}

/// A record is written when its process starts.
fn age(record: &Path) -> Option<Duration> {
    record.metadata().ok()?.modified().ok()?.elapsed().ok()
}

/// `env`: what a program needs to know to use the running mesh.
pub(crate) fn env() -> Result<()> {
    let instance = Instance::dev(&Checkout::find()?)?;
    if instance.running(postgres::NAME).is_none() {
        bail!("nothing runs here; `cargo xtask up --detach` starts it");
    }
    for (name, value) in environment(&instance)? {
        say!("{name}={value}");
    }
    Ok(())
}

/// The same for a test that is started from here.
pub(crate) fn environment(instance: &Instance) -> Result<Vec<(String, String)>> {
    let mut pairs = vec![
        ("PLAYON_URL".to_owned(), fleet::playon_url(instance.ports)),
        ("SANDBOX_URL".to_owned(), fleet::sandbox_url(instance.ports)),
    ];
    pairs.extend(database_urls(instance)?);
    pairs.push(("REDIS_URL".to_owned(), redis::url(instance)));
    pairs.push(("LOG_DIR".to_owned(), instance.logs().display().to_string()));
    pairs.push(("RUN_DIR".to_owned(), instance.dir.join("run").display().to_string()));
    Ok(pairs)
}
