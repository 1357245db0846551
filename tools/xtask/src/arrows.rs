//! The architecture check: arrows, SQL's place, the size of rooms and their names.

mod rules;
mod source;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::checkout::Checkout;

/// The wall of a file's length.
const MOST_LINES: usize = 600;
/// What counts as a file of code.
const CODE: [&str; 6] = ["rs", "ts", "tsx", "css", "mjs", "sql"];
/// Folders that hold products, generated code or no code.
const SKIPPED: [&str; 7] =
    ["target", "node_modules", "dist", "dev-dist", "gen", "artifacts", "templates"];
/// Names that say nothing, so everything ends up in them.
const EMPTY_NAMES: [&str; 7] = ["common", "util", "utils", "helper", "helpers", "manager", "misc"];

/// Checks the whole checkout and tells every fault with its place.
pub(crate) fn check(checkout: &Checkout) -> Result<()> {
    let mut faults = Vec::new();
    let files = files(&checkout.root)?;
    for file in &files {
        let path = file.strip_prefix(&checkout.root).unwrap_or(file);
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", path.display()))?;
        for (line, fault) in judge(path, &text) {
            faults.push(format!("{}:{line}: {fault}", path.display()));
        }
    }
    faults.extend(entangled(checkout)?);
    for fault in &faults {
        eprintln!("{fault}");
    }
    if !faults.is_empty() {
        bail!(
            "{} against the architecture (house rules: docs/ARCHITECTURE.md)",
            count(faults.len(), "fault")
        );
    }
    say!("{} follow the architecture", count(files.len(), "file"));
    Ok(())
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// All faults of one file.
fn judge(path: &Path, text: &str) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let lines = text.lines().count();
    if lines > MOST_LINES {
        faults.push((lines, format!("{lines} lines; {MOST_LINES} is the wall, 300 the habit")));
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if EMPTY_NAMES.contains(&stem.as_str()) {
        faults.push((1, format!("`{stem}` says nothing: name the file by what it does")));
    }
    if path.extension().is_none_or(|extension| extension != "rs") {
        return faults;
    }
    let shown = path.to_string_lossy();
    match shown.split_once("/src/") {
        Some((owner, inner)) if owner.starts_with("svc-") => {
            faults.extend(rules::service_file(inner, text));
        }
        Some(("gateway", _)) => {
            faults.extend(rules::without(&["sqlx"], "the gateway has no database", text));
        }
        Some(("crates/types", _)) => {
            let crates = ["tokio", "sqlx", "tonic", "axum", "reqwest", "redis", "proto", "mesh"];
            faults.extend(rules::without(&crates, "crates/types is pure, no I/O", text));
        }
        _ => {}
    }
    faults
}

/// Services that depend on each other's code instead of calling each other.
fn entangled(checkout: &Checkout) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for service in checkout.services()? {
        let manifest = service.join("Cargo.toml");
        let text = fs::read_to_string(&manifest)?;
        for (number, line) in text.lines().enumerate() {
            if line.starts_with("svc-") || line.starts_with("gateway") {
                let place = checkout.shown(&manifest);
                faults.push(format!(
                    "{place}:{}: services share no code, they call each other",
                    number + 1
                ));
            }
        }
    }
    Ok(faults)
}

/// Every file of code below a folder.
fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in
            folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))?
        {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                if !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|e| CODE.iter().any(|code| e == *code)) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_past_the_wall_is_told() {
        let long = "\n".repeat(MOST_LINES + 1);
        assert_eq!(judge(Path::new("frontend/src/app/router.tsx"), &long).len(), 1);
        assert_eq!(judge(Path::new("frontend/src/app/router.tsx"), &long[1..]), []);
    }

    #[test]
    fn empty_names_are_refused() {
        assert_eq!(judge(Path::new("crates/mesh/src/utils.rs"), "").len(), 1);
    }

    #[test]
    fn each_part_of_the_tree_has_its_rules() {
        let text = "use sqlx::PgPool;\n";
        assert_eq!(judge(Path::new("svc-wallet/src/domain/hold.rs"), text).len(), 1);
        assert_eq!(judge(Path::new("svc-wallet/src/store/holds.rs"), text), []);
        assert_eq!(judge(Path::new("svc-wallet/tests/it/top_up.rs"), text), []);
        assert_eq!(judge(Path::new("gateway/src/http/wallet.rs"), text).len(), 1);
        assert_eq!(judge(Path::new("crates/types/src/money.rs"), text).len(), 1);
        assert_eq!(judge(Path::new("crates/mesh/src/db.rs"), text), []);
    }
}
