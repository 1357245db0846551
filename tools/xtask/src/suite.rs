//! `test` and `check`: everything CI runs, in an order that fails early.

mod mesh;
mod report;

use std::process::Command;

use anyhow::Result;
use clap::ValueEnum;

use crate::architecture;
use crate::builds::Project;
use crate::checkout::Checkout;
use crate::command::{Beside, cargo, run, xtask};
use crate::generated;
use crate::instance::Instance;
use crate::interrupt;
use crate::k8s;
use crate::migrations;
use crate::offline;
use crate::supply::{self, Audit};

use mesh::MeshTests;
use report::Report;

/// A part of the tests that can be run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Format, architecture, migrations, dependencies, manifests, clippy with the query data.
    Lint,
    /// Generated TypeScript; checks, unit tests and builds of the frontend and the games, and
    /// the size budgets.
    Web,
    /// Unit and service tests, against a Postgres and a Redis of their own.
    Rust,
    /// Journeys over the running mesh, through the gateway.
    Mesh,
    /// Journeys in Chromium.
    Browser,
    /// Journeys that kill processes, over a mesh of their own.
    Solo,
}

/// The selection of tests.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Test {
    /// Run only this part; can be given more than once.
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
        let mut report = Report::new(self.keep_going);
        // npm leaves most of the processors idle, so its part runs while cargo compiles.
        let web_beside = self.beside(&checkout, "web")?;
        if self.only.contains(&Part::Web) {
            web(&checkout, &mut report);
        }
        if self.wants(Part::Lint) {
            lint(&checkout, &mut report);
        }
        let uses_mesh = self.wants(Part::Mesh) || self.wants(Part::Browser);
        let uses_stores = self.wants(Part::Rust) || uses_mesh;
        if uses_stores || self.only.contains(&Part::Solo) {
            report.step("build", || build(&checkout));
        }
        if let Some(web) = web_beside {
            report.join("web, beside the steps above", web);
        }
        // Solo journeys mostly wait for processes that they have killed, so they run during the
        // Rust tests.
        let mut solo_beside = if report.goes_on() { self.beside(&checkout, "solo")? } else { None };
        if uses_stores {
            let mut tests = MeshTests::on(&checkout, Instance::test(&checkout)?, self.keep_going);
            tests.stores(&mut report);
            if self.wants(Part::Rust) {
                tests.rust(&mut report);
            }
            if uses_mesh {
                tests.shared_mesh(&mut report);
            }
            if self.wants(Part::Mesh) {
                tests.journeys(&mut report);
            }
            // Solo journeys end before the browsers start, which need both processors.
            if let Some(solo) = solo_beside.take() {
                report.join("solo journeys, beside the steps above", solo);
            }
            if self.wants(Part::Browser) {
                tests.browsers(&mut report);
            }
            let failed = report.failed();
            report.always("stopping", || tests.stop(failed));
        }
        if self.only.contains(&Part::Solo) {
            let mut tests = MeshTests::on(&checkout, Instance::solo(&checkout)?, self.keep_going);
            tests.stores(&mut report);
            tests.solo(&mut report);
            let failed = report.failed();
            report.always("stopping", || tests.stop(failed));
        }
        report.finish()
    }

    /// Starts a part beside the others, if all are wanted. It runs to its end, because it runs
    /// beside steps that may fail.
    fn beside(&self, checkout: &Checkout, part: &str) -> Result<Option<Beside>> {
        if !self.only.is_empty() {
            return Ok(None);
        }
        let log = checkout.target.join(format!("{part}.log"));
        let arguments = ["test", "--only", part, "--keep-going"];
        Beside::start(&mut xtask(checkout, &arguments), log).map(Some)
    }

    fn wants(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }
}

/// `check`: the checks that take seconds after the first build.
pub(crate) fn check(keep_going: bool) -> Result<()> {
    let checkout = Checkout::find()?;
    interrupt::catch()?;
    let mut report = Report::new(keep_going);
    quick(&checkout, &mut report);
    report.step("clippy", || run(&mut clippy(&checkout)));
    report.step("generated TypeScript", || generated::check_typescript(&checkout));
    // `test` has this step among the Rust tests.
    report.step("generated Rust", || generated::check_rust(&checkout));
    report.finish()
}

fn quick(checkout: &Checkout, report: &mut Report) {
    report.step("format", || run(cargo(checkout).args(["fmt", "--all", "--check"])));
    report.step("architecture", || architecture::check(checkout));
    report.step("migrations", || migrations::check(checkout));
}

fn lint(checkout: &Checkout, report: &mut Report) {
    quick(checkout, report);
    dependencies(checkout, report);
    report.unless(k8s::missing(), "k8s manifests", || k8s::check(checkout));
    report.step("clippy and query data", || {
        offline::compare_queries(checkout, &mut clippy(checkout))
    });
}

/// Builds programs and tests in one build and one profile, so that nothing is compiled twice.
fn build(checkout: &Checkout) -> Result<()> {
    run(cargo(checkout).args(["build", "--workspace", "--bins", "--tests"]))
}

fn clippy(checkout: &Checkout) -> Command {
    let mut clippy = cargo(checkout);
    clippy.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    clippy
}

/// Checks licences, banned crates and known vulnerabilities.
fn dependencies(checkout: &Checkout, report: &mut Report) {
    report.step("licences and bans", || supply::deny(checkout));
    let missing = supply::advisories_missing(checkout);
    report.unless(missing, "advisories of crates", || supply::advisories(checkout));
}

fn web(checkout: &Checkout, report: &mut Report) {
    let pwa = Project::pwa(checkout);
    // The generated code is checked before the steps that compile it.
    report.step("generated TypeScript", || generated::check_typescript(checkout));
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
    report.step("packages of the journeys", || Project::journeys(checkout).packages());
    match supply::audit(&pwa) {
        Ok(Audit::NotThere) => report.skip("advisories of npm", "the registry has no audit"),
        Ok(Audit::Done { clean, report: text }) => {
            report.step("advisories of npm", || supply::audited(clean, &text));
        }
        Err(fault) => report.step("advisories of npm", || Err(fault)),
    }
}
