//! `bench`: the load scenarios of tools/bench, over a mesh of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::apt::{self, Tool};
use crate::builds::{self, Project};
use crate::checkout::{Checkout, Profile};
use crate::command::run;
use crate::instance::Instance;
use crate::interrupt;
use crate::mesh::Mesh;
use crate::services::{packages, processes};
use crate::shutdown;
use crate::stores::{self, Stores};
use crate::topology::{self, Layout};

/// The package, its program and its database.
const NAME: &str = "bench";
/// Rate limits of the bench. Limits are per player, and a bench has few players with many calls.
/// Each call is still counted in Redis, as in production.
const RATES: [(&str, &str); 9] = [
    ("RATE_GUEST", "1000000000/1m"),
    ("RATE_SIGN_IN", "1000000000/1m"),
    ("RATE_READ", "1000000000/1m"),
    ("RATE_WRITE", "1000000000/1m"),
    ("RATE_MONEY", "1000000000/1m"),
    ("RATE_LIVE", "1000000000/1m"),
    ("RATE_MESSAGE", "1000000000/1m"),
    ("RATE_STRANGE_CODE", "1000000000/1m"),
    ("LIVE_STREAMS_PER_PLAYER", "64"),
];
/// Rate limits of svc-chat, where a few players write as fast as they can.
const CHAT_RATES: [(&str, &str); 2] =
    [("MESSAGES_PER_ROOM", "1000000"), ("MESSAGES_PER_PLAYER", "1000000")];

/// How the load scenarios are run.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Bench {
    /// Run what was built last.
    #[arg(long)]
    no_build: bool,
    /// Start the gateway, the services and the sandbox from the programs in this
    /// folder instead of building them: to compare an older build.
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// Passed on to the bench: `--only wallet-transfer`, `--connections 64`, `--json FILE` …
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        let checkout = Checkout::find()?;
        interrupt::catch()?;
        if std::env::var_os("PLAYON_URL").is_some() {
            // The environment names a running mesh.
            if self.programs.is_some() {
                bail!("--programs starts a mesh, but PLAYON_URL names a running one");
            }
            self.build(&checkout, Vec::new())?;
            return self.measure(&checkout, &Setup::default());
        }
        // The check comes before the long builds, so that a missing program is reported at once.
        apt::require_all(&[Tool::Postgres, Tool::Redis])?;
        let (programs, built) = match &self.programs {
            Some(folder) => (canonical(folder)?, Vec::new()),
            None => (checkout.programs(Profile::Release), packages()),
        };
        self.build(&checkout, built)?;
        let instance = Instance::bench(&checkout)?;
        let mut mesh = Mesh::of(&instance);
        let outcome = start(&checkout, &instance, &programs, &mut mesh)
            .and_then(|setup| self.measure(&checkout, &setup));
        let lock = instance.lock()?;
        let stopped = mesh.stop(&lock);
        outcome.and(stopped)
    }

    fn build(&self, checkout: &Checkout, mut packages: Vec<String>) -> Result<()> {
        if self.no_build {
            return Ok(());
        }
        // The games' rules prove the scores.
        if let Some(games) = Project::games(checkout) {
            games.build()?;
        }
        packages.push(NAME.to_owned());
        builds::programs(checkout, Profile::Release, &packages)
    }

    fn measure(&self, checkout: &Checkout, setup: &Setup) -> Result<()> {
        let mut command = Command::new(checkout.programs(Profile::Release).join(NAME));
        command.arg("run").args(&setup.arguments).args(&self.arguments);
        run(command.current_dir(&checkout.root).envs(setup.environment.iter().cloned()))
    }
}

/// The absolute path of a folder, because processes are started in another folder than this
/// program.
fn canonical(folder: &Path) -> Result<PathBuf> {
    fs::canonicalize(folder).with_context(|| format!("--programs {}", folder.display()))
}

/// The parameters of the mesh that was started for the bench.
#[derive(Debug, Default)]
struct Setup {
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

/// Starts an empty mesh with the bench's rate limits.
fn start(
    checkout: &Checkout,
    instance: &Instance,
    programs: &Path,
    mesh: &mut Mesh,
) -> Result<Setup> {
    let lock = instance.lock()?;
    shutdown::stop_all(instance, &lock)?;
    stores::erase(instance)?;
    let stores = Stores::start(instance, mesh, true)?;
    stores.run_sql(&format!("CREATE DATABASE {NAME}"))?;
    let mut daemons = topology::daemons(checkout, instance, programs, Layout::SINGLE)?;
    for daemon in &mut daemons {
        let limits = match daemon.name.as_str() {
            "gateway" => &RATES[..],
            "svc-chat" => &CHAT_RATES[..],
            _ => continue,
        };
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        daemon.environment.extend(limits.iter().map(owned));
    }
    mesh.start(daemons)?;
    let mut environment = topology::client_environment(instance)?;
    environment.push(("BENCH_DATABASE_URL".to_owned(), stores.superuser_url_of(NAME)));
    environment.extend(topology::caller_environment(instance));
    let measured = processes().into_iter().filter_map(|name| {
        let pid = instance.running(&name)?.pid;
        Some(format!("--process={name}={pid}"))
    });
    let rates = RATES.map(|(name, value)| format!("--setting={name}={value}"));
    Ok(Setup { arguments: measured.chain(rates).collect(), environment })
}
