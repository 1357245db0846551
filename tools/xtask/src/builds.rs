//! Building the services and the PWA, each no more often than needed.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::apt::in_path;
use crate::checkout::{Checkout, Profile};
use crate::interrupt;
use crate::terminal::Step;

/// Folders under frontend/ that are products, not sources.
const PRODUCTS: [&str; 3] = ["node_modules", "dist", "dev-dist"];
/// What `up` needs not rebuild the PWA for.
const NOT_SHIPPED: [&str; 2] = ["e2e", "tools"];

/// Runs a command in the foreground with its own output; fails when it does.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    interrupt::check()?;
    if !status.success() {
        bail!("`{}` failed ({status})", spelled(command));
    }
    Ok(())
}

/// A command as one would type it, without the environment.
pub(crate) fn spelled(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Cargo, at the root of the checkout.
pub(crate) fn cargo(checkout: &Checkout) -> Command {
    // Not $CARGO: that would pin the inner cargo to what built this program.
    let mut command = Command::new("cargo");
    command.current_dir(&checkout.root);
    command
}

/// npm, in the frontend's folder.
pub(crate) fn npm(checkout: &Checkout) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(checkout.frontend());
    command
}

/// Builds the programs of these packages.
pub(crate) fn programs(checkout: &Checkout, profile: Profile, packages: &[String]) -> Result<()> {
    let step = Step::announce("building the services");
    let mut command = cargo(checkout);
    command.args(["build", "--bins"]);
    if profile == Profile::Release {
        command.arg("--release");
    }
    for package in packages {
        command.args(["-p", package]);
    }
    let built = run(&mut command);
    finish(step, built)
}

/// Installs the frontend's packages if the lock file changed since.
pub(crate) fn packages(checkout: &Checkout) -> Result<()> {
    let frontend = checkout.frontend();
    let lock = frontend.join("package-lock.json");
    let wanted = digest(std::slice::from_ref(&lock))?;
    let stamp = Stamp::of(&frontend, "packages");
    // npm writes the second file at the end of an install, a person's included.
    let installed = frontend.join("node_modules/.package-lock.json");
    if installed.is_file() && (stamp.says(wanted) || is_newer(&installed, &lock)) {
        return Ok(());
    }
    if in_path("npm").is_none() {
        bail!(
            "npm is missing: install Node.js 20 or newer (nodejs.org, or your system's packages)"
        );
    }
    let step = Step::announce("installing the frontend's packages");
    let installed = run(npm(checkout).args(["ci", "--no-audit", "--no-fund"]));
    finish(step, installed.and_then(|()| stamp.put(wanted)))
}

fn is_newer(file: &Path, than: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|about| about.modified()).ok();
    changed(file).is_some_and(|at| changed(than).is_some_and(|before| at > before))
}

/// Builds the PWA if its sources changed since.
pub(crate) fn web(checkout: &Checkout) -> Result<()> {
    packages(checkout)?;
    let frontend = checkout.frontend();
    let wanted = digest(&sources(&frontend)?)?;
    let stamp = Stamp::of(&frontend, "build");
    if stamp.says(wanted) && frontend.join("dist/index.html").is_file() {
        Step::begin("building the PWA").fresh("fresh");
        return Ok(());
    }
    let step = Step::announce("building the PWA");
    let built = run(npm(checkout).args(["run", "build"]));
    finish(step, built.and_then(|()| stamp.put(wanted)))
}

fn finish(step: Step, outcome: Result<()>) -> Result<()> {
    match &outcome {
        Ok(()) => step.done(),
        Err(_) => step.failed(),
    }
    outcome
}

/// Remembers for which sources something was made. It lives in `node_modules`,
/// so that it goes when they go.
struct Stamp(PathBuf);

impl Stamp {
    fn of(frontend: &Path, what: &str) -> Self {
        Self(frontend.join("node_modules").join(format!(".playon-{what}")))
    }

    fn says(&self, wanted: u64) -> bool {
        fs::read_to_string(&self.0).is_ok_and(|text| text.trim() == wanted.to_string())
    }

    fn put(&self, made: u64) -> Result<()> {
        fs::write(&self.0, format!("{made}\n"))
            .with_context(|| format!("cannot write {}", self.0.display()))
    }
}

/// Everything that goes into the PWA, sorted.
fn sources(frontend: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![frontend.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in
            folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))?
        {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let top = folder == frontend;
            if PRODUCTS.contains(&name.as_str()) || (top && NOT_SHIPPED.contains(&name.as_str())) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// By content: switching branches back and forth changes times, not sources.
fn digest(files: &[PathBuf]) -> Result<u64> {
    let mut digest = DefaultHasher::new();
    for file in files {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        (file, bytes).hash(&mut digest);
    }
    Ok(digest.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_no_sources_and_an_edit_changes_the_digest() {
        let root = std::env::temp_dir().join(format!("xtask-sources-{}", std::process::id()));
        for folder in ["src/features", "dist", "node_modules/x", "e2e"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("a.ts"), "1").unwrap();
        }
        let found = sources(&root).unwrap();
        assert_eq!(found, [root.join("src/features/a.ts")]);
        let before = digest(&found).unwrap();
        fs::write(&found[0], "2").unwrap();
        assert_ne!(digest(&found).unwrap(), before);
        fs::write(&found[0], "1").unwrap();
        assert_eq!(digest(&found).unwrap(), before);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_command_is_spelled_as_typed() {
        let mut command = Command::new("/usr/bin/cargo");
        command.args(["test", "--workspace"]).env("SECRET", "x");
        assert_eq!(spelled(&command), "cargo test --workspace");
    }
}
