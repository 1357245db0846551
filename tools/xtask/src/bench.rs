//! `bench`: the load scenarios of tools/bench, over a mesh of their own.

use anyhow::Result;

use crate::apt::{self, Tool};
use crate::builds::{self, run};
use crate::checkout::{Checkout, Profile};
use crate::fleet;
use crate::instance::Instance;
use crate::interrupt;
use crate::mesh::Mesh;
use crate::shutdown;
use crate::stores::{self, Stores};
use crate::up;

/// The package, and its program.
const NAME: &str = "bench";
/// Limits are a player's, and a bench has few players that ask much. They are
/// still counted, each call in Redis as in production.
const RATES: [(&str, &str); 3] = [
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
            return self.measure(&checkout, Vec::new());
        }
        // Before the long builds: whoever has to install something should know now.
        apt::require(&[Tool::Postgres, Tool::Redis])?;
        self.build(&checkout, fleet::names())?;
        let instance = Instance::bench(&checkout)?;
        let mut mesh = Mesh::of(&instance);
        let outcome = start(&checkout, &instance, &mut mesh)
            .and_then(|environment| self.measure(&checkout, environment));
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

    fn measure(&self, checkout: &Checkout, environment: Vec<(String, String)>) -> Result<()> {
        let mut command = std::process::Command::new(checkout.program(Profile::Release, NAME));
        command.arg("run").current_dir(&checkout.root);
        if !environment.is_empty() {
            command.args(RATES.map(|(name, value)| format!("--setting={name}={value}")));
        }
        run(command.args(&self.arguments).envs(environment))
    }
}

/// A mesh as `up` starts it, empty and with the bench's limits; and what a
/// program needs to know to use it.
fn start(
    checkout: &Checkout,
    instance: &Instance,
    mesh: &mut Mesh,
) -> Result<Vec<(String, String)>> {
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
    Ok(environment)
}
