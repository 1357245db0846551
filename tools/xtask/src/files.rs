//! Files and folders: listed, compared, replaced and removed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use walkdir::{DirEntry, WalkDir};

/// Files below a folder by their path from there.
pub(crate) type Contents = BTreeMap<PathBuf, Vec<u8>>;

/// All files below a folder, relative to it and sorted. Files that `accept` refuses are left out,
/// and so are refused folders with all their files.
pub(crate) fn list(root: &Path, accept: impl FnMut(&DirEntry) -> bool) -> Result<Vec<PathBuf>> {
    let walk = WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter();
    let mut files = Vec::new();
    for entry in walk.filter_entry(accept) {
        let entry = entry?;
        if !entry.file_type().is_dir() {
            files.push(entry.path().strip_prefix(root)?.to_path_buf());
        }
    }
    Ok(files)
}

/// All files below a folder; a missing folder is empty.
pub(crate) fn read_all(root: &Path) -> Result<Contents> {
    let files = if root.is_dir() { list(root, |_| true)? } else { Vec::new() };
    files.into_iter().map(|file| Ok((file.clone(), read(&root.join(&file))?))).collect()
}

pub(crate) fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// One indented line for each file that differs.
pub(crate) fn changes(before: &Contents, after: &Contents) -> Vec<String> {
    let added = after.keys().filter(|file| !before.contains_key(*file));
    let changed = before.iter().filter_map(|(file, bytes)| match after.get(file) {
        None => Some((file, "removed")),
        Some(now) => (now != bytes).then_some((file, "changed")),
    });
    let all = added.map(|file| (file, "added")).chain(changed);
    all.map(|(file, change)| format!("\n    {} ({change})", file.display())).collect()
}

/// Writes a file by a rename, so that it is never seen half written.
pub(crate) fn replace(path: &Path, mode: u32, text: &str) -> Result<()> {
    let draft = path.with_extension("draft");
    fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(mode)
        .open(&draft)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .and_then(|()| fs::rename(&draft, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Removes a folder or file that may be missing.
pub(crate) fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(fault) if fault.kind() != ErrorKind::NotFound => {
            Err(fault).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_every_kind_of_change() {
        let contents = |files: &[(&str, &str)]| -> Contents {
            files.iter().map(|(file, text)| (file.into(), text.as_bytes().to_vec())).collect()
        };
        let before = contents(&[("same", "1"), ("gone", "1"), ("edited", "1")]);
        let after = contents(&[("same", "1"), ("edited", "2"), ("new", "1")]);
        let expected = ["\n    new (added)", "\n    edited (changed)", "\n    gone (removed)"];
        assert_eq!(changes(&before, &after), expected);
        assert!(changes(&before, &before).is_empty());
    }
}
