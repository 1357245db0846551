//! Makes connections, counts them, and cancels their statements.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use deadpool::managed::{self, RecycleResult};
use metrics::{Counter, Gauge, counter, gauge};
use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};
use time::OffsetDateTime;
use tokio::{sync::Mutex, time::timeout};

/// A connection that was unused for this long is pinged before it is used: the server
/// may have closed it.
const PING_AFTER: Duration = Duration::from_secs(5);
/// Longest that a cancel request may take.
const CANCEL_LIMIT: Duration = Duration::from_secs(3);

pub(super) struct Manager {
    pub(super) options: PgConnectOptions,
    counts: Arc<Counts>,
}

impl Manager {
    pub(super) fn new(options: PgConnectOptions, counts: Arc<Counts>) -> Self {
        Self { options, counts }
    }
}

impl managed::Manager for Manager {
    type Type = Backend;
    type Error = sqlx::Error;

    async fn create(&self) -> sqlx::Result<Backend> {
        // Boxed: it is rare, large, and otherwise a part of every future that reads or writes.
        let mut conn = Box::pin(PgConnection::connect_with(&self.options)).await?;
        let own = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()";
        let found = sqlx::query_as(own).persistent(false).fetch_one(&mut conn);
        let (pid, started) = Box::pin(found).await?;
        self.counts.idle.increment(1);
        Ok(Backend { conn, id: BackendId { pid, started }, counts: Arc::clone(&self.counts) })
    }

    async fn recycle(
        &self,
        backend: &mut Backend,
        metrics: &managed::Metrics,
    ) -> RecycleResult<sqlx::Error> {
        if metrics.last_used() > PING_AFTER {
            backend.ping().await?;
        }
        Ok(())
    }
}

/// A server process, by its pid and its start. The pid alone may be another process's by the time
/// of a cancellation, and after a failover on another server.
#[derive(Debug, Clone, Copy)]
pub(super) struct BackendId {
    pid: i32,
    started: OffsetDateTime,
}

/// A connection, and the id of the server's process behind it.
pub(super) struct Backend {
    conn: PgConnection,
    /// sqlx knows the key of a cancel request, but does not expose it.
    pub(super) id: BackendId,
    counts: Arc<Counts>,
}

impl Deref for Backend {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.conn
    }
}

impl DerefMut for Backend {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.conn
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        // This holds for a used connection, too: dropping its `Use` counts it as idle.
        self.counts.idle.decrement(1);
    }
}

/// The gauges of a pool. Each update is one atomic operation.
pub(super) struct Counts {
    used: Gauge,
    idle: Gauge,
    pub(super) acquire_timeouts: Counter,
    pub(super) cancelled: Counter,
}

impl Counts {
    pub(super) fn new(pool: &'static str) -> Arc<Self> {
        Arc::new(Self {
            used: gauge!("db_connections", "pool" => pool, "state" => "used"),
            idle: gauge!("db_connections", "pool" => pool, "state" => "idle"),
            acquire_timeouts: counter!("db_acquire_timeouts_total", "pool" => pool),
            cancelled: counter!("db_statements_cancelled_total", "pool" => pool),
        })
    }
}

/// Counts a connection as used, until it is dropped.
pub(super) struct Use(Arc<Counts>);

impl Use {
    pub(super) fn begin(counts: &Arc<Counts>) -> Self {
        counts.used.increment(1);
        counts.idle.decrement(1);
        Self(Arc::clone(counts))
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.0.used.decrement(1);
        self.0.idle.increment(1);
    }
}

/// Cancels statements over a connection of its own: at most one for a pool, beside the
/// pool's limit, made at the first cancellation. Requests take turns; each takes a round
/// trip.
pub(super) struct Canceller {
    options: PgConnectOptions,
    conn: Mutex<Option<PgConnection>>,
}

impl Canceller {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options, conn: Mutex::new(None) }
    }

    /// Cancels the statement that a backend is running now. After an `Ok` the signal was
    /// delivered; after an error it may still arrive.
    pub(super) async fn cancel(&self, backend: BackendId) -> anyhow::Result<()> {
        timeout(CANCEL_LIMIT, async {
            let mut conn = self.conn.lock().await;
            // The connection is taken out while in use, so that one that breaks, or whose request
            // is dropped, is not used again.
            if let Some(mut open) = conn.take()
                && signal(&mut open, backend).await.is_ok()
            {
                *conn = Some(open);
                return Ok(());
            }
            let mut open = PgConnection::connect_with(&self.options).await?;
            signal(&mut open, backend).await?;
            *conn = Some(open);
            Ok::<_, sqlx::Error>(())
        })
        .await
        .context("no answer")?
        .context("the statement was not cancelled")
    }
}

async fn signal(
    conn: &mut PgConnection,
    BackendId { pid, started }: BackendId,
) -> sqlx::Result<()> {
    let cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity
                  WHERE pid = $1 AND backend_start = $2";
    sqlx::query(cancel).bind(pid).bind(started).execute(conn).await.map(drop)
}

impl fmt::Debug for Canceller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canceller").finish_non_exhaustive()
    }
}
