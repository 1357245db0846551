//! The architecture check: what each layer may import, import cycles, which files have SQL, and how
//! long a file is.

mod cycles;
mod layers;
mod source;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::checkout::Checkout;
use crate::files;

use cycles::Crate;
use source::{Fault, Source};

/// The limit of a file's length.
const MOST_LINES: usize = 600;
/// Extensions of source files.
const SOURCES: [&str; 6] = ["rs", "ts", "tsx", "css", "mjs", "sql"];
/// Folders that hold build products, generated code or no code.
const SKIPPED: [&str; 6] = ["target", "node_modules", "dist", "dev-dist", "gen", "artifacts"];
/// The folder of a service's schema, which is one file however long.
const MIGRATIONS: &str = "migrations";
/// File names that say nothing, so that anything could be added to them.
const EMPTY_NAMES: [&str; 7] = ["common", "util", "utils", "helper", "helpers", "manager", "misc"];
/// Crates whose modules must not import each other in a cycle, by the beginning of their folder.
const WITHOUT_CYCLES: [&str; 4] = ["svc-", "gateway", "crates/mesh", "tools/"];

/// Checks the whole checkout and prints every fault with its place.
pub(crate) fn check(checkout: &Checkout) -> Result<()> {
    let files = sources(&checkout.root)?;
    let mut faults = Vec::new();
    let mut crates = std::collections::BTreeMap::<String, Crate>::new();
    for path in &files {
        let text = fs::read_to_string(checkout.root.join(path))
            .with_context(|| format!("cannot read {}", path.display()))?;
        let source = is_rust(path).then(|| Source::parse(&text)).transpose();
        let source = source.with_context(|| format!("cannot parse {}", path.display()))?;
        for (line, fault) in file_faults(path, &text, source.as_ref()) {
            faults.push(format!("{}:{line}: {fault}", path.display()));
        }
        if let (Some((package, file)), Some(source)) = (module_file(path), source) {
            let module = layers::module_of(&file);
            crates.entry(package).or_default().add(module, file, source);
        }
    }
    for (package, files) in &crates {
        faults.extend(cycle_faults(package, files));
    }
    faults.extend(service_dependencies(checkout)?);
    for fault in &faults {
        eprintln!("{fault}");
    }
    if !faults.is_empty() {
        bail!("{} against the architecture (rules: docs/ARCHITECTURE.md)", faults.len());
    }
    outln!("{} files follow the architecture", files.len());
    Ok(())
}

/// The faults of one file by the rules of its part of the tree.
fn file_faults(path: &Path, text: &str, source: Option<&Source>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let lines = text.lines().count();
    let is_schema = path.parent().is_some_and(|folder| folder.ends_with(MIGRATIONS));
    if lines > MOST_LINES && !is_schema {
        faults.push((lines, format!("{lines} lines; the limit is {MOST_LINES}, aim at 300")));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if EMPTY_NAMES.contains(&stem.as_ref()) {
        faults.push((1, format!("`{stem}` says nothing: name the file by what it does")));
    }
    let shown = path.to_string_lossy();
    faults.extend(match (shown.split_once("/src/"), source) {
        (Some((package, inner)), Some(source)) if package.starts_with("svc-") => {
            layers::service_file(inner, source)
        }
        (Some(("gateway", _)), Some(source)) => {
            layers::without(&["sqlx"], "the gateway has no database", source)
        }
        (Some(("crates/types", _)), Some(source)) => {
            let crates = ["tokio", "sqlx", "tonic", "axum", "reqwest", "redis", "proto", "mesh"];
            layers::without(&crates, "crates/types is pure, no I/O", source)
        }
        _ => Vec::new(),
    });
    faults
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// The crate of a file that is checked for cycles, and its path below src.
fn module_file(path: &Path) -> Option<(String, String)> {
    let (package, file) = path.to_str()?.split_once("/src/")?;
    let checked = WITHOUT_CYCLES.iter().any(|start| package.starts_with(start));
    (checked && !file.starts_with("bin/")).then(|| (package.to_owned(), file.to_owned()))
}

fn cycle_faults(package: &str, files: &Crate) -> Vec<String> {
    let cycles = files.cycles().into_iter().map(|cycle| {
        format!(
            "{package}/src: import cycle: {}. Move what both sides need to a module that imports neither",
            cycle.join(", ")
        )
    });
    cycles.collect()
}

/// Refuses a dependency of one service on another: services call each other and share no code.
fn service_dependencies(checkout: &Checkout) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for service in checkout.services()? {
        let manifest = service.join("Cargo.toml");
        for (number, line) in fs::read_to_string(&manifest)?.lines().enumerate() {
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

/// All source files, relative to the root.
fn sources(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = files::list(root, |entry| {
        let name = entry.file_name().to_string_lossy();
        !entry.file_type().is_dir() || !(name.starts_with('.') || SKIPPED.contains(&name.as_ref()))
    })?;
    found.retain(|path| {
        path.extension().is_some_and(|found| SOURCES.iter().any(|source| found == *source))
    });
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, text: &str) -> Vec<Fault> {
        let path = Path::new(path);
        let source = is_rust(path).then(|| Source::parse(text).unwrap());
        file_faults(path, text, source.as_ref())
    }

    #[test]
    fn refuses_a_file_over_the_limit() {
        let long = "\n".repeat(MOST_LINES + 1);
        assert_eq!(faults("frontend/src/app/router.tsx", &long).len(), 1);
        assert_eq!(faults("frontend/src/app/router.tsx", &long[1..]), []);
        assert_eq!(faults("svc-auth/migrations/0001_schema.sql", &long), []);
    }

    #[test]
    fn refuses_empty_names() {
        assert_eq!(faults("crates/mesh/src/utils.rs", "").len(), 1);
    }

    #[test]
    fn each_part_of_the_tree_has_its_rules() {
        let text = "use sqlx::PgPool;\n";
        assert_eq!(faults("svc-wallet/src/domain/hold.rs", text).len(), 1);
        assert_eq!(faults("svc-wallet/src/store/holds.rs", text), []);
        assert_eq!(faults("svc-wallet/tests/it/top_up.rs", text), []);
        assert_eq!(faults("gateway/src/http/wallet.rs", text).len(), 1);
        assert_eq!(faults("crates/types/src/money.rs", text).len(), 1);
        assert_eq!(faults("crates/mesh/src/db.rs", text), []);
    }
}
