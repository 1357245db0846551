//! `sqlx`: writes the description of every query to `.sqlx`, so that builds need no
//! database.
//!
//! sqlx's macros do it themselves: with a database and `SQLX_OFFLINE_DIR` set they
//! write what they look up (sqlx-macros-core 0.9, `expand_with_data`). This module
//! adds a temporary server and the comparison. Why not sqlx-cli:
//! docs/decisions/0015-query-data-without-sqlx-cli.md.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::checkout::Checkout;
use crate::command::{cargo, run};
use crate::files::{self, Contents};
use crate::instance::Instance;
use crate::mesh::Mesh;
use crate::stores::{Stores, database_variable};
use crate::terminal::Step;

/// The folder in which the data of all queries is committed.
const FOLDER: &str = ".sqlx";

/// Replaces the committed data with the data that databases of the migrations give.
pub(crate) fn write_queries(checkout: &Checkout) -> Result<()> {
    let mut check = cargo(checkout);
    check.args(["check", "--workspace", "--all-targets", "--quiet"]);
    let fresh = look_up(checkout, &mut check)?;
    let folder = checkout.root.join(FOLDER);
    let changes = files::changes(&files::read_all(&folder)?, &fresh);
    write(&folder, &fresh)?;
    outln!("  {} queries, {} changed", fresh.len(), changes.len());
    Ok(())
}

/// Runs a command of cargo that compiles everything, clippy say, and fails where the data that it
/// looks up differs from the committed data.
pub(crate) fn compare_queries(checkout: &Checkout, compile: &mut Command) -> Result<()> {
    let fresh = look_up(checkout, compile)?;
    let changes = files::changes(&files::read_all(&checkout.root.join(FOLDER))?, &fresh);
    if !changes.is_empty() {
        let changes = changes.concat();
        bail!("the query data is stale; `cargo xtask sqlx` would change in {FOLDER}:{changes}");
    }
    Ok(())
}

/// Runs the command with databases for sqlx's macros, and returns what they wrote.
fn look_up(checkout: &Checkout, compile: &mut Command) -> Result<Contents> {
    let instance = Instance::sqlx(checkout)?;
    let lock = instance.lock()?;
    let mut mesh = Mesh::of(&instance);
    let outcome = Stores::start(&instance, &mut mesh, false).and_then(|stores| {
        let services = services_with_sql(checkout)?;
        let step = Step::begin("databases from migrations");
        step.end(services.iter().try_for_each(|name| migrate(checkout, &stores, name)))?;
        let work = instance.dir.join("queries");
        make_empty(&work)?;
        compile.env("SQLX_OFFLINE", "false").env("SQLX_OFFLINE_DIR", &work);
        for name in &services {
            compile.env(database_variable(name), stores.superuser_url_of(name));
        }
        // Only code that is compiled is looked up, and cargo compiles what has changed.
        let sources = services.iter().map(|name| package(name) + "/src/lib.rs");
        run(Command::new("touch").current_dir(&checkout.root).args(sources))?;
        run(compile)?;
        files::read_all(&work)
    });
    mesh.stop(&lock)?;
    outcome
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
        // As in sqlx, each migration is one transaction, unless the file begins with this comment.
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

/// Replaces the committed data.
fn write(folder: &Path, fresh: &Contents) -> Result<()> {
    files::remove(folder)?;
    for (file, bytes) in fresh {
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(folder.join(file), bytes))
            .with_context(|| format!("cannot write {}", folder.display()))?;
    }
    Ok(())
}
