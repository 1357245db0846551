//! The connection pool.
//!
//! deadpool over sqlx's connections, because sqlx's own pool pings each connection
//! that is given back: a second round trip for every use. Here a connection that is
//! given back in a clean state costs no round trip; one whose caller has gone is
//! cancelled at the server and brought to a clean state first, or closed.

mod backend;
mod clean;
#[cfg(test)]
mod tests;

use std::{
    fmt,
    ops::{Deref, DerefMut},
    sync::Arc,
    time::Duration,
};

use deadpool::managed::{self, Object, PoolConfig, PoolError, QueueMode, Timeouts};
use sqlx::{Executor as _, PgConnection, postgres::PgConnectOptions};
use tokio::runtime::Handle;

use self::{
    backend::{Canceller, Counts, Manager, Use},
    clean::{Dropped, State, clean, close, is_clean},
};

/// Longest that a new connection may take to be made, where callers do not wait longer for one.
const CONNECT_LIMIT: Duration = Duration::from_secs(3);

/// Connections to one database. Cheap to clone.
#[derive(Clone)]
pub struct Pool {
    objects: managed::Pool<Manager>,
    shared: Arc<Shared>,
}

struct Shared {
    acquire_timeout: Duration,
    counts: Arc<Counts>,
    canceller: Canceller,
}

/// A connection on loan from a [`Pool`]; given back when dropped.
pub struct Connection {
    /// `None` only while it is being dropped.
    lent: Option<(Object<Manager>, Use)>,
    state: State,
    shared: Arc<Shared>,
}

/// A transaction; rolled back when dropped without [`commit`](Self::commit).
pub struct Transaction(Connection);

impl Pool {
    /// At most `size` connections; none is made before the first use. A caller waits for one at
    /// most for `acquire_timeout`. `name` is the label of the pool's metrics.
    pub fn new(
        name: &'static str,
        options: PgConnectOptions,
        size: usize,
        acquire_timeout: Duration,
    ) -> Self {
        let connect = acquire_timeout.max(CONNECT_LIMIT);
        let timeouts =
            Timeouts { wait: Some(acquire_timeout), create: Some(connect), recycle: Some(connect) };
        let mut config = PoolConfig::new(size.max(1));
        config.timeouts = timeouts;
        // The connection that was given back last is used first: few connections stay busy and
        // warm.
        config.queue_mode = QueueMode::Lifo;
        let counts = Counts::new(name);
        let objects = managed::Pool::builder(Manager::new(options.clone(), Arc::clone(&counts)))
            .config(config)
            .runtime(deadpool::Runtime::Tokio1)
            .build();
        // Fails only for time limits without a runtime, which is given.
        let objects = objects.unwrap_or_else(|never| unreachable!("{never}"));
        let canceller = Canceller::new(options);
        Self { objects, shared: Arc::new(Shared { acquire_timeout, counts, canceller }) }
    }

    /// Opens a pool of its own to the same database, whose statements always use an index. For a
    /// table that is empty most of the time: the plan of a prepared statement that was made then
    /// would read the whole table when it is full.
    #[must_use]
    pub fn by_index(&self, name: &'static str, size: usize) -> Self {
        let options = self.objects.manager().options.clone();
        let by_index = [("enable_seqscan", "off"), ("enable_bitmapscan", "off")];
        let acquire_timeout = self.shared.acquire_timeout;
        Self::new(name, options.options(by_index), size, acquire_timeout)
    }

    /// A connection, for statements that need no transaction.
    pub async fn acquire(&self) -> sqlx::Result<Connection> {
        let object = self.objects.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error,
            PoolError::Closed => sqlx::Error::PoolClosed,
            PoolError::Timeout(_)
            | PoolError::NoRuntimeSpecified
            | PoolError::PostCreateHook(_) => {
                self.shared.counts.acquire_timeouts.increment(1);
                sqlx::Error::PoolTimedOut
            }
        })?;
        let use_ = Use::begin(&self.shared.counts);
        let shared = Arc::clone(&self.shared);
        Ok(Connection { lent: Some((object, use_)), state: State::NoTransaction, shared })
    }

    /// A connection in a new transaction.
    pub async fn begin(&self) -> sqlx::Result<Transaction> {
        let mut conn = self.acquire().await?;
        conn.state = State::Open;
        conn.execute("BEGIN").await?;
        Ok(Transaction(conn))
    }

    /// Connections in use, and connections that exist.
    pub fn usage(&self) -> (usize, usize) {
        let status = self.objects.status();
        (status.size.saturating_sub(status.available), status.size)
    }
}

impl Transaction {
    /// Commits. After an error nothing was written, unless the connection broke: then the
    /// outcome is unknown, as it is when this future is dropped.
    pub async fn commit(mut self) -> sqlx::Result<()> {
        self.0.state = State::Committing;
        self.0.execute("COMMIT").await?;
        self.0.state = State::NoTransaction;
        Ok(())
    }

    /// Rolls back. Dropping does the same, without waiting.
    pub async fn rollback(mut self) -> sqlx::Result<()> {
        self.0.execute("ROLLBACK").await?;
        self.0.state = State::NoTransaction;
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let Some((mut object, use_)) = self.lent.take() else { return };
        if self.state == State::NoTransaction && is_clean(&mut object) {
            drop((object, use_));
            return;
        }
        let dropped = Dropped { object, state: self.state, use_ };
        let shared = Arc::clone(&self.shared);
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move {
                clean(dropped, &shared.canceller, &shared.counts).await;
            })),
            Err(_) => close(dropped.object),
        }
    }
}

impl Deref for Connection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        let (object, _) = self.lent.as_ref().unwrap_or_else(|| unreachable!("taken only by drop"));
        object
    }
}

impl DerefMut for Connection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        let (object, _) = self.lent.as_mut().unwrap_or_else(|| unreachable!("taken only by drop"));
        object
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
