//! `sqlx`: describes every query against a real database and keeps the
//! descriptions in `svc-*/.sqlx`, so that builds need no database.
//!
//! The macros do the work: with a live database and `SQLX_OFFLINE_DIR` set they
//! write what they learn (sqlx-macros-core 0.9, `expand_with_data`). All this
//! program adds is a throw-away server and the comparison, so nobody has to
//! install sqlx-cli.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::builds::{cargo, run};
use crate::checkout::Checkout;
use crate::instance::{Instance, remove};
use crate::mesh::Mesh;
use crate::stores::{Stores, database_variable};
use crate::terminal::Step;

/// Descriptions by file name.
type Queries = BTreeMap<String, Vec<u8>>;

/// A service that has SQL.
struct Service {
    /// `wallet`
    name: String,
    /// `…/svc-wallet`
    folder: PathBuf,
}

/// Describes the queries of the named services, of all when none is named.
/// With `check`, fails where the committed descriptions differ.
pub(crate) fn describe(checkout: &Checkout, names: &[String], check: bool) -> Result<()> {
    let all = services(checkout)?;
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|s| s.name != **name)) {
        bail!("no service {unknown} with a sqlx.toml");
    }
    let instance = Instance::scratch(checkout)?;
    let lock = instance.lock()?;
    let mut mesh = Mesh::of(&instance);
    let outcome = Stores::start(&instance, &mut mesh, false)
        .and_then(|stores| describe_with(checkout, &instance, &stores, &all, names, check));
    mesh.drain(&lock)?;
    outcome
}

fn describe_with(
    checkout: &Checkout,
    instance: &Instance,
    stores: &Stores,
    all: &[Service],
    names: &[String],
    check: bool,
) -> Result<()> {
    let step = Step::begin("databases from migrations");
    for service in all {
        migrate(stores, service)?;
    }
    step.done();
    let work = instance.dir.join("queries");
    // All services in one build, first: whatever else has changed is compiled
    // now and does not write into the folder of the service that is asked next.
    if names.is_empty() {
        ask(checkout, stores, all, None, &work)?;
    }
    let mut stale = Vec::new();
    for service in all.iter().filter(|s| names.is_empty() || names.contains(&s.name)) {
        touch(&service.folder.join("src/lib.rs"))?;
        let package = (!names.is_empty()).then_some(service);
        let fresh = ask(checkout, stores, all, package, &work)?;
        let kept = service.folder.join(".sqlx");
        let differ = differences(&read(&kept)?, &fresh);
        if check {
            stale.extend(differ.iter().map(|d| format!("\n    svc-{}/.sqlx/{d}", service.name)));
        } else {
            keep(&kept, &fresh)?;
            let (count, changed) = (fresh.len(), differ.len());
            say!("  svc-{}: {count} queries, {changed} changed", service.name);
        }
    }
    if !stale.is_empty() {
        bail!("the offline query data is stale; run `cargo xtask sqlx`:{}", stale.concat());
    }
    Ok(())
}

fn services(checkout: &Checkout) -> Result<Vec<Service>> {
    let folders = checkout.services()?.into_iter();
    let with_sql = folders.filter(|folder| folder.join("sqlx.toml").is_file());
    Ok(with_sql
        .filter_map(|folder| {
            let name = folder.file_name()?.to_str()?.strip_prefix("svc-")?.to_owned();
            Some(Service { name, folder })
        })
        .collect())
}

/// An empty database with the service's migrations applied, in the order of
/// their names as sqlx does it.
fn migrate(stores: &Stores, service: &Service) -> Result<()> {
    let name = &service.name;
    let anew = format!(
        "DROP DATABASE IF EXISTS {name} WITH (FORCE);\nCREATE DATABASE {name};\n\\connect {name}\n"
    );
    let mut sql = anew;
    for file in migrations(&service.folder.join("migrations"))? {
        let text = fs::read_to_string(&file)?;
        // As sqlx does: one transaction each, unless the file says otherwise.
        let bare = text.starts_with("-- no-transaction");
        let (begin, commit) = if bare { ("", "") } else { ("BEGIN;\n", "\nCOMMIT;\n") };
        write!(sql, "{begin}{text}{commit}")?;
    }
    stores.run_sql(&sql).with_context(|| format!("the migrations of svc-{name}"))
}

fn migrations(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.to_string_lossy();
        if name.ends_with(".sql") && !name.ends_with(".down.sql") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Compiles with a live database and returns the queries that were described.
/// Only what is compiled anew is described; the rest is up to date for cargo.
fn ask(
    checkout: &Checkout,
    stores: &Stores,
    all: &[Service],
    only: Option<&Service>,
    work: &Path,
) -> Result<Queries> {
    remove(work)?;
    fs::create_dir_all(work)?;
    let mut command = cargo(checkout);
    command.args(["check", "--all-targets", "--quiet"]);
    match only {
        Some(service) => command.args(["-p", &format!("svc-{}", service.name)]),
        None => command.arg("--workspace"),
    };
    command.env("SQLX_OFFLINE", "false").env("SQLX_OFFLINE_DIR", work);
    for service in all {
        command.env(database_variable(&service.name), stores.superuser_url_of(&service.name));
    }
    run(&mut command)?;
    read(work)
}

/// Makes cargo take the file for edited.
fn touch(file: &Path) -> Result<()> {
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn read(folder: &Path) -> Result<Queries> {
    let mut found = Queries::new();
    let Ok(entries) = folder.read_dir() else {
        return Ok(found);
    };
    for entry in entries {
        let entry = entry?;
        found.insert(entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?);
    }
    Ok(found)
}

fn keep(folder: &Path, fresh: &Queries) -> Result<()> {
    remove(folder)?;
    if fresh.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    for (name, bytes) in fresh {
        fs::write(folder.join(name), bytes)
            .with_context(|| format!("cannot write {}", folder.display()))?;
    }
    Ok(())
}

fn differences(kept: &Queries, fresh: &Queries) -> Vec<String> {
    let missing = fresh.keys().filter(|name| !kept.contains_key(*name));
    let missing = missing.map(|name| format!("{name} is missing"));
    let stale = kept.iter().filter_map(|(name, bytes)| match fresh.get(name) {
        None => Some(format!("{name} belongs to no query")),
        Some(now) if now != bytes => Some(format!("{name} describes another schema")),
        Some(_) => None,
    });
    missing.chain(stale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_being_stale_is_told() {
        let queries = |pairs: &[(&str, &str)]| -> Queries {
            pairs
                .iter()
                .map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()))
                .collect()
        };
        let kept = queries(&[("a", "1"), ("b", "1"), ("c", "1")]);
        let fresh = queries(&[("a", "1"), ("b", "2"), ("d", "1")]);
        let told = differences(&kept, &fresh);
        assert_eq!(told, ["d is missing", "b describes another schema", "c belongs to no query"]);
        assert!(differences(&kept, &kept).is_empty());
    }
}
