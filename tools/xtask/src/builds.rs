//! Builds the programs, and the PWA and the games only when their sources changed.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::checkout::{Checkout, Profile};
use crate::command::{cargo, in_path, run};
use crate::files;
use crate::terminal::Step;

/// Folders that hold build products.
const PRODUCTS: [&str; 4] = ["node_modules", "dist", "dev-dist", ".rules"];

/// A folder that npm builds.
#[derive(Debug)]
pub(crate) struct Project {
    folder: PathBuf,
    /// The name that a step prints.
    name: &'static str,
    /// A file of every complete build; `dist` alone may be a build that was interrupted.
    product: &'static str,
    /// Folders directly under the project's folder that change nothing in the build.
    not_shipped: &'static [&'static str],
}

impl Project {
    pub(crate) fn pwa(checkout: &Checkout) -> Self {
        Self {
            folder: checkout.frontend(),
            name: "the PWA",
            product: "dist/index.html",
            not_shipped: &["e2e", "tools"],
        }
    }

    /// The games of PlayOn; `None` in a checkout without them.
    pub(crate) fn games(checkout: &Checkout) -> Option<Self> {
        let folder = checkout.games();
        let is_there = folder.join("package.json").is_file();
        let project = Self { folder, name: "the games", product: "dist", not_shipped: &[] };
        is_there.then_some(project)
    }

    /// The package of the browser journeys (Playwright); no build needs it.
    pub(crate) fn journeys(checkout: &Checkout) -> Self {
        Self::tools(checkout.frontend().join("e2e"), "the browser journeys")
    }

    /// The contract's folder, with the generators of TypeScript.
    pub(crate) fn contract(checkout: &Checkout) -> Self {
        Self::tools(checkout.root.join("proto"), "the contract")
    }

    /// A folder of npm's programs, in which nothing is built.
    fn tools(folder: PathBuf, name: &'static str) -> Self {
        Self { folder, name, product: "node_modules", not_shipped: &[] }
    }

    /// A command that runs npm in the project's folder.
    pub(crate) fn npm(&self) -> Command {
        let mut command = Command::new("npm");
        command.current_dir(&self.folder);
        command
    }

    /// Runs a script with `npm run`.
    pub(crate) fn script(&self, script: &str) -> Result<()> {
        run(self.npm().args(["run", script]))
    }

    /// Installs the packages if the lock file has changed since the last installation.
    pub(crate) fn packages(&self) -> Result<()> {
        let lock = self.folder.join("package-lock.json");
        let digest = digest(&self.folder, &[PathBuf::from("package-lock.json")])?;
        let stamp = Stamp::of(&self.folder, "packages");
        // npm writes this file at the end of every install, also one by hand.
        let installed = self.folder.join("node_modules/.package-lock.json");
        if installed.is_file() && (stamp.holds(digest) || is_newer(&installed, &lock)) {
            return Ok(());
        }
        if in_path("npm").is_none() {
            bail!(
                "npm is missing: install Node.js 20 or newer (nodejs.org, or your system's packages)"
            );
        }
        let step = Step::announce(format!("installing the packages of {}", self.name));
        let installed = run(self.npm().args(["ci", "--no-audit", "--no-fund"]));
        step.end(installed.and_then(|()| stamp.put(digest)))
    }

    /// Builds the project if its sources have changed since the last build.
    pub(crate) fn build(&self) -> Result<()> {
        self.packages()?;
        let digest = digest(&self.folder, &sources(&self.folder, self.not_shipped)?)?;
        let stamp = Stamp::of(&self.folder, "build");
        if stamp.holds(digest) && self.folder.join(self.product).exists() {
            Step::begin(format!("building {}", self.name)).skip("unchanged");
            return Ok(());
        }
        let step = Step::announce(format!("building {}", self.name));
        step.end(self.script("build").and_then(|()| stamp.put(digest)))
    }
}

/// Builds the PWA and the games, each if its sources have changed since its last build.
pub(crate) fn web(checkout: &Checkout) -> Result<()> {
    Project::pwa(checkout).build()?;
    Project::games(checkout).map_or(Ok(()), |games| games.build())
}

/// Builds these programs. Cargo's own line counts the crates.
pub(crate) fn programs(checkout: &Checkout, profile: Profile, names: &[String]) -> Result<()> {
    let step = Step::announce(format!("building {}", names.join(", ")));
    let mut command = cargo(checkout);
    command.arg("build");
    match profile {
        // Programs are built as in production, without features that another package asks for.
        Profile::Release => {
            command.args(["--release", "--bins"]);
            command.args(names.iter().flat_map(|name| ["-p", name]));
        }
        // Programs are built with the features of the whole workspace, as the tests are: a crate
        // that one command has compiled is ready for all others.
        Profile::Dev => {
            command.arg("--workspace").args(names.iter().flat_map(|name| ["--bin", name]));
        }
    }
    step.end(run(&mut command))
}

fn is_newer(file: &Path, than: &Path) -> bool {
    let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    modified(file) > modified(than)
}

/// Records the digest of the sources that something was built from. It is in
/// `node_modules`, so that it is removed with them.
struct Stamp(PathBuf);

impl Stamp {
    fn of(folder: &Path, name: &str) -> Self {
        Self(folder.join("node_modules").join(format!(".playon-{name}")))
    }

    fn holds(&self, digest: u64) -> bool {
        fs::read_to_string(&self.0).is_ok_and(|text| text.trim() == digest.to_string())
    }

    fn put(&self, digest: u64) -> Result<()> {
        fs::write(&self.0, format!("{digest}\n"))
            .with_context(|| format!("cannot write {}", self.0.display()))
    }
}

/// Everything that goes into a build.
fn sources(folder: &Path, not_shipped: &[&str]) -> Result<Vec<PathBuf>> {
    files::list(folder, |entry| {
        let is = |names: &[&str]| names.iter().any(|name| entry.file_name() == *name);
        !(is(&PRODUCTS) || entry.depth() == 1 && is(not_shipped))
    })
}

/// A digest of the files' content: a change of branches and back changes times, not sources.
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
        for folder in ["src/features", "dist", ".rules", "node_modules/x", "e2e"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("a.ts"), "1").unwrap();
        }
        let found = sources(&root, &["e2e"]).unwrap();
        assert_eq!(found, [PathBuf::from("src/features/a.ts")]);
        let before = digest(&root, &found).unwrap();
        fs::write(root.join(&found[0]), "2").unwrap();
        assert_ne!(digest(&root, &found).unwrap(), before);
        fs::write(root.join(&found[0]), "1").unwrap();
        assert_eq!(digest(&root, &found).unwrap(), before);
        fs::remove_dir_all(&root).unwrap();
    }
}
