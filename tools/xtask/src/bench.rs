//! `bench`: the load scenarios of tools/bench, over a mesh of their own.

use std::process::Command;

use anyhow::Result;

use crate::apt::{self, Tool};
use crate::builds::{self, run};
use crate::checkout::{Checkout, Profile};
use crate::fleet;
use crate::instance::Instance;
use crate::interrupt;
use crate::mesh::Mesh;
use crate::postgres;
use crate::redis;
use crate::shutdown;
use crate::stores::{self, Stores};
use crate::up;

/// The package, and its program.
const NAME: &str = "bench";
/// Limits are a player's, and a bench has few players that ask much. They are
/// still counted, each call in Redis as in production.
const RATES: [(&str, &str); 4] = [
    ("RATE_GUEST", "1000000000/1m"),
    ("RATE_READ", "1000000000/1m"),
    ("RATE_MONEY", "1000000000/1m"),
    ("RATE_LIVE", "1000000000/1m"),
];

/// How the load scenarios are run.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Bench {
    /// Run what was built last.
    #[arg(long)]
    no_build: bool,
    /// Handed on: `--only transfer`, `--connections 64`, `--json FILE` …
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        let checkout = Checkout::find()?;
        interrupt::catch()?;
        if std::env::var_os("PLAYON_URL").is_some() {
            // Somebody's own mesh: the environment says where it is.
            self.build(&checkout, Vec::new())?;
            return self.measure(&checkout, &Setup::default());
        }
        // Before the long builds: whoever has to install something should know now.
        apt::require(&[Tool::Postgres, Tool::Redis])?;
        self.build(&checkout, fleet::names())?;
        let instance = Instance::bench(&checkout)?;
        let mut mesh = Mesh::of(&instance);
        let outcome = start(&checkout, &instance, &mut mesh)
            .and_then(|setup| self.measure(&checkout, &setup));
        let lock = instance.lock()?;
        let ended = mesh.drain(&lock);
        outcome.and(ended)
    }

    fn build(&self, checkout: &Checkout, mut packages: Vec<String>) -> Result<()> {
        if self.no_build {
            return Ok(());
        }
        packages.push(NAME.to_owned());
        builds::programs(checkout, Profile::Release, &packages)
    }

    fn measure(&self, checkout: &Checkout, setup: &Setup) -> Result<()> {
        let mut command = Command::new(checkout.program(Profile::Release, NAME));
        command.arg("run").args(&setup.arguments).args(&self.arguments);
        run(command.current_dir(&checkout.root).envs(setup.environment.iter().cloned()))
    }
}

/// What the bench must know of the mesh that was started for it.
#[derive(Debug, Default)]
struct Setup {
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

/// Starts a mesh as `up` does, but empty and with the bench's limits.
fn start(checkout: &Checkout, instance: &Instance, mesh: &mut Mesh) -> Result<Setup> {
    let lock = instance.lock()?;
    shutdown::end_all(instance, &lock)?;
    stores::erase(instance)?;
    let stores = Stores::start(instance, mesh, true)?;
    stores.run_sql(&format!("CREATE DATABASE {NAME}"))?;
    let mut daemons = fleet::daemons(checkout, instance, Profile::Release, &[])?;
    for daemon in daemons.iter_mut().filter(|daemon| daemon.name == "gateway") {
        let rates = RATES.map(|(name, value)| (name.to_owned(), value.to_owned()));
        daemon.environment.extend(rates);
    }
    mesh.start(daemons)?;
    let mut environment = up::environment(instance)?;
    environment.push(("BENCH_DATABASE_URL".to_owned(), stores.superuser_url_of(NAME)));
    let rates = RATES.map(|(name, value)| format!("--setting={name}={value}"));
    let watched = [postgres::NAME, redis::NAME].map(str::to_owned);
    let watched = watched.into_iter().chain(fleet::names()).filter_map(|name| {
        let pid = instance.running(&name)?.pid;
        Some(format!("--process={name}={pid}"))
    });
    Ok(Setup { arguments: watched.chain(rates).collect(), environment })
}
