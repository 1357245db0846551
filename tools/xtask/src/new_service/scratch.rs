//! A copy of the checkout, to generate a service in.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context as _, Result, ensure};

use crate::checkout::Checkout;

/// Not copied: no Rust code needs it.
const LEFT_OUT: &str = "frontend/";

/// The copy. It is kept, so that the next one finds what was built.
pub(super) struct Scratch {
    pub(super) checkout: Checkout,
    /// The files of the previous copy.
    before: BTreeMap<PathBuf, (Vec<u8>, SystemTime)>,
}

impl Scratch {
    /// Copies what git tracks or could track to `target/stamped`. The copy is built into
    /// the checkout's target folder, so that other crates are not compiled again.
    pub(super) fn copy(checkout: &Checkout) -> Result<Self> {
        let root = checkout.target.join("stamped");
        let mut before = BTreeMap::new();
        if root.is_dir() {
            read_all(&root, &mut before)?;
            fs::remove_dir_all(&root).context("cannot remove the previous copy")?;
        }
        for file in tracked(checkout)? {
            let (from, to) = (checkout.root.join(&file), root.join(&file));
            let folder = to.parent().context("a file is in a folder")?;
            fs::create_dir_all(folder)
                .and_then(|()| fs::copy(&from, &to))
                .with_context(|| format!("cannot copy {}", file.display()))?;
        }
        let root_manifest = root.join("Cargo.toml");
        let text = fs::read_to_string(&root_manifest).context("cannot read Cargo.toml")?;
        fs::write(&root_manifest, with_own_version(&text)?).context("cannot write Cargo.toml")?;
        let target = format!("\n[build]\ntarget-dir = \"{}\"\n", checkout.target.display());
        let config = root.join(".cargo/config.toml");
        let text = fs::read_to_string(&config).context("cannot read .cargo/config.toml")?;
        fs::write(&config, text + &target).context("cannot write .cargo/config.toml")?;
        Ok(Self { checkout: Checkout { root, target: checkout.target.clone() }, before })
    }

    /// Restores the modification time of files whose contents did not change since the
    /// previous copy, because cargo compares times.
    pub(super) fn restore_times(&self) -> Result<()> {
        for (path, (contents, modified)) in &self.before {
            if fs::read(path).is_ok_and(|now| now == *contents) {
                File::options()
                    .write(true)
                    .open(path)
                    .and_then(|file| file.set_modified(*modified))
                    .with_context(|| format!("cannot set the time of {}", path.display()))?;
            }
        }
        Ok(())
    }
}

/// Gives the workspace's packages another version. Cargo distinguishes packages by name,
/// version and path in the workspace, so with the same version the checkout's next build
/// would reuse what was built from the copy.
fn with_own_version(manifest: &str) -> Result<String> {
    let (before, package) =
        manifest.split_once("[workspace.package]").context("no [workspace.package]")?;
    let (key, rest) = package.split_once("version = \"").context("no version of the workspace")?;
    let (_, rest) = rest.split_once('"').context("no end of the version")?;
    Ok(format!("{before}[workspace.package]{key}version = \"0.0.0-sample\"{rest}"))
}

/// The files that git tracks, and those that it does not ignore.
fn tracked(checkout: &Checkout) -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = git.current_dir(&checkout.root).output().context("cannot run git")?;
    ensure!(listed.status.success(), "git cannot list the files of the checkout");
    let names = String::from_utf8(listed.stdout).context("a file's name is not UTF-8")?;
    let names = names.split('\0').filter(|name| !name.is_empty() && !name.starts_with(LEFT_OUT));
    // A file that was deleted is listed until the deletion is staged.
    Ok(names.map(PathBuf::from).filter(|file| checkout.root.join(file).is_file()).collect())
}

fn read_all(folder: &Path, files: &mut BTreeMap<PathBuf, (Vec<u8>, SystemTime)>) -> Result<()> {
    for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            read_all(&path, files)?;
        } else {
            let modified = path.metadata().and_then(|metadata| metadata.modified());
            let file = fs::read(&path).and_then(|contents| Ok((contents, modified?)));
            let file = file.with_context(|| format!("cannot read {}", path.display()))?;
            files.insert(path, file);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::with_own_version;

    #[test]
    fn only_the_workspaces_version_changes() {
        let manifest = |version: &str| {
            format!(
                "[workspace.package]\nedition = \"2024\"\nversion = \"{version}\"\n\n\
                 [workspace.dependencies]\nhttp = {{ version = \"1\" }}\n"
            )
        };
        assert_eq!(with_own_version(&manifest("0.1.0")).unwrap(), manifest("0.0.0-sample"));
    }
}
