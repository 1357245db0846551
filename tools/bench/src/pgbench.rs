//! The second yardstick: pgbench on the same Postgres, doing what one transfer
//! must do at the least. One journal, two postings, two balances, one commit;
//! between as many wallets as the mesh's players have, so that both wait for
//! rows alike.

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
    config::Plan,
    cpu::Watched,
    figures::{Figures, Tally, micros},
    target::LocalDatabase,
};

const SCHEMA: &str = include_str!("pgbench/schema.sql");
const SCRIPT: &str = include_str!("pgbench/transfer.sql");
/// pgbench's own threads.
const THREADS: &str = "2";
/// What the script is called in the folder of the run.
const SCRIPT_FILE: &str = "transfer.sql";
/// What pgbench's logs begin with.
const LOG_PREFIX: &str = "transfers";

/// Where pgbench is, if it is installed.
pub(crate) fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    // Debian keeps PostgreSQL's programs out of PATH, a folder a version.
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    folders.extend(versions.into_iter().rev());
    folders.into_iter().map(|folder| folder.join("pgbench")).find(|program| program.is_file())
}

/// Runs it as long as the mesh is measured.
pub(crate) async fn measure(
    program: &Path,
    database: &LocalDatabase,
    plan: &Plan,
) -> Result<Figures> {
    prepare(database, plan.players).await?;
    let folder = Folder::make()?;
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
    let watched = Watched::new(&plan.process);
    let before = watched.spent();
    let output = command.output().await.context("cannot run pgbench")?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        // Each of its clients says the same.
        bail!("pgbench: {}", words.lines().take(3).collect::<Vec<_>>().join("\n"));
    }
    let lines = read_logs(&folder.0)?;
    let all = u64::try_from(lines.len())?;
    let cpu = watched.spent().per_request(&before, all);
    Ok(Figures { cpu, ..summarise(&lines, plan.warm_up)? })
}

async fn prepare(database: &LocalDatabase, wallets: u16) -> Result<()> {
    let mut connection = PgConnection::connect_with(database.options())
        .await
        .context("cannot reach the yardstick's database")?;
    sqlx::raw_sql(SCHEMA).execute(&mut connection).await.context("cannot make the yardstick")?;
    sqlx::query("INSERT INTO yardstick.wallet SELECT n, 1000000000 FROM generate_series(1, $1) n")
        .bind(i64::from(wallets))
        .execute(&mut connection)
        .await?;
    Ok(())
}

/// One transaction of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    /// Microseconds it took.
    took: u64,
    /// When it was done: microseconds since the epoch.
    done: u64,
}

fn read_logs(folder: &Path) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(LOG_PREFIX) && name != SCRIPT_FILE {
            lines.extend(fs::read_to_string(&path)?.lines().filter_map(parse));
        }
    }
    Ok(lines)
}

/// `client transaction time script epoch-seconds epoch-microseconds …`
fn parse(line: &str) -> Option<Line> {
    let mut words = line.split_ascii_whitespace().map(|word| word.parse::<u64>().ok());
    let took = words.nth(2)??;
    let (seconds, rest) = (words.nth(1)??, words.next()??);
    Some(Line { took, done: seconds * 1_000_000 + rest })
}

fn summarise(lines: &[Line], warm_up: Duration) -> Result<Figures> {
    let first = lines.iter().map(|line| line.done - line.took).min().unwrap_or_default();
    let last = lines.iter().map(|line| line.done).max().unwrap_or_default();
    let from = first + micros(warm_up);
    let mut tally = Tally::new()?;
    for line in lines.iter().filter(|line| line.done >= from) {
        tally.well(Duration::from_micros(line.took));
    }
    Ok(tally.figures(Duration::from_micros(last.saturating_sub(from))))
}

/// A folder of this run's own, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn make() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("playon-bench-{}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in the system's temporary folder harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_line_is_read_by_its_columns() {
        let line = parse("3 17 1520 0 1700000000 250000");
        assert_eq!(line, Some(Line { took: 1_520, done: 1_700_000_000_250_000 }));
        assert_eq!(parse("3 17 skipped 0 1700000000 250000"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn the_warm_up_does_not_count() {
        let line = |done: u64| Line { took: 1_000, done: 1_000 + done };
        let lines: Vec<Line> = (0..4_000).map(|n| line(n * 1_000)).collect();
        let figures = summarise(&lines, Duration::from_secs(2)).unwrap();
        assert!((999..=1_001).contains(&figures.per_second), "{figures:?}");
        assert!((1_990..=2_001).contains(&figures.count), "{figures:?}");
    }

    #[test]
    fn nothing_done_is_no_division_by_zero() {
        assert_eq!(summarise(&[], Duration::from_secs(2)).unwrap().per_second, 0);
    }
}
