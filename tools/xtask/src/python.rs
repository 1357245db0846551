//! Programs of Python packages, in an environment of their own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::checkout::Checkout;
use crate::command::run;
use crate::files;

/// Finds a program of the packages in `tools/requirements.txt`, which are installed if that file
/// has changed.
pub(crate) fn program(checkout: &Checkout, name: &str) -> Result<PathBuf> {
    let environment = checkout.target.join("python");
    let requirements = checkout.root.join("tools/requirements.txt");
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
