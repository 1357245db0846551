//! `test` and `check`: everything CI runs, in an order that fails early.

mod report;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::apt::{self, Tool};
use crate::architecture;
use crate::builds::Project;
use crate::checkout::{Checkout, Profile};
use crate::command::{cargo, in_path, npm, run};
use crate::demo;
use crate::files;
use crate::generated;
use crate::instance::Instance;
use crate::interrupt;
use crate::k8s;
use crate::ledger;
use crate::mesh::Mesh;
use crate::new_service;
use crate::offline;
use crate::ports;
use crate::redis;
use crate::shutdown;
use crate::stores::{self, Stores};
use crate::supply::{self, Audit};
use crate::topology::{self, Layout};

use report::Report;

/// What can be run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Format, architecture, generated code, clippy, dependencies, manifests, offline query
    /// data.
    Lint,
    /// Checks, unit tests and builds of the frontend and the games, and the size budgets.
    Web,
    /// Unit and service tests, against a Postgres and a Redis of their own.
    Rust,
    /// Journeys over the running mesh, through the gateway.
    Mesh,
    /// Journeys in Chromium.
    Browser,
}

/// What to test.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Test {
    /// Only this part; can be given more than once.
    #[arg(long, value_enum)]
    only: Vec<Part>,
    /// Go on after a step that failed.
    #[arg(long)]
    keep_going: bool,
}

impl Test {
    pub(crate) fn run(&self) -> Result<()> {
        let checkout = Checkout::find()?;
        interrupt::catch()?;
        let wants = |part| self.only.is_empty() || self.only.contains(&part);
        let mut report = Report::new(self.keep_going);
        if wants(Part::Lint) {
            quick(&checkout, &mut report);
            report.step("clippy", || clippy(&checkout));
            dependencies(&checkout, &mut report);
            unless(&mut report, "k8s manifests", k8s::missing(), || k8s::check(&checkout));
            report.step("offline query data", || offline::prepare_queries(&checkout, &[], true));
        }
        if wants(Part::Web) {
            web(&checkout, &mut report);
        }
        if wants(Part::Rust) || wants(Part::Mesh) || wants(Part::Browser) {
            let mut tests = MeshTests::of(&checkout, self.keep_going)?;
            tests.run(&mut report, wants);
            report.always("stopping", || tests.stop());
        }
        report.finish()
    }
}

/// `check`: what takes seconds after the first build.
pub(crate) fn check(keep_going: bool) -> Result<()> {
    let checkout = Checkout::find()?;
    interrupt::catch()?;
    let mut report = Report::new(keep_going);
    quick(&checkout, &mut report);
    report.step("clippy", || clippy(&checkout));
    report.finish()
}

fn quick(checkout: &Checkout, report: &mut Report) {
    report.step("format", || run(cargo(checkout).args(["fmt", "--all", "--check"])));
    report.step("architecture", || architecture::check(checkout));
    report.step("generated code", || generated::check(checkout));
}

fn clippy(checkout: &Checkout) -> Result<()> {
    let arguments = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    run(cargo(checkout).args(arguments))
}

/// Licences, banned crates and known vulnerabilities.
fn dependencies(checkout: &Checkout, report: &mut Report) {
    unless(report, "licences and bans", supply::missing(), || supply::deny(checkout));
    let missing = supply::advisories_missing(checkout);
    unless(report, "advisories of crates", missing, || supply::advisories(checkout));
}

/// A step that is skipped where there is a reason.
fn unless(
    report: &mut Report,
    name: &'static str,
    missing: Option<&'static str>,
    run: impl FnOnce() -> Result<()>,
) {
    match missing {
        Some(reason) => report.skip(name, reason),
        None => report.step(name, run),
    }
}

fn web(checkout: &Checkout, report: &mut Report) {
    let pwa = Project::pwa(checkout);
    report.step("frontend packages", || pwa.packages());
    report.step("frontend check", || pwa.script("check"));
    report.step("frontend tests", || pwa.script("test"));
    report.step("frontend build", || pwa.build());
    report.step("frontend budget", || pwa.script("budget"));
    if let Some(games) = Project::games(checkout) {
        report.step("packages of the games", || games.packages());
        report.step("check of the games", || games.script("check"));
        report.step("tests of the games", || games.script("test"));
        report.step("build of the games", || games.build());
    }
    match supply::audit(checkout) {
        Ok(Audit::NotThere) => report.skip("advisories of npm", "the registry has no audit"),
        Ok(Audit::Done { clean, report: text }) => {
            report.step("advisories of npm", || supply::audited(clean, &text));
        }
        Err(fault) => report.step("advisories of npm", || Err(fault)),
    }
}

/// The tests that need stores or a mesh, on an instance of their own.
struct MeshTests<'a> {
    checkout: &'a Checkout,
    instance: Instance,
    mesh: Mesh,
    stores: Option<Stores>,
    keep_going: bool,
}

impl<'a> MeshTests<'a> {
    fn of(checkout: &'a Checkout, keep_going: bool) -> Result<Self> {
        let instance = Instance::test(checkout)?;
        let mesh = Mesh::of(&instance);
        Ok(Self { checkout, instance, mesh, stores: None, keep_going })
    }

