//! The tests that need stores or a mesh, on an instance of their own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::apt::{self, Tool};
use crate::builds::{self, Project};
use crate::checkout::{Checkout, Profile};
use crate::command::{cargo, in_path, run};
use crate::demo;
use crate::files;
use crate::instance::Instance;
use crate::k8s;
use crate::ledger;
use crate::mesh::Mesh;
use crate::ports;
use crate::redis;
use crate::shutdown;
use crate::stores::{self, Stores};
use crate::topology::{self, Layout};

use super::report::Report;

/// Service tests that run at the same time: they wait for Postgres as often as they compute. With
/// more tests, services' own time limits run out.
const SERVICE_TESTS: &str = "4";
/// Journeys that run at the same time: they mostly wait.
const JOURNEYS: &str = "8";

pub(super) struct MeshTests<'a> {
    checkout: &'a Checkout,
    instance: Instance,
    mesh: Mesh,
    stores: Option<Stores>,
    keep_going: bool,
}

impl<'a> MeshTests<'a> {
    pub(super) fn on(checkout: &'a Checkout, instance: Instance, keep_going: bool) -> Self {
        let mesh = Mesh::of(&instance);
        Self { checkout, instance, mesh, stores: None, keep_going }
    }

    pub(super) fn stores(&mut self, report: &mut Report) {
        report.step("Postgres and Redis", || self.start_stores());
    }

    pub(super) fn rust(&self, report: &mut Report) {
        let environment = || k8s::check_environment(self.checkout);
        report.unless(k8s::missing(), "environment of the manifests", environment);
        report.step("Rust tests", || self.rust_tests());
    }

    /// Starts the mesh that journeys share, with the demo content that a newcomer finds.
    pub(super) fn shared_mesh(&mut self, report: &mut Report) {
        report.step("mesh", || self.start_mesh());
        report.step("demo content", || self.apply_demo_content());
    }

    pub(super) fn journeys(&self, report: &mut Report) {
        report.step("mesh journeys", || self.mesh_journeys("journeys"));
        report.step("proof of the ledger", || self.prove());
    }

    /// Runs the journeys in Chromium; journeys that measure how long a phone waits come last, one
    /// by one.
    pub(super) fn browsers(&self, report: &mut Report) {
        report.step("browser journeys", || run(&mut self.browser("test")?));
        report.step("browser journeys that measure time", || run(&mut self.browser("timing")?));
        report.step("proof of the ledger", || self.prove());
    }

    /// Runs the journeys that have the mesh for themselves, because they kill processes, or measure
    /// them.
    pub(super) fn solo(&mut self, report: &mut Report) {
        report.step("mesh", || self.start_mesh());
        report.step("demo content", || self.apply_demo_content());
        report.step("solo journeys", || self.mesh_journeys("solo"));
        report.step("solo browser journeys", || run(&mut self.browser("solo")?));
        report.step("proof of the ledger", || self.prove());
    }

    fn prove(&self) -> Result<()> {
        ledger::prove_instance(self.checkout, &self.instance)
    }

    /// Stops the processes. Removes their data, of which the tests' databases take 8 GB, unless a
    /// step has failed: the data may show the cause.
    pub(super) fn stop(self, failed: bool) -> Result<()> {
        let lock = self.instance.lock()?;
        files::remove(&self.temporary())?;
        self.mesh.stop(&lock)?;
        if failed { Ok(()) } else { stores::erase(&self.instance) }
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
        builds::web(self.checkout)?;
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
        if in_path("cargo-nextest").is_some() {
            tests.args(["nextest", "run", "--workspace", "-E", "not package(journeys)"]);
        } else {
            tests.args(["test", "--workspace", "--exclude", "journeys"]);
        }
        run(self.with_stores(self.runner(&mut tests, SERVICE_TESTS)))
    }

    /// Runs a target of the journeys. It names the test target instead of the package: with
    /// `--workspace` cargo uses the dependencies as already built.
    fn mesh_journeys(&self, target: &str) -> Result<()> {
        let mut tests = cargo(self.checkout);
        if in_path("cargo-nextest").is_some() {
            tests.args(["nextest", "run", "--workspace", "--test", target]);
        } else {
            tests.args(["test", "--workspace", "--test", target]);
        }
        tests.envs(topology::client_environment(&self.instance)?);
        tests.env("PLAYON_OTLP_LISTEN", ports::local(self.instance.ports.collector).to_string());
        run(self.with_stores(self.runner(&mut tests, JOURNEYS)))
    }

    /// A script of the journeys in Chromium.
    fn browser(&self, script: &str) -> Result<Command> {
        let chromium = apt::require(Tool::Chromium)?;
        let journeys = Project::journeys(self.checkout);
        journeys.packages()?;
        let mut tests = journeys.npm();
        tests.args(["run", script]).env("CHROMIUM", chromium);
        tests.envs(topology::client_environment(&self.instance)?);
        Ok(tests)
    }

    /// Applies the demo content, which the journeys in the browser play.
    fn apply_demo_content(&self) -> Result<()> {
        demo::apply(self.checkout, &self.instance, &self.checkout.programs(Profile::Dev))
    }

    /// Sets the options of a test runner. With `--keep-going`, the other tests run after a test
    /// that failed. `cargo test` and nextest each have a variable for how many tests run at once.
    fn runner<'c>(&self, tests: &'c mut Command, threads: &str) -> &'c mut Command {
        // nextest repeats the failed tests at the end, where a reader of the log begins.
        tests.env("NEXTEST_FAILURE_OUTPUT", "immediate-final");
        tests.envs([("RUST_TEST_THREADS", threads), ("NEXTEST_TEST_THREADS", threads)]);
        tests.args(self.keep_going.then_some("--no-fail-fast"))
    }

    fn with_stores<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        if let Some(stores) = &self.stores {
            command.env("TEST_DATABASE_URL", stores.superuser_url_of("postgres"));
        }
        command.env("TMPDIR", self.temporary());
        command.env("TEST_REDIS_URL", redis::url(&self.instance))
    }

    /// The folder where tests leave their certificates and other files, some hundred MB.
    fn temporary(&self) -> PathBuf {
        self.instance.dir.join("tmp")
    }
}
