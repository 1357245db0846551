//! Programs of Python packages, in an environment of their own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::checkout::Checkout;
use crate::command::run;
use crate::files;

/// A list of packages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Packages {
    /// Those of `check` and `test`.
    Checks,
    /// Those of `faults --only contract`.
    Contract,
}

impl Packages {
    /// The list's file, and the folder that the packages are installed in.
    const fn paths(self) -> (&'static str, &'static str) {
        match self {
            Self::Checks => ("tools/requirements.txt", "python"),
            Self::Contract => ("tools/requirements-contract.txt", "python-contract"),
        }
    }
}

/// Finds a program of the packages in a list, which are installed if the list has changed.
pub(crate) fn program(checkout: &Checkout, packages: Packages, name: &str) -> Result<PathBuf> {
    let (requirements, environment) = packages.paths();
    let environment = checkout.target.join(environment);
    let requirements = checkout.root.join(requirements);
    let wanted = files::read(&requirements)?;
    // The stamp is written last, so that an interrupted installation is repeated.
    let stamp = environment.join("requirements.txt");
    if !fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))
            .context("on Debian or Ubuntu: sudo apt-get install -y python3-venv")?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        let install = ["--require-hashes", "--only-binary", ":all:", "--requirement"];
        let python = environment.join("bin/python");
        run(Command::new(python).args(pip).args(install).arg(&requirements))?;
        fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
    }
    Ok(environment.join("bin").join(name))
}
