//! A service's own database: its connections, its schema, and what its errors mean.

mod pool;
mod schema;
#[cfg(test)]
mod tests;

use std::{str::FromStr, sync::Arc};

use anyhow::{Context as _, ensure};
use sqlx::{ConnectOptions, Connection as _, migrate::Migrator, postgres::PgConnectOptions};
use tracing::log::LevelFilter;

pub use self::pool::{Connection, Pool, Transaction};
pub use crate::migrated::Migrated;
use crate::{
    Readiness,
    args::{DatabaseArgs, SecretUrl},
};
pub use mesh_macros::statement;

/// The pools of one database. Jobs have connections of their own, so that background
/// work never waits behind players' calls, nor they behind it.
#[derive(Debug, Clone)]
pub struct Pools {
    /// Connections for calls.
    pub calls: Pool,
    /// Connections for jobs and outbox deliveries.
    pub jobs: Pool,
}

impl Pools {
    /// Ready while the database answers.
    pub fn readiness(&self) -> Readiness {
        // Under load the pool for calls may have no connection within the probe's time, and
        // a busy replica must not be taken out: the others would get its load.
        let pool = self.jobs.clone();
        Arc::new(move || {
            let pool = pool.clone();
            Box::pin(async move { ping(&pool).await })
        })
    }
}

/// Brings the schema up to what this build expects, and opens the pools.
///
/// With an owner's URL the service migrates its own database: replicas that start
/// together wait for each other. Without one another process migrates it. Processes start
/// in any order, so `db_wait` passes before a database that is out of reach, or a schema
/// that is older than this build, is an error; a refused role is one at once.
pub async fn connect(
    service: &'static str,
    url: &SecretUrl,
    owner: Option<&SecretUrl>,
    args: &DatabaseArgs,
    migrator: &Migrator,
) -> anyhow::Result<Pools> {
    if args.db_migrate_only {
        let owner = owner.context("migrating needs the owner's database URL")?;
        schema::migrate(self::options(service, owner)?, migrator, args.db_wait).await?;
        return Err(Migrated.into());
    }
    let options = options(service, url)?;
    match owner {
        Some(owner) => {
            schema::migrate(self::options(service, owner)?, migrator, args.db_wait).await?;
        }
        None => schema::wait(&options, migrator, args.db_wait).await?,
    }
    let options = options.options([
        ("statement_timeout", args.db_statement_timeout.as_millis().to_string()),
        ("lock_timeout", args.db_lock_timeout.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", "10000".to_owned()),
        ("timezone", "UTC".to_owned()),
        // Compiling a statement takes longer than any statement of ours, and PostgreSQL
        // compiles those that it overestimates.
        ("jit", "off".to_owned()),
    ]);
    let pools = Pools {
        // A call's statement has one plan. Left to choose, PostgreSQL plans a page of a large
        // table anew each time, which costs more than to read the page (decision 18).
        calls: Pool::new(
            "calls",
            options.clone().options([("plan_cache_mode", "force_generic_plan")]),
            args.db_connections,
            args.db_acquire_timeout,
        ),
        jobs: Pool::new("jobs", options, args.db_job_connections, args.db_acquire_timeout),
    };
    ping(&pools.calls).await?;
    if args.db_synchronous {
        require_standby(&pools.calls).await?;
    }
    Ok(pools)
}

/// Refuses a database that replies to a commit before a standby has it.
async fn require_standby(pool: &Pool) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await.context("cannot reach the database")?;
    let (standbys, commit): (String, String) = sqlx::query_as(
        "SELECT current_setting('synchronous_standby_names'), current_setting('synchronous_commit')",
    )
    .fetch_one(&mut *conn)
    .await
    .context("cannot read the database's settings")?;
    ensure!(
        waits_for_standby(&standbys, &commit),
        "DB_SYNCHRONOUS: the database does not wait for a standby (synchronous_standby_names is \
         {standbys:?}, synchronous_commit {commit})"
    );
    Ok(())
}

/// Whether a commit waits until a standby has flushed it (PostgreSQL's documentation, 20.5.1 and
/// 20.6.2).
fn waits_for_standby(standbys: &str, commit: &str) -> bool {
    !standbys.trim().is_empty() && matches!(commit, "on" | "remote_apply")
}

fn options(service: &'static str, url: &SecretUrl) -> anyhow::Result<PgConnectOptions> {
    let options = PgConnectOptions::from_str(url.expose())
        .ok()
        .context("the database URL cannot be parsed")?;
    Ok(options.application_name(service).log_statements(LevelFilter::Trace))
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
    /// Any other error: a bug in the service.
    Bug,
}

impl Meaning {
    /// Returns what an error means for its caller.
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
