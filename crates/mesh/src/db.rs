//! A service's own database.

use anyhow::Context as _;
use sqlx::{
    ConnectOptions, Connection, PgConnection, PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::{str::FromStr, time::Duration};
use tracing::log::LevelFilter;

use crate::args::{PoolArgs, SecretUrl};

/// Longest that a call waits for a connection.
const ACQUIRE_LIMIT: Duration = Duration::from_secs(3);
/// After so long without use a connection is asked before it is used.
const RESTED: Duration = Duration::from_secs(5);

/// Connects, and brings the schema up to what this build expects. Replicas that
/// start together wait for each other on the migrator's lock, without limit.
pub async fn connect(
    service: &'static str,
    url: &SecretUrl,
    args: &PoolArgs,
    migrator: &Migrator,
) -> anyhow::Result<PgPool> {
    let options = PgConnectOptions::from_str(url.expose())
        .ok()
        .context("the database URL cannot be read")?
        .application_name(service);
    let options = options.log_statements(LevelFilter::Trace);
    migrate(&options, migrator).await?;
    let options = options.options([
        ("statement_timeout", args.db_statement_timeout.as_millis().to_string()),
        ("lock_timeout", args.db_lock_timeout.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", "10000".to_owned()),
        ("timezone", "UTC".to_owned()),
    ]);
    PgPoolOptions::new()
        .max_connections(args.db_connections)
        .acquire_timeout(ACQUIRE_LIMIT)
        // Asking before each use would double the round trips; a connection that
        // has rested is asked, because the server may have gone meanwhile.
        .test_before_acquire(false)
        .before_acquire(|conn, meta| {
            Box::pin(async move {
                if meta.idle_for > RESTED {
                    conn.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_with(options)
        .await
        .context("cannot reach the database")
}

/// On a connection of its own, which may take the time it takes.
async fn migrate(options: &PgConnectOptions, migrator: &Migrator) -> anyhow::Result<()> {
    let mut conn =
        PgConnection::connect_with(options).await.context("cannot reach the database")?;
    migrator.run(&mut conn).await.context("cannot migrate the database")?;
    // What is left of it closes by itself.
    let _ = conn.close().await;
    Ok(())
}

/// Whether the database answers.
pub async fn ping(pool: &PgPool) -> anyhow::Result<()> {
    sqlx::query("SELECT 1").execute(pool).await.context("the database does not answer")?;
    Ok(())
}

/// The named constraint that a statement ran into, if that is what stopped it.
pub fn violated(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error().and_then(sqlx::error::DatabaseError::constraint)
}

/// Whether the statement lost against another transaction and may simply be
/// tried again: serialization failure, deadlock, lock time-out.
pub fn is_conflict(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    matches!(code.as_deref(), Some("40001" | "40P01" | "55P03"))
}

/// Whether the server is out of reach, going away, or too busy: worth another try
/// later (PostgreSQL's error classes 08, 53, 57).
pub(crate) fn is_outage(error: &sqlx::Error) -> bool {
    if matches!(error, sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed) {
        return true;
    }
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| ["08", "53", "57"].iter().any(|class| code.starts_with(class)))
}
