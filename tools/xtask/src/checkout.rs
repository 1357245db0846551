//! Paths of the checkout: its root, its target directory and the built programs.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// The checkout this program was started for.
#[derive(Clone, Debug)]
pub(crate) struct Checkout {
    /// The folder of the workspace's Cargo.toml.
    pub(crate) root: PathBuf,
    /// Cargo's target directory.
    pub(crate) target: PathBuf,
}

impl Checkout {
    /// Finds both paths from the environment of `cargo run`, so that two checkouts that share a
    /// target directory are not mixed up.
    pub(crate) fn find() -> Result<Self> {
        let manifest = std::env::var("CARGO_MANIFEST_DIR")
            .unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Path::new(&manifest)
            .ancestors()
            .nth(2)
            .context("xtask is not in tools/xtask")?
            .to_path_buf();
        if !root.join("Cargo.toml").is_file() {
            bail!("{} is not a checkout; run this as `cargo xtask`", root.display());
        }
        // <target>/<profile>/xtask
        let own = std::env::current_exe().context("cannot find this program's own path")?;
        let target = own.ancestors().nth(2).map_or_else(|| root.join("target"), Path::to_path_buf);
        Ok(Self { root, target })
    }

    /// The PWA's folder.
    pub(crate) fn frontend(&self) -> PathBuf {
        self.root.join("frontend")
    }

    /// The folder of the games.
    pub(crate) fn games(&self) -> PathBuf {
        self.root.join("games")
    }

    /// The folder of the programs that cargo built with the profile.
    pub(crate) fn programs(&self, profile: Profile) -> PathBuf {
        self.target.join(match profile {
            Profile::Release => "release",
            Profile::Dev => "debug",
        })
    }

    /// A path relative to the root, for messages.
    pub(crate) fn shown<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }

    /// The services' folders (`svc-*`), sorted.
    pub(crate) fn services(&self) -> Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for entry in self.root.read_dir().context("cannot list the checkout")? {
            let path = entry?.path();
            let named = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("svc-"));
            if named && path.join("Cargo.toml").is_file() {
                found.push(path);
            }
        }
        found.sort();
        Ok(found)
    }
}

/// How the services are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Optimised as in production; `bench`, `images` and `up --release` build it.
    Release,
    /// Compiled in minutes; `up` starts it and the tests use it.
    Dev,
}
