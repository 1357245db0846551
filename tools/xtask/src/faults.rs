//! `faults`: what the mesh does while its parts fail, are restarted one by one, or get
//! more load than they can carry.

mod report;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::apt::{self, Tool};
use crate::builds::{self, Project};
use crate::checkout::{Checkout, Profile};
use crate::command::{cargo, run};
use crate::instance::Instance;
use crate::interrupt;
use crate::ledger;
use crate::mesh::Mesh;
use crate::proxy;
use crate::python::{self, Packages};
use crate::services::{POSTGRES, REDIS, packages};
use crate::shutdown;
use crate::stores::{self, Stores};
use crate::terminal::Step;
use crate::topology::{self, Layout};

/// The program that makes the overload.
const BENCH: &str = "bench";
/// Rate limits are per player and address, and a few players make all of the calls.
const RATES: [&str; 10] = [
    "RATE_GUEST",
    "RATE_SIGN_IN",
    "RATE_CODE",
    "RATE_READ",
    "RATE_MONEY",
    "RATE_LIVE",
    "RATE_HOOK",
    "RATE_MESSAGE",
    "RATE_STRANGE_CODE",
    "RATE_FAILURES",
];
const NO_LIMIT: &str = "1000000000/1m";
/// Limits of unpaid prompts to one phone, which are raised because nothing is paid while M-Pesa is
/// out.
const PROMPTS: [(&str, &str); 2] =
    [("UNPAID_PROMPTS_PER_HOUR", "60000"), ("UNPAID_PROMPTS_PER_DAY", "60000")];

/// Thousands of players sign up on the processors that the mesh has too.
const CHEAP_CAPTCHAS: [(&str, &str); 1] = [("CAPTCHA_TRIES", "4")];

/// One token serves all calls that are made from the OpenAPI document.
const LONG_TOKENS: [(&str, &str); 1] = [("ACCESS_TOKEN_TTL", "1h")];

/// How the mesh is tried.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Faults {
    /// Run only these: `table`, `rolling`, `overload`, `flood`, `crowd`, `contract`, `soak`, or rows of the table by the
    /// name of the process, as `svc-chat`, `redis`, `postgres` and `sandbox`.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Replicas of every service.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=2))]
    replicas: u16,
    /// How long the overload lasts.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=10))]
    minutes: u16,
    /// Build and run optimised programs, as the figures of the overload need.
    #[arg(long)]
    release: bool,
    /// Run what was built last.
    #[arg(long)]
    no_build: bool,
    /// Start the gateway, the services and the sandbox from the programs in this folder.
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// Write all figures as JSON to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Replace the sections of docs/faults.md that were run, when all of them passed.
    #[arg(long)]
    write: bool,
}

/// A part that is tried on a mesh of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Table,
    Rolling,
    Overload,
    Flood,
    Crowd,
    Contract,
    Soak,
}

impl Part {
    const ALL: [Self; 7] = [
        Self::Table,
        Self::Rolling,
        Self::Overload,
        Self::Flood,
        Self::Crowd,
        Self::Contract,
        Self::Soak,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Rolling => "rolling",
            Self::Overload => "overload",
            Self::Flood => "flood",
            Self::Crowd => "crowd",
            Self::Contract => "contract",
            Self::Soak => "soak",
        }
    }
}

impl Faults {
    /// Tries only the room of a thousand readers.
    pub(crate) fn soak(self) -> Result<()> {
        Self { only: vec![Part::Soak.name().to_owned()], ..self }.run()
    }

    pub(crate) fn run(&self) -> Result<()> {
        let parts = self.parts()?;
        let checkout = Checkout::find()?;
        interrupt::catch()?;
        apt::require_all(&[Tool::Postgres, Tool::Redis])?;
        let profile = if self.release { Profile::Release } else { Profile::Dev };
        let own = checkout.programs(profile);
        let programs = match &self.programs {
            Some(folder) => std::fs::canonicalize(folder)
                .with_context(|| format!("--programs {}", folder.display()))?,
            None => own.clone(),
        };
        self.build(&checkout, profile, &parts)?;
        let trial =
            Trial { faults: self, instance: Instance::faults(&checkout)?, checkout, own, programs };
        let mut outcome = Ok(());
        for part in &parts {
            interrupt::check()?;
            let step = Step::announce(format!("faults: {}", part.name()));
            let passed = step.end(trial.run(*part));
            outcome = outcome.and(passed);
        }
        let reports = parts.iter().map(|part| part.name()).collect::<Vec<_>>();
        report::print(&trial.instance, &reports)?;
        if let Some(file) = &self.json {
            report::write_json(&trial.instance, &reports, file)?;
        }
        outcome?;
        if self.write {
            report::write_page(&trial.checkout, &trial.instance, &reports)?;
        }
        Ok(())
    }

