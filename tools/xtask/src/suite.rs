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
use crate::interrupt;
use crate::k8s;
use crate::migrations;
use crate::offline;
use crate::supply::{self, Audit};

use mesh::MeshTests;
use report::Report;

/// What can be run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Format, architecture, generated code, dependencies, manifests, clippy, query data.
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
        let mut report = Report::new(self.keep_going);
        let mut tests = MeshTests::of(&checkout, self.keep_going)?;
        // npm needs a processor now and then; the compiler has the rest.
        let beside = match self.only[..] {
            [] => Some(Beside::start(&mut only_web()?, tests.log("web"))?),
            _ => None,
        };
        if self.only.contains(&Part::Web) {
            web(&checkout, &mut report);
        }
        if self.wants(Part::Lint) {
            quick(&checkout, &mut report);
            dependencies(&checkout, &mut report);
            unless(&mut report, "k8s manifests", k8s::missing(), || k8s::check(&checkout));
            report.step("clippy and query data", || {
                offline::compare_queries(&checkout, &mut clippy(&checkout))
            });
        }
        let needs_stores = [Part::Rust, Part::Mesh, Part::Browser].map(|part| self.wants(part));
        let needs_stores = needs_stores.contains(&true);
        if needs_stores {
            tests.build(&mut report);
        }
        if self.wants(Part::Rust) {
            tests.rust(&mut report);
        }
        if let Some(web) = beside {
            report.join("web, beside the steps above", web);
        }
        if self.wants(Part::Mesh) || self.wants(Part::Browser) {
            tests.journeys(&mut report, self.wants(Part::Mesh), self.wants(Part::Browser));
        }
        if needs_stores {
            report.always("stopping", || tests.stop());
        }
        report.finish()
    }

    fn wants(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }
}

/// `check`: what takes seconds after the first build.
pub(crate) fn check(keep_going: bool) -> Result<()> {
    let checkout = Checkout::find()?;
    interrupt::catch()?;
    let mut report = Report::new(keep_going);
    quick(&checkout, &mut report);
    report.step("clippy", || run(&mut clippy(&checkout)));
    // `test` has it among the Rust tests.
    report.step("generated Rust", || generated::check_rust(&checkout));
    report.finish()
}

fn quick(checkout: &Checkout, report: &mut Report) {
    report.step("format", || run(cargo(checkout).args(["fmt", "--all", "--check"])));
    report.step("architecture", || architecture::check(checkout));
    report.step("migrations", || migrations::check(checkout));
    report.step("generated TypeScript", || generated::check_typescript(checkout));
}

fn clippy(checkout: &Checkout) -> Command {
    let mut clippy = cargo(checkout);
    clippy.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    clippy
}

/// Licences, banned crates and known vulnerabilities.
fn dependencies(checkout: &Checkout, report: &mut Report) {
    report.step("licences and bans", || supply::deny(checkout));
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

/// Always to the end: it runs beside steps that may fail.
fn only_web() -> Result<Command> {
    xtask(&["test", "--only", "web", "--keep-going"])
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
    report.step("packages of the journeys", || Project::journeys(checkout).packages());
    match supply::audit(&pwa) {
        Ok(Audit::NotThere) => report.skip("advisories of npm", "the registry has no audit"),
        Ok(Audit::Done { clean, report: text }) => {
            report.step("advisories of npm", || supply::audited(clean, &text));
        }
        Err(fault) => report.step("advisories of npm", || Err(fault)),
    }
}
