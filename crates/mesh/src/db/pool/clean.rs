//! Brings the connection of a cancelled call to a clean state.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use deadpool::managed::Object;
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::time::timeout;
use tracing::{debug, warn};

use super::backend::{Canceller, Counts, Manager, Use};

/// How long a statement whose caller has gone may run on. Most end by themselves in this
/// time, and are not cancelled.
const GRACE: Duration = Duration::from_millis(50);
/// Longest that cleaning may take before the connection is closed.
const CLEAN_LIMIT: Duration = Duration::from_secs(10);

/// Which transaction may be open on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// No transaction.
    NoTransaction,
    /// An open transaction, from before `BEGIN` is sent.
    Open,
    /// A transaction that is being committed, from before `COMMIT` is sent until its reply.
    Committing,
}

/// A connection that its caller dropped.
pub(super) struct Dropped {
    pub(super) object: Object<Manager>,
    pub(super) state: State,
    pub(super) use_: Use,
}

/// Whether no statement is queued and no reply is due. Needs no system call.
pub(super) fn is_clean(conn: &mut PgConnection) -> bool {
    let mut flush = pin!(conn.flush());
    let flushed = flush.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    matches!(flushed, Poll::Ready(Ok(())))
}

/// Ends the dropped statement and its transaction, and gives the connection back.
///
/// A statement that does not end by itself is cancelled at the server, so that a caller
/// that has gone costs neither processor time nor locks. A `COMMIT` is not cancelled. Its
/// outcome is unknown to the caller, who repeats with the same request id, so both
/// outcomes would be consistent. But with synchronous replication a cancelled `COMMIT`
/// stays committed here without waiting for the standby, and the repeat would confirm a
/// write that a failover loses. It is waited for instead; the statement timeout limits it.
pub(super) async fn clean(dropped: Dropped, canceller: &Canceller, counts: &Counts) {
    let Dropped { mut object, state, use_ } = dropped;
    match timeout(CLEAN_LIMIT, end(&mut object, state, canceller, counts)).await {
        Ok(Ok(())) => drop(object),
        Ok(Err(error)) => {
            debug!(error = format!("{error:#}"), "closing a database connection that broke");
            close(object);
        }
        Err(_) => {
            warn!("closing a database connection whose cancelled statement does not end");
            close(object);
        }
    }
    drop(use_);
}

async fn end(
    object: &mut Object<Manager>,
    state: State,
    canceller: &Canceller,
    counts: &Counts,
) -> anyhow::Result<()> {
    let backend = object.id;
    if state == State::Committing {
        read_replies(object).await?;
    } else if let Ok(ended) = timeout(GRACE, read_replies(object)).await {
        ended?;
    } else {
        // If the request fails, its signal may arrive late and cancel another caller's statement,
        // so the connection is closed. After its reply the signal is pending at the backend, which
        // handles it before it reads another statement: a backend that was idle by then ignores it.
        canceller.cancel(backend).await?;
        counts.cancelled.increment(1);
        read_replies(object).await?;
    }
    if state != State::NoTransaction {
        object.execute("ROLLBACK").await?;
    }
    Ok(())
}

/// Reads until no reply is due. sqlx stops at the error of a statement, also at the one
/// that says that it was cancelled; the rest follows it.
async fn read_replies(conn: &mut PgConnection) -> sqlx::Result<()> {
    loop {
        match conn.flush().await {
            Err(sqlx::Error::Database(_)) => {}
            ended => return ended,
        }
    }
}

/// Takes a connection out of its pool, which makes room for a new one. The server
/// rolls back what was open when the socket closes.
pub(super) fn close(object: Object<Manager>) {
    drop(Object::take(object));
}
