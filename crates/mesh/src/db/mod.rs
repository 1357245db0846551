//! A service's own database: its connections, its schema, and what its errors mean.

mod pool;

use std::{str::FromStr, sync::Arc, time::Duration};

use anyhow::{Context as _, ensure};
use sqlx::{
    ConnectOptions, Connection as _, PgConnection, migrate::Migrator, postgres::PgConnectOptions,
};
use tracing::{info, log::LevelFilter};

pub use self::pool::{Connection, Pool, Transaction};
pub use crate::migrated::Migrated;
use crate::{
    Readiness,
    args::{DatabaseArgs, SecretUrl},
};
pub use mesh_macros::statement;

/// Longest that migrating may take, the wait for another replica included.
const MIGRATION_LIMIT: Duration = Duration::from_mins(10);
/// The pause between two tries to get the migration lock.
const LOCK_RETRY: Duration = Duration::from_millis(100);

/// The pools of one database. Jobs have connections of their own, so that background
/// work never waits behind players' calls, nor they behind it.
#[derive(Debug, Clone)]
pub struct Pools {
    /// For calls.
    pub calls: Pool,
    /// For jobs and outbox deliveries.
    pub jobs: Pool,
}

impl Pools {
    /// Ready while the database answers.
    pub fn readiness(&self) -> Readiness {
        let pool = self.calls.clone();
        Arc::new(move || {
            let pool = pool.clone();
            Box::pin(async move { ping(&pool).await })
        })
    }
}

/// Brings the schema up to what this build expects, and opens the pools.
///
/// With an owner's URL the service migrates its own database: replicas that start
/// together wait for each other. Without one the database must have been migrated
/// before: a schema that is older than this build is an error.
pub async fn connect(
    service: &'static str,
    url: &SecretUrl,
    owner: Option<&SecretUrl>,
    args: &DatabaseArgs,
    migrator: &Migrator,
) -> anyhow::Result<Pools> {
    if args.db_migrate_only {
        let owner = owner.context("migrating needs the owner's database URL")?;
        migrate(self::options(service, owner)?, migrator).await?;
        return Err(Migrated.into());
    }
    let options = options(service, url)?;
    match owner {
        Some(owner) => migrate(self::options(service, owner)?, migrator).await?,
        None => check_schema(&options, migrator).await?,
    }
    let options = options.options([
        ("statement_timeout", args.db_statement_timeout.as_millis().to_string()),
        ("lock_timeout", args.db_lock_timeout.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", "10000".to_owned()),
        ("timezone", "UTC".to_owned()),
    ]);
    let pools = Pools {
        calls: Pool::new("calls", options.clone(), args.db_connections),
        jobs: Pool::new("jobs", options, args.db_job_connections),
    };
    ping(&pools.calls).await?;
    Ok(pools)
}

fn options(service: &'static str, url: &SecretUrl) -> anyhow::Result<PgConnectOptions> {
    let options = PgConnectOptions::from_str(url.expose())
        .ok()
        .context("the database URL cannot be parsed")?;
    Ok(options.application_name(service).log_statements(LevelFilter::Trace))
}

/// The advisory lock that replicas take before they migrate: "PlayOn" in ASCII.
const MIGRATION_LOCK: i64 = 0x50_6c_61_79_4f_6e;

/// Migrates on a connection of its own, without a statement timeout, because a migration
/// of a large table may take minutes.
///
/// sqlx's own lock is not used: it waits inside a statement, and such a wait deadlocks
/// with `CREATE INDEX CONCURRENTLY` in the replica that migrates.
async fn migrate(options: PgConnectOptions, migrator: &Migrator) -> anyhow::Result<()> {
    let mut unlocked = Migrator::with_migrations(migrator.iter().cloned().collect());
    unlocked.set_locking(false);
    let migrating = async {
        let mut conn = PgConnection::connect_with(&options).await?;
        while !try_lock(&mut conn).await? {
            tokio::time::sleep(LOCK_RETRY).await;
        }
        unlocked.run(&mut conn).await.context("cannot migrate the database")?;
        // The server releases the lock with the connection, and closes it if this fails.
        let _ = conn.close().await;
        anyhow::Ok(())
    };
    tokio::time::timeout(MIGRATION_LIMIT, migrating)
        .await
        .context("the database was not migrated in time")?
        .context("cannot use the owner's database URL")
}

async fn try_lock(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(MIGRATION_LOCK).fetch_one(conn).await
}

async fn check_schema(options: &PgConnectOptions, migrator: &Migrator) -> anyhow::Result<()> {
    let mut conn =
        PgConnection::connect_with(options).await.context("cannot reach the database")?;
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

/// Whether the database answers.
pub async fn ping(pool: &Pool) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await.context("cannot reach the database")?;
    conn.ping().await.context("the database does not answer")
}

/// The named constraint that a statement violated, if that is what stopped it.
pub fn violated(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error().and_then(sqlx::error::DatabaseError::constraint)
}

/// What an error of the database means for its caller. The one mapping from SQLSTATE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Another transaction won (serialization failure, deadlock, lock timeout): the
    /// same call may succeed at once.
    Conflict,
    /// The server is out of reach, shutting down or out of resources: the same call may
    /// succeed later (PostgreSQL's error classes 08, 53, 57, and an exhausted pool).
    Outage,
    /// A fault of ours.
    Bug,
}

impl Meaning {
    /// What an error means.
    pub fn of(error: &sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed)
        {
            return Self::Outage;
        }
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        match code.as_deref() {
            Some("40001" | "40P01" | "55P03") => Self::Conflict,
            Some(code) if ["08", "53", "57"].iter().any(|class| code.starts_with(class)) => {
                Self::Outage
            }
            _ => Self::Bug,
        }
    }
}
