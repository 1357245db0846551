//! The yardstick of transfers: pgbench on the same PostgreSQL server, with the least that a
//! transfer consists of: one journal, two postings, two balances and one commit. It has
//! as many wallets as the mesh has players, so that both wait equally for row locks.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use sqlx::{Connection as _, PgConnection};
use tokio::process::Command;

use crate::{
    address::LocalDatabase,
    config::Plan,
    cpu::CpuMeter,
    figures::{Figures, Recorder, micros},
};

const SCHEMA: &str = include_str!("pgbench/schema.sql");
const SCRIPT: &str = include_str!("pgbench/transfer.sql");
/// The number of pgbench's threads.
const THREADS: &str = "2";
/// The name of the script in the run's folder.
const SCRIPT_FILE: &str = "transfer.sql";
/// The first part of the names of pgbench's log files.
const LOG_PREFIX: &str = "transfers";

/// The path of pgbench, if it is installed.
pub(crate) fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    // Debian keeps PostgreSQL's programs outside PATH, in a folder for each version.
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    folders.extend(versions.into_iter().rev());
    folders.into_iter().map(|folder| folder.join("pgbench")).find(|program| program.is_file())
}

/// Runs pgbench for as long as a scenario of the mesh.
pub(crate) async fn measure(
    program: &Path,
    database: &LocalDatabase,
    plan: &Plan,
) -> Result<Figures> {
    prepare(database, plan.players).await?;
    let folder = TemporaryFolder::create()?;
    fs::write(folder.0.join(SCRIPT_FILE), SCRIPT)?;
    let (url, password) = database.without_password();
    let seconds = (plan.warm_up + plan.measure).as_secs().max(1);
    let mut command = Command::new(program);
    command
        .args(["--no-vacuum", "--protocol=prepared", "--log", "--jobs", THREADS])
        .arg(format!("--client={}", plan.pgbench_clients))
        .arg(format!("--time={seconds}"))
        .arg(format!("--define=pairs={}", plan.players / 2))
        .arg(format!("--file={SCRIPT_FILE}"))
        .arg(format!("--log-prefix={LOG_PREFIX}"))
        .arg(url)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    let meter = CpuMeter::new(&plan.process);
    let before = meter.read();
    let output = command.output().await.context("cannot run pgbench")?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        // Each of its clients prints the same error.
        bail!("pgbench: {}", errors.lines().take(3).collect::<Vec<_>>().join("\n"));
    }
    let log = read_logs(&folder.0)?;
    let cpu = meter.read().per_request(&before, u64::try_from(log.len())?);
    Ok(Figures { cpu, ..summarise(&log, plan.warm_up)? })
}

async fn prepare(database: &LocalDatabase, wallets: u16) -> Result<()> {
    let mut connection = PgConnection::connect_with(database.options())
        .await
        .context("cannot connect to the yardstick's database")?;
    sqlx::raw_sql(SCHEMA)
        .execute(&mut connection)
        .await
        .context("cannot create the yardstick's tables")?;
    sqlx::query("INSERT INTO yardstick.wallet SELECT n, 1000000000 FROM generate_series(1, $1) n")
        .bind(i64::from(wallets))
        .execute(&mut connection)
        .await?;
    Ok(())
}

/// One transaction in pgbench's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Transaction {
    /// The transaction's latency in microseconds.
    latency: u64,
    /// When it ended, in microseconds since the epoch.
    ended: u64,
}

fn read_logs(folder: &Path) -> Result<Vec<Transaction>> {
    let mut log = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(LOG_PREFIX) && name != SCRIPT_FILE {
            log.extend(fs::read_to_string(&path)?.lines().filter_map(parse));
        }
    }
    Ok(log)
}

/// Parses `client transaction latency script epoch-seconds epoch-microseconds …`.
fn parse(line: &str) -> Option<Transaction> {
    let mut fields = line.split_ascii_whitespace().map(|field| field.parse::<u64>().ok());
    let latency = fields.nth(2)??;
    let (seconds, micros) = (fields.nth(1)??, fields.next()??);
    Some(Transaction { latency, ended: seconds * 1_000_000 + micros })
}

fn summarise(log: &[Transaction], warm_up: Duration) -> Result<Figures> {
    let first = log.iter().map(|one| one.ended - one.latency).min().unwrap_or_default();
    let last = log.iter().map(|one| one.ended).max().unwrap_or_default();
    let opens = first + micros(warm_up);
    let mut recorder = Recorder::new()?;
    for transaction in log.iter().filter(|one| one.ended >= opens) {
        recorder.success(Duration::from_micros(transaction.latency));
    }
    Ok(recorder.figures(Duration::from_micros(last.saturating_sub(opens))))
}

/// A folder that is removed when this is dropped.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn create() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("playon-bench-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // The system clears its temporary folder; an error here is harmless.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_line_is_parsed_by_its_columns() {
        let line = parse("3 17 1520 0 1700000000 250000");
        let expected = Transaction { latency: 1_520, ended: 1_700_000_000_250_000 };
        assert_eq!(line, Some(expected));
        assert_eq!(parse("3 17 skipped 0 1700000000 250000"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn transactions_of_the_warm_up_are_not_counted() {
        let one = |number: u64| Transaction { latency: 1_000, ended: 1_000 + number * 1_000 };
        let log: Vec<Transaction> = (0..4_000).map(one).collect();
        let figures = summarise(&log, Duration::from_secs(2)).unwrap();
        assert!((999..=1_001).contains(&figures.per_second), "{figures:?}");
        assert!((1_990..=2_001).contains(&figures.count), "{figures:?}");
    }

    #[test]
    fn an_empty_log_has_the_rate_zero() {
        assert_eq!(summarise(&[], Duration::from_secs(2)).unwrap().per_second, 0);
    }
}
