//! Builds the programs and the PWA, the latter only when its sources changed.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::checkout::{Checkout, Profile};
use crate::command::{cargo, in_path, npm, run};
use crate::files;
use crate::terminal::Step;

/// Folders under frontend/ that hold build products.
const PRODUCTS: [&str; 3] = ["node_modules", "dist", "dev-dist"];
/// Folders directly under frontend/ that are no part of the PWA.
const NOT_SHIPPED: [&str; 2] = ["e2e", "tools"];

/// Builds the programs of these packages.
pub(crate) fn programs(checkout: &Checkout, profile: Profile, packages: &[String]) -> Result<()> {
    let step = Step::announce(format!("building {}", packages.join(", ")));
    let mut command = cargo(checkout);
    command.args(["build", "--bins"]).args((profile == Profile::Release).then_some("--release"));
    command.args(packages.iter().flat_map(|package| ["-p", package]));
    step.end(run(&mut command))
}

/// Installs the frontend's packages if the lock file changed since.
pub(crate) fn packages(checkout: &Checkout) -> Result<()> {
    let frontend = checkout.frontend();
    let lock = frontend.join("package-lock.json");
    let digest = digest(&frontend, &[PathBuf::from("package-lock.json")])?;
    let stamp = Stamp::of(&frontend, "packages");
    // npm writes this file at the end of every install, also one by hand.
    let installed = frontend.join("node_modules/.package-lock.json");
    if installed.is_file() && (stamp.holds(digest) || is_newer(&installed, &lock)) {
        return Ok(());
    }
    if in_path("npm").is_none() {
        bail!(
            "npm is missing: install Node.js 20 or newer (nodejs.org, or your system's packages)"
        );
    }
    let step = Step::announce("installing the frontend's packages");
    let installed = run(npm(checkout).args(["ci", "--no-audit", "--no-fund"]));
    step.end(installed.and_then(|()| stamp.put(digest)))
}

fn is_newer(file: &Path, than: &Path) -> bool {
    let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    modified(file) > modified(than)
}

/// Builds the PWA if its sources changed since.
pub(crate) fn web(checkout: &Checkout) -> Result<()> {
    packages(checkout)?;
    let frontend = checkout.frontend();
    let digest = digest(&frontend, &sources(&frontend)?)?;
    let stamp = Stamp::of(&frontend, "build");
    if stamp.holds(digest) && frontend.join("dist/index.html").is_file() {
        Step::begin("building the PWA").skip("unchanged");
        return Ok(());
    }
    let step = Step::announce("building the PWA");
    let built = run(npm(checkout).args(["run", "build"]));
    step.end(built.and_then(|()| stamp.put(digest)))
}

/// Records the digest of the sources that something was built from. It is in
/// `node_modules`, so that it is removed with them.
struct Stamp(PathBuf);

impl Stamp {
    fn of(frontend: &Path, name: &str) -> Self {
        Self(frontend.join("node_modules").join(format!(".playon-{name}")))
    }

    fn holds(&self, digest: u64) -> bool {
        fs::read_to_string(&self.0).is_ok_and(|text| text.trim() == digest.to_string())
    }

    fn put(&self, digest: u64) -> Result<()> {
        fs::write(&self.0, format!("{digest}\n"))
            .with_context(|| format!("cannot write {}", self.0.display()))
    }
}

/// Everything that goes into the PWA.
fn sources(frontend: &Path) -> Result<Vec<PathBuf>> {
    files::list(frontend, |entry| {
        let is = |names: &[&str]| names.iter().any(|name| entry.file_name() == *name);
        !(is(&PRODUCTS) || entry.depth() == 1 && is(&NOT_SHIPPED))
    })
}

/// By content: a change of branches and back changes times, not sources.
fn digest(folder: &Path, files: &[PathBuf]) -> Result<u64> {
    let mut digest = DefaultHasher::new();
    for file in files {
        (file, files::read(&folder.join(file))?).hash(&mut digest);
    }
    Ok(digest.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_source_changes_the_digest_and_products_are_no_sources() {
        let root = std::env::temp_dir().join(format!("xtask-sources-{}", std::process::id()));
        for folder in ["src/features", "dist", "node_modules/x", "e2e"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("a.ts"), "1").unwrap();
        }
        let found = sources(&root).unwrap();
        assert_eq!(found, [PathBuf::from("src/features/a.ts")]);
        let before = digest(&root, &found).unwrap();
        fs::write(root.join(&found[0]), "2").unwrap();
        assert_ne!(digest(&root, &found).unwrap(), before);
        fs::write(root.join(&found[0]), "1").unwrap();
        assert_eq!(digest(&root, &found).unwrap(), before);
        fs::remove_dir_all(&root).unwrap();
    }
}
