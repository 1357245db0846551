//! A service's own database.

use anyhow::Context as _;
use sqlx::{
    PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use std::{str::FromStr, time::Duration};
use tracing::log::LevelFilter;

use crate::args::{PoolArgs, SecretUrl};

/// Connects, and brings the schema up to what this build expects. Replicas that
/// start together wait for each other on the migrator's lock.
pub async fn connect(
    service: &'static str,
    url: &SecretUrl,
    args: &PoolArgs,
    migrator: &Migrator,
) -> anyhow::Result<PgPool> {
    let options = PgConnectOptions::from_str(url.expose())
        .ok()
        .context("the database URL cannot be read")?
        .application_name(service)
        .options([
            ("statement_timeout", args.db_statement_timeout.as_millis().to_string()),
            ("lock_timeout", args.db_lock_timeout.as_millis().to_string()),
            ("idle_in_transaction_session_timeout", "10000".to_owned()),
            ("timezone", "UTC".to_owned()),
        ]);
    let options = sqlx::ConnectOptions::log_statements(options, LevelFilter::Trace);
    let pool = PgPoolOptions::new()
        .max_connections(args.db_connections)
        .acquire_timeout(Duration::from_secs(3))
        .test_before_acquire(false)
        .connect_with(options)
        .await
        .context("cannot reach the database")?;
    migrator.run(&pool).await.context("cannot migrate the database")?;
    Ok(pool)
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
