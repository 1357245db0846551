//! `sqlx`: writes the description of every query to `svc-*/.sqlx`, so that builds
//! need no database.
//!
//! sqlx's macros do it themselves: with a database and `SQLX_OFFLINE_DIR` set they
//! write what they look up (sqlx-macros-core 0.9, `expand_with_data`). This module
//! adds a temporary server and the comparison. Why not sqlx-cli:
//! docs/decisions/0015-query-data-without-sqlx-cli.md.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::checkout::Checkout;
use crate::command::{cargo, run};
use crate::files::{self, Contents};
use crate::instance::Instance;
use crate::mesh::Mesh;
use crate::stores::{Stores, database_variable};
use crate::terminal::Step;

/// Prepares the query data of the named services, of all when none is named. With
/// `check`, writes nothing and fails where the committed data differs.
pub(crate) fn prepare_queries(checkout: &Checkout, names: &[String], check: bool) -> Result<()> {
    let all = services_with_sql(checkout)?;
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        bail!("no service {unknown} with a sqlx.toml");
    }
    let instance = Instance::sqlx(checkout)?;
    let lock = instance.lock()?;
    let mut mesh = Mesh::of(&instance);
    let outcome = Stores::start(&instance, &mut mesh, false)
        .and_then(|stores| prepare(checkout, &instance, &stores, &all, names, check));
    mesh.stop(&lock)?;
    outcome
}

fn prepare(
    checkout: &Checkout,
    instance: &Instance,
    stores: &Stores,
    all: &[String],
    names: &[String],
    check: bool,
) -> Result<()> {
    let step = Step::begin("databases from migrations");
    step.end(all.iter().try_for_each(|name| migrate(checkout, stores, name)))?;
    // cargo compiles what has changed, and only what is compiled is looked up.
    let mut cargo_check = cargo(checkout);
    cargo_check.args(["check", "--all-targets", "--quiet"]);
    match names {
        [] => cargo_check.arg("--workspace"),
        names => cargo_check.args(names.iter().flat_map(|name| ["-p".into(), package(name)])),
    };
    let work = instance.dir.join("queries");
    cargo_check.env("SQLX_OFFLINE", "false").env("SQLX_OFFLINE_DIR", &work);
    for name in all {
        cargo_check.env(database_variable(name), stores.superuser_url_of(name));
    }
    // A first build takes up all other changes; the next ones compile one service each.
    make_empty(&work)?;
    run(&mut cargo_check)?;
    let mut stale = String::new();
    for name in all.iter().filter(|name| names.is_empty() || names.contains(name)) {
        let service = checkout.root.join(package(name));
        touch(&service.join("src/lib.rs"))?;
        make_empty(&work)?;
        run(&mut cargo_check)?;
        let (folder, fresh) = (service.join(".sqlx"), files::read_all(&work)?);
        let changes = files::changes(&files::read_all(&folder)?, &fresh);
        if !check {
            write(&folder, &fresh)?;
            outln!("  {}: {} queries, {} changed", package(name), fresh.len(), changes.len());
        } else if !changes.is_empty() {
            write!(stale, "\n  {}/.sqlx:{}", package(name), changes.concat())?;
        }
    }
    if !stale.is_empty() {
        bail!("the offline query data is stale; `cargo xtask sqlx` would change{stale}");
    }
    Ok(())
}

/// The short names of the services that have a `sqlx.toml`.
fn services_with_sql(checkout: &Checkout) -> Result<Vec<String>> {
    let folders = checkout.services()?.into_iter();
    let with_sql = folders.filter(|folder| folder.join("sqlx.toml").is_file());
    let names = with_sql
        .filter_map(|folder| Some(folder.file_name()?.to_str()?.strip_prefix("svc-")?.to_owned()));
    Ok(names.collect())
}

fn package(name: &str) -> String {
    format!("svc-{name}")
}

/// Makes an empty database and applies the service's migrations in the order of
/// their names, as sqlx does.
fn migrate(checkout: &Checkout, stores: &Stores, name: &str) -> Result<()> {
    let mut sql = format!(
        "DROP DATABASE IF EXISTS {name} WITH (FORCE);\nCREATE DATABASE {name};\n\\connect {name}\n"
    );
    for (file, bytes) in files::read_all(&checkout.root.join(package(name)).join("migrations"))? {
        let shown = file.to_string_lossy();
        if !shown.ends_with(".sql") || shown.ends_with(".down.sql") {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes);
        // As in sqlx: one transaction each, unless the file begins with this comment.
        let alone = text.starts_with("-- no-transaction");
        let (begin, commit) = if alone { ("", "") } else { ("BEGIN;\n", "\nCOMMIT;\n") };
        write!(sql, "{begin}{text}{commit}")?;
    }
    stores.run_sql(&sql).with_context(|| format!("the migrations of {}", package(name)))
}

fn make_empty(folder: &Path) -> Result<()> {
    files::remove(folder)?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Changes the file's time, so that cargo compiles it again.
fn touch(file: &Path) -> Result<()> {
    fs::write(file, files::read(file)?).with_context(|| format!("cannot write {}", file.display()))
}

/// Replaces the committed data; a service without queries has no folder.
fn write(folder: &Path, fresh: &Contents) -> Result<()> {
    files::remove(folder)?;
    for (file, bytes) in fresh {
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(folder.join(file), bytes))
            .with_context(|| format!("cannot write {}", folder.display()))?;
    }
    Ok(())
}
