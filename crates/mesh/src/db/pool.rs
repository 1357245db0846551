//! The connection pool.
//!
//! deadpool over sqlx's connections, because sqlx's own pool pings each connection
//! that is given back: a second round trip for every use. Here a connection that is
//! given back in a clean state costs no round trip; one whose statement was cancelled
//! is brought to a clean state first, or closed.

use std::{
    fmt,
    future::Future,
    ops::{Deref, DerefMut},
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::Duration,
};

use deadpool::managed::{
    self, Metrics, Object, PoolConfig, PoolError, QueueMode, RecycleResult, Timeouts,
};
use sqlx::{Connection as _, Executor as _, PgConnection, postgres::PgConnectOptions};
use tokio::{runtime::Handle, time::timeout};
use tracing::{debug, warn};

/// Longest that a caller waits for a connection.
const ACQUIRE_LIMIT: Duration = Duration::from_secs(3);
/// Longest that a new connection may take to be made.
const CONNECT_LIMIT: Duration = Duration::from_secs(3);
/// A connection that was unused for this long is pinged before it is used: the server
/// may have closed it.
const PING_AFTER: Duration = Duration::from_secs(5);
/// Longest that a cancelled statement may take to end before its connection is closed.
/// The statement timeout of the server ends it earlier.
const CLEAN_LIMIT: Duration = Duration::from_secs(10);

/// Connections to one database. Cheap to clone.
#[derive(Clone)]
pub struct Pool(managed::Pool<Manager>);

/// A connection on loan from a [`Pool`]; given back when dropped.
pub struct Connection {
    /// `None` only while it is being dropped.
    object: Option<Object<Manager>>,
    /// From before `BEGIN` until the end of `COMMIT`: a connection that is dropped
    /// meanwhile is rolled back before it is given back.
    in_transaction: bool,
}

/// A transaction; rolled back when dropped without [`commit`](Self::commit).
pub struct Transaction(Connection);

struct Manager {
    options: Arc<PgConnectOptions>,
}

impl managed::Manager for Manager {
    type Type = PgConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> sqlx::Result<PgConnection> {
        PgConnection::connect_with(&self.options).await
    }

    async fn recycle(&self, conn: &mut PgConnection, use_: &Metrics) -> RecycleResult<sqlx::Error> {
        if use_.last_used() > PING_AFTER {
            conn.ping().await?;
        }
        Ok(())
    }
}

impl Pool {
    /// At most `size` connections; none is made before the first use.
    pub fn new(options: PgConnectOptions, size: usize) -> Self {
        let timeouts = Timeouts {
            wait: Some(ACQUIRE_LIMIT),
            create: Some(CONNECT_LIMIT),
            recycle: Some(CONNECT_LIMIT),
        };
        let mut config = PoolConfig::new(size.max(1));
        config.timeouts = timeouts;
        // The last one given back is used first: few connections stay busy and warm.
        config.queue_mode = QueueMode::Lifo;
        let pool = managed::Pool::builder(Manager { options: Arc::new(options) })
            .config(config)
            .runtime(deadpool::Runtime::Tokio1)
            .build();
        // Fails only for time limits without a runtime, which is given.
        Self(pool.unwrap_or_else(|never| unreachable!("{never}")))
    }

    /// A connection, for statements that need no transaction.
    pub async fn acquire(&self) -> sqlx::Result<Connection> {
        let object = self.0.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error,
            PoolError::Closed => sqlx::Error::PoolClosed,
            PoolError::Timeout(_)
            | PoolError::NoRuntimeSpecified
            | PoolError::PostCreateHook(_) => sqlx::Error::PoolTimedOut,
        })?;
        Ok(Connection { object: Some(object), in_transaction: false })
    }

    /// A connection in a new transaction.
    pub async fn begin(&self) -> sqlx::Result<Transaction> {
        let mut conn = self.acquire().await?;
        conn.in_transaction = true;
        conn.execute("BEGIN").await?;
        Ok(Transaction(conn))
    }

    /// Connections in use, and connections that exist.
    pub fn usage(&self) -> (usize, usize) {
        let status = self.0.status();
        (status.size.saturating_sub(status.available), status.size)
    }
}

impl Transaction {
    /// Commits. After an error nothing was written, unless the connection broke: then the
    /// outcome is unknown.
    pub async fn commit(mut self) -> sqlx::Result<()> {
        self.0.execute("COMMIT").await?;
        self.0.in_transaction = false;
        Ok(())
    }

    /// Rolls back. Dropping does the same, without waiting.
    pub async fn rollback(mut self) -> sqlx::Result<()> {
        self.0.execute("ROLLBACK").await?;
        self.0.in_transaction = false;
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let Some(mut object) = self.object.take() else { return };
        if !self.in_transaction && is_clean(&mut object) {
            return;
        }
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(clean(object, self.in_transaction))),
            Err(_) => close(object),
        }
    }
}