    fn run(&mut self, report: &mut Report, wants: impl Fn(Part) -> bool) {
        report.step("build", || self.build());
        report.step("Postgres and Redis", || self.start_stores());
        if wants(Part::Rust) {
            let environment = || k8s::check_environment(self.checkout);
            unless(report, "environment of the manifests", k8s::missing(), environment);
            report.step("Rust tests", || self.rust_tests());
            report.step("a generated service", || self.generated_service());
        }
        if wants(Part::Mesh) || wants(Part::Browser) {
            report.step("mesh", || self.start_mesh());
        }
        if wants(Part::Mesh) {
            report.step("mesh journeys", || self.journeys());
            report.step("proof of the ledger", || self.prove());
        }
        if wants(Part::Browser) {
            report.step("demo content", || self.apply_demo_content());
            report.step("browser journeys", || self.browser("e2e"));
            // They stop processes, or measure what a phone waits for.
            report.step("browser journeys alone", || self.browser("e2e:alone"));
            report.step("proof of the ledger", || self.prove());
        }
    }

    /// Programs and tests in one build and one profile, so that the dependencies are
    /// compiled once.
    fn build(&self) -> Result<()> {
        run(cargo(self.checkout).args(["build", "--workspace", "--bins", "--tests"]))
    }

    fn start_stores(&mut self) -> Result<()> {
        let lock = self.instance.lock()?;
        shutdown::stop_all(&self.instance, &lock)?;
        stores::erase(&self.instance)?;
        fs::create_dir_all(self.temporary())?;
        self.stores = Some(Stores::start(&self.instance, &mut self.mesh, true)?);
        Ok(())
    }

    fn start_mesh(&mut self) -> Result<()> {
        Project::pwa(self.checkout).build()?;
        Project::games(self.checkout).map_or(Ok(()), |games| games.build())?;
        let _lock = self.instance.lock()?;
        let programs = self.checkout.programs(Profile::Dev);
        let mut daemons =
            topology::daemons(self.checkout, &self.instance, &programs, Layout::SINGLE)?;
        for daemon in &mut daemons {
            daemon.environment.extend(topology::trace_export(self.instance.ports));
        }
        self.mesh.start(daemons)
    }

    fn rust_tests(&self) -> Result<()> {
        let mut tests = cargo(self.checkout);
        if in_path("cargo-nextest").is_none() {
            tests.args(["test", "--workspace", "--exclude", "journeys"]);
            return run(self.with_stores(self.no_fail_fast(&mut tests)));
        }
        tests.args(["nextest", "run", "--workspace", "-E", "not package(journeys)"]);
        self.no_fail_fast(&mut tests);
        run(self.with_stores(&mut tests))?;
        // nextest does not run doc tests.
        run(self.with_stores(cargo(self.checkout).args(["test", "--workspace", "--doc"])))
    }

    /// Generates a service from the templates in a copy of the checkout, and tests it.
    fn generated_service(&self) -> Result<()> {
        new_service::check(self.checkout, |tests| {
            self.with_stores(tests);
        })
    }

    /// Names the test targets instead of the package: with `--workspace` cargo uses
    /// the dependencies as already built.
    fn journeys(&self) -> Result<()> {
        let mut tests = cargo(self.checkout);
        if in_path("cargo-nextest").is_some() {
            tests.args(["nextest", "run", "--workspace", "-E", "package(journeys)"]);
        } else {
            tests.args(["test", "--workspace"]);
            for name in journey_targets(self.checkout)? {
                tests.args(["--test", &name]);
            }
        }
        self.no_fail_fast(&mut tests);
        tests.envs(topology::client_environment(&self.instance)?);
        tests.env("PLAYON_OTLP_LISTEN", ports::local(self.instance.ports.collector).to_string());
        // Journeys mostly wait, so many run at once; each runner has its variable.
        tests.envs([("RUST_TEST_THREADS", "8"), ("NEXTEST_TEST_THREADS", "8")]);
        run(self.with_stores(&mut tests))
    }

    /// Runs a script of the frontend's journeys.
    fn browser(&self, script: &str) -> Result<()> {
        let chromium = apt::require(Tool::Chromium)?;
        let mut tests = npm(self.checkout);
        tests.args(["run", script]).env("CHROMIUM", chromium);
        run(tests.envs(topology::client_environment(&self.instance)?))
    }

    /// The journeys in the browser play what a newcomer finds.
    fn apply_demo_content(&self) -> Result<()> {
        demo::apply(self.checkout, &self.instance, &self.checkout.programs(Profile::Dev))
    }

    fn prove(&self) -> Result<()> {
        ledger::prove_instance(self.checkout, &self.instance)
    }

    /// With `--keep-going`, the other tests run after one that failed.
    fn no_fail_fast<'c>(&self, tests: &'c mut Command) -> &'c mut Command {
        // nextest repeats what failed at the end, where a reader of the log begins.
        tests.env("NEXTEST_FAILURE_OUTPUT", "immediate-final");
        tests.args(self.keep_going.then_some("--no-fail-fast"))
    }

    fn with_stores<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        if let Some(stores) = &self.stores {
            command.env("TEST_DATABASE_URL", stores.superuser_url_of("postgres"));
        }
        command.env("TMPDIR", self.temporary());
        command.env("TEST_REDIS_URL", redis::url(&self.instance))
    }

    /// Where tests leave their certificates and other files, some hundred MB.
    fn temporary(&self) -> PathBuf {
        self.instance.dir.join("tmp")
    }

    fn stop(self) -> Result<()> {
        let lock = self.instance.lock()?;
        files::remove(&self.temporary())?;
        self.mesh.stop(&lock)
    }
}

/// The test targets of the package `journeys`, as cargo finds them.
fn journey_targets(checkout: &Checkout) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in checkout.root.join("tests/tests").read_dir().into_iter().flatten() {
        let path = entry?.path();
        let is_target =
            path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").is_file();
        if let (true, Some(stem)) = (is_target, path.file_stem()) {
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    if names.is_empty() {
        bail!("tests/tests holds no journeys");
    }
    names.sort();
    Ok(names)
}
