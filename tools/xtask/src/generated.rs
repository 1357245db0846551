//! Generated code is committed; here it is written and compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::builds::{self, cargo, npm, run};
use crate::checkout::Checkout;

/// Where generated code is committed.
const FOLDERS: [&str; 2] = ["proto/src/gen", "frontend/src/gen"];

/// `proto`: the contract is judged and both languages are written from it.
pub(crate) fn write(checkout: &Checkout) -> Result<()> {
    builds::packages(checkout)?;
    run(npm(checkout).args(["run", "proto:lint"]))?;
    // With --workspace, so that the dependencies are the tests' own build.
    run(cargo(checkout).args(["test", "--workspace", "--test", "generated"]).env("BLESS", "1"))?;
    run(npm(checkout).args(["run", "proto"]))
}

/// Regenerates and fails when that changed anything. What it wrote stays: it
/// is what should have been committed.
pub(crate) fn check(checkout: &Checkout) -> Result<()> {
    let before = snapshot(checkout)?;
    write(checkout)?;
    let changed = changes(&before, &snapshot(checkout)?);
    if !changed.is_empty() {
        let list = changed.iter().map(|path| format!("\n    {}", path.display()));
        bail!(
            "generated code was not what the contract says; it is now, commit it:{}",
            list.collect::<String>()
        );
    }
    Ok(())
}

type Snapshot = BTreeMap<PathBuf, Vec<u8>>;

fn snapshot(checkout: &Checkout) -> Result<Snapshot> {
    let mut files = Snapshot::new();
    for folder in FOLDERS {
        collect(&checkout.root, Path::new(folder), &mut files)?;
    }
    Ok(files)
}

fn collect(root: &Path, folder: &Path, files: &mut Snapshot) -> Result<()> {
    let Ok(entries) = root.join(folder).read_dir() else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(root, &path, files)?;
        } else {
            let bytes = fs::read(entry.path())
                .with_context(|| format!("cannot read {}", path.display()))?;
            files.insert(path, bytes);
        }
    }
    Ok(())
}

/// Files that are new, gone or different.
fn changes(before: &Snapshot, after: &Snapshot) -> Vec<PathBuf> {
    let all = before.keys().chain(after.keys().filter(|path| !before.contains_key(*path)));
    all.filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change_is_seen() {
        let files = |pairs: &[(&str, &str)]| {
            pairs
                .iter()
                .map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec()))
                .collect()
        };
        let before: Snapshot = files(&[("same", "1"), ("gone", "1"), ("edited", "1")]);
        let after: Snapshot = files(&[("same", "1"), ("edited", "2"), ("new", "1")]);
        let changed = changes(&before, &after);
        assert_eq!(changed, ["edited", "gone", "new"].map(PathBuf::from));
        assert!(changes(&before, &before).is_empty());
    }
}