/// Whether no statement is queued and no reply is due. Needs no system call.
fn is_clean(conn: &mut PgConnection) -> bool {
    let mut flush = pin!(conn.flush());
    let flushed = flush.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    matches!(flushed, Poll::Ready(Ok(())))
}

/// Ends the cancelled statement and its transaction, and gives the connection back.
async fn clean(mut object: Object<Manager>, in_transaction: bool) {
    let cleaning = async {
        object.flush().await?;
        if in_transaction {
            object.execute("ROLLBACK").await?;
        }
        Ok::<_, sqlx::Error>(())
    };
    match timeout(CLEAN_LIMIT, cleaning).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            debug!(%error, "closing a database connection that broke");
            close(object);
        }
        Err(_) => {
            warn!("closing a database connection whose cancelled statement does not end");
            close(object);
        }
    }
}

/// Takes a connection out of its pool, which makes room for a new one. The server
/// rolls back what was open when the socket closes.
fn close(object: Object<Manager>) {
    drop(Object::take(object));
}

impl Deref for Connection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.object.as_deref().unwrap_or_else(|| unreachable!("taken only by drop"))
    }
}

impl DerefMut for Connection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.object.as_deref_mut().unwrap_or_else(|| unreachable!("taken only by drop"))
    }
}

impl Deref for Transaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (used, size) = self.usage();
        write!(f, "Pool({used} of {size} connections in use)")
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use super::*;

    fn pool(size: usize) -> Pool {
        let url = std::env::var("TEST_DATABASE_URL").expect("a Postgres for tests");
        Pool::new(PgConnectOptions::from_str(&url).unwrap(), size)
    }

    async fn backend(conn: &mut PgConnection) -> i32 {
        sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(conn).await.unwrap()
    }

    async fn transaction_is_open(conn: &mut PgConnection) -> bool {
        // Inside a transaction now() does not advance.
        let start = "SELECT now()::text";
        let first: String = sqlx::query_scalar(start).fetch_one(&mut *conn).await.unwrap();
        let second: String = sqlx::query_scalar(start).fetch_one(&mut *conn).await.unwrap();
        first == second
    }

    #[tokio::test]
    async fn a_connection_is_used_again() {
        let pool = pool(1);
        let first = backend(&mut pool.acquire().await.unwrap()).await;
        assert_eq!(backend(&mut pool.acquire().await.unwrap()).await, first);
        assert_eq!(pool.usage(), (0, 1));
    }

    #[tokio::test]
    async fn a_dropped_transaction_is_rolled_back_before_the_next_use() {
        let pool = pool(1);
        let mut tx = pool.begin().await.unwrap();
        sqlx::query("CREATE TEMPORARY TABLE t (n int)").execute(&mut *tx).await.unwrap();
        drop(tx);
        let mut conn = pool.acquire().await.unwrap();
        assert!(!transaction_is_open(&mut conn).await);
        let gone = sqlx::query("SELECT n FROM t").execute(&mut *conn).await;
        assert!(gone.is_err(), "the table was rolled back");
    }

    #[tokio::test]
    async fn a_cancelled_statement_disturbs_no_later_caller() {
        let pool = pool(1);
        for _ in 0..20 {
            let sleeping = async {
                let mut tx = pool.begin().await.unwrap();
                sqlx::query("SELECT pg_sleep(0.05)").execute(&mut *tx).await.unwrap();
            };
            let _ = timeout(Duration::from_millis(3), sleeping).await;
            let mut conn = pool.acquire().await.unwrap();
            let one: i32 = sqlx::query_scalar("SELECT 1").fetch_one(&mut *conn).await.unwrap();
            assert_eq!(one, 1);
            assert!(!transaction_is_open(&mut conn).await);
        }
    }

    #[tokio::test]
    async fn a_begin_that_is_cancelled_leaves_no_open_transaction() {
        let pool = pool(1);
        drop(pool.acquire().await.unwrap());
        for _ in 0..50 {
            {
                let mut begin = pin!(pool.begin());
                let _ = begin.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            }
            let mut conn = pool.acquire().await.unwrap();
            assert!(!transaction_is_open(&mut conn).await);
        }
    }

    #[tokio::test]
    async fn a_broken_connection_is_replaced() {
        let pool = pool(2);
        let mut victim = pool.acquire().await.unwrap();
        let pid = backend(&mut victim).await;
        let mut other = pool.acquire().await.unwrap();
        let kill = sqlx::query("SELECT pg_terminate_backend($1)").bind(pid);
        kill.execute(&mut *other).await.unwrap();
        assert!(sqlx::query("SELECT 1").execute(&mut *victim).await.is_err());
        drop((victim, other));
        for _ in 0..2 {
            let mut conn = pool.acquire().await.unwrap();
            sqlx::query("SELECT 1").execute(&mut *conn).await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_caller_that_finds_no_connection_is_told_in_time() {
        let pool = pool(1);
        let _held = pool.acquire().await.unwrap();
        let refused = pool.acquire().await;
        assert!(matches!(refused, Err(sqlx::Error::PoolTimedOut)));
    }
}