    fn parts(&self) -> Result<Vec<Part>> {
        let known = |name: &String| Part::ALL.iter().any(|part| part.name() == name);
        if let Some(unknown) = self.only.iter().find(|name| !known(name) && !is_row(name)) {
            bail!(
                "--only {unknown}: there are table, rolling, overload, flood, crowd, contract, soak, and the table's rows"
            );
        }
        let wants = |part: Part| {
            self.only.is_empty()
                || self.only.iter().any(|name| name == part.name())
                || part == Part::Table && self.only.iter().any(|name| is_row(name))
        };
        Ok(Part::ALL.into_iter().filter(|part| wants(*part)).collect())
    }

    fn build(&self, checkout: &Checkout, profile: Profile, parts: &[Part]) -> Result<()> {
        if self.no_build {
            return Ok(());
        }
        let mut wanted = if self.programs.is_some() { Vec::new() } else { packages() };
        wanted.push(proxy::NAME.to_owned());
        if parts.contains(&Part::Overload) {
            wanted.push(BENCH.to_owned());
        }
        builds::programs(checkout, profile, &wanted)?;
        Project::pwa(checkout).build()
    }
}

/// Whether the table has rows for the process.
fn is_row(name: &str) -> bool {
    let is_service = name.starts_with("svc-") && packages().iter().any(|package| package == name);
    is_service || [POSTGRES, REDIS, "sandbox"].contains(&name)
}

struct Trial<'a> {
    faults: &'a Faults,
    checkout: Checkout,
    instance: Instance,
    /// Programs that were built here: the proxy and the bench.
    own: PathBuf,
    /// The mesh's programs.
    programs: PathBuf,
}

impl Trial<'_> {
    fn run(&self, part: Part) -> Result<()> {
        let mut mesh = Mesh::of(&self.instance);
        let outcome = self.start(part, &mut mesh).and_then(|()| {
            let tried = match part {
                Part::Overload => self.overload(),
                _ => self.test(part),
            };
            tried.and(ledger::prove_instance(&self.checkout, &self.instance))
        });
        let lock = self.instance.lock()?;
        let stopped = mesh.stop(&lock);
        outcome.and(stopped)
    }

    /// Starts an empty mesh: without rate limits, or, for the crowd, with cheap captchas.
    fn start(&self, part: Part, mesh: &mut Mesh) -> Result<()> {
        let instance = &self.instance;
        report::forget(instance, part.name())?;
        let lock = instance.lock()?;
        shutdown::stop_all(instance, &lock)?;
        stores::erase(instance)?;
        Stores::start(instance, mesh, true)?;
        let layout = Layout::replicated(self.faults.replicas);
        let mut daemons = topology::daemons(&self.checkout, instance, &self.programs, layout)?;
        let rates = RATES.map(|name| (name, NO_LIMIT));
        for daemon in &mut daemons {
            let limits = match daemon.name.as_str() {
                "gateway" if part != Part::Crowd => rates.as_slice(),
                name if name.starts_with("svc-auth") && part == Part::Crowd => &CHEAP_CAPTCHAS,
                name if name.starts_with("svc-auth") && part == Part::Contract => &LONG_TOKENS,
                name if name.starts_with("svc-wallet") => PROMPTS.as_slice(),
                _ => &[],
            };
            let limits = limits.iter().map(|&(name, limit)| (name.to_owned(), limit.to_owned()));
            daemon.environment.extend(limits);
        }
        if part == Part::Table {
            proxy::insert(&mut daemons, &self.own, instance.ports, self.faults.replicas);
        }
        mesh.start(daemons)
    }

    /// Runs the test of that name, which is ignored by `cargo test`.
    fn test(&self, part: Part) -> Result<()> {
        let mut tests = cargo(&self.checkout);
        tests.args(["test", "--quiet", "-p", "journeys", "--test", "faults"]);
        tests.args(self.faults.release.then_some("--release"));
        tests.args(["--", "--ignored", "--nocapture", part.name()]);
        let rows = self.faults.only.iter().filter(|name| is_row(name)).cloned();
        tests.env("FAULTS_ONLY", rows.collect::<Vec<_>>().join(","));
        tests.env("FAULTS_REPLICAS", self.faults.replicas.to_string());
        tests.env("PROXY_URL", proxy::control_url(self.instance.ports));
        if part == Part::Contract {
            let schemathesis = python::program(&self.checkout, Packages::Contract, "schemathesis")?;
            tests.env("SCHEMATHESIS", schemathesis);
        }
        run(self.with_mesh(&mut tests, part)?)
    }

    fn overload(&self) -> Result<()> {
        let mut command = Command::new(self.own.join(BENCH));
        command.arg("overload").args(["--minutes", &self.faults.minutes.to_string()]);
        run(self.with_mesh(&mut command, Part::Overload)?)
    }

    /// The mesh's addresses, and the file that the report goes to.
    fn with_mesh<'c>(&self, command: &'c mut Command, part: Part) -> Result<&'c mut Command> {
        let report = report::draft(&self.instance, part.name());
        command.current_dir(&self.checkout.root).env("FAULTS_REPORT", report);
        Ok(command.envs(topology::client_environment(&self.instance)?))
    }
}
