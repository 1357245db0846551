//! The schema: migrating it, or waiting until another process has.

use std::{future::Future, time::Duration};

use anyhow::{Context as _, ensure};
use sqlx::{Connection as _, PgConnection, migrate::Migrator, postgres::PgConnectOptions};
use tokio::time::{Instant, sleep, timeout};
use tracing::info;

/// Longest that migrating may take, the wait for another replica included.
const MIGRATION_LIMIT: Duration = Duration::from_mins(10);
/// The pause between two tries to get the migration lock.
const LOCK_RETRY: Duration = Duration::from_millis(100);
/// The pause between two tries to reach the database, or to find its schema current.
const WAIT_INTERVAL: Duration = Duration::from_secs(1);
/// Longest that one such try may take.
const TRY_LIMIT: Duration = Duration::from_secs(5);

/// The advisory lock that replicas take before they migrate: "PlayOn" in ASCII.
const MIGRATION_LOCK: i64 = 0x50_6c_61_79_4f_6e;

/// Migrates on a connection of its own, without a statement timeout, because a migration
/// of a large table may take minutes.
///
/// sqlx's own lock is not used: it waits inside a statement, and such a wait deadlocks
/// with `CREATE INDEX CONCURRENTLY` in the replica that migrates.
pub(super) async fn migrate(
    options: PgConnectOptions,
    migrator: &Migrator,
    limit: Duration,
) -> anyhow::Result<()> {
    let mut unlocked = Migrator::with_migrations(migrator.iter().cloned().collect());
    unlocked.set_locking(false);
    let migrating = async {
        let mut conn = retry(limit, || connect(&options)).await?;
        while !try_lock(&mut conn).await? {
            sleep(LOCK_RETRY).await;
        }
        unlocked.run(&mut conn).await.context("cannot migrate the database")?;
        // The server releases the lock with the connection, and closes it if this fails.
        let _ = conn.close().await;
        anyhow::Ok(())
    };
    timeout(limit + MIGRATION_LIMIT, migrating)
        .await
        .context("the database was not migrated in time")?
        .context("cannot use the owner's database URL")
}

async fn try_lock(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(MIGRATION_LOCK).fetch_one(conn).await
}

/// Waits until the schema is what this build expects, or newer.
pub(super) async fn wait(
    options: &PgConnectOptions,
    migrator: &Migrator,
    limit: Duration,
) -> anyhow::Result<()> {
    retry(limit, || check(options, migrator)).await
}

async fn check(options: &PgConnectOptions, migrator: &Migrator) -> anyhow::Result<()> {
    let mut conn = connect(options).await?;
    let newest: Option<i64> =
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations WHERE success")
            .fetch_one(&mut conn)
            .await
            .context("the database was never migrated")?;
    let expected = migrator.iter().map(|migration| migration.version).max().unwrap_or_default();
    ensure!(
        newest.unwrap_or_default() >= expected,
        "the database is at migration {newest:?} and this build needs {expected}: migrate first"
    );
    info!(version = newest, "the schema is current");
    let _ = conn.close().await;
    Ok(())
}

async fn connect(options: &PgConnectOptions) -> anyhow::Result<PgConnection> {
    PgConnection::connect_with(options).await.context("cannot reach the database")
}

/// Repeats `attempt` until it succeeds or `limit` is over. Each reason to wait is logged once,
/// not at every try.
async fn retry<T, F, Fut>(limit: Duration, mut attempt: F) -> anyhow::Result<T>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = anyhow::Result<T>>,
{
    let started = Instant::now();
    let mut logged = None;
    loop {
        let tried = timeout(TRY_LIMIT, attempt()).await;
        let error = match tried.unwrap_or_else(|_| Err(anyhow::anyhow!("no answer"))) {
            Ok(done) => return Ok(done),
            Err(error) if is_permanent(&error) => return Err(error),
            Err(error) => error,
        };
        if started.elapsed() >= limit {
            return Err(error.context(format!("waited {limit:?} for the database")));
        }
        let reason = format!("{error:#}");
        if logged.as_ref() != Some(&reason) {
            info!(reason, "waiting for the database");
            logged = Some(reason);
        }
        sleep(WAIT_INTERVAL).await;
    }
}

/// Whether waiting is useless: the server refused the role or its password (class 28), or
/// the URL cannot be used.
fn is_permanent(error: &anyhow::Error) -> bool {
    match error.downcast_ref::<sqlx::Error>() {
        Some(sqlx::Error::Database(error)) => {
            error.code().is_some_and(|code| code.starts_with("28"))
        }
        Some(sqlx::Error::Configuration(_) | sqlx::Error::Tls(_)) => true,
        _ => false,
    }
}
