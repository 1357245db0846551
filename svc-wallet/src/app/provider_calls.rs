//! Calls to providers: storing their replies, and rounds of queries about payments whose outcome is
//! not known.

use std::time::Duration;

use anyhow::Context as _;
use mesh::{jobs::Round, telemetry};
use sqlx::PgConnection;
use tokio::{sync::Semaphore, time::timeout};
use tracing::{Instrument, Span, error, warn};

use crate::{app::Cx, error::Error};

/// Pause between two tries to send what waits because payouts are paused.
pub(crate) const PAUSED: Duration = Duration::from_secs(30);

/// Tries to store or read the result of a call, over about 20 s if each fails at once.
const STORE_TRIES: u32 = 14;
/// The pause after the first of these tries; it grows by the same amount each time.
const STORE_PAUSE: Duration = Duration::from_millis(200);
/// Longest that leasing due payments may take.
const TAKE_LIMIT: Duration = Duration::from_secs(10);
/// Longest that one query and storing its result may take; shorter than the drain, and than a
/// lease.
const QUERY_LIMIT: Duration = Duration::from_secs(30);

/// Repeats an attempt until it succeeds, for 20 s at least: what a provider replied must not be lost
/// because the database is away for a moment.
pub(crate) async fn with_retries<T, F, Fut>(what: &str, mut attempt: F) -> Result<T, Error>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Result<T, Error>>,
{
    for tried in 1..STORE_TRIES {
        match attempt().await {
            Ok(done) => return Ok(done),
            Err(error) => warn!(%error, tried, "cannot {what}"),
        }
        tokio::time::sleep(STORE_PAUSE * tried).await;
    }
    attempt().await.inspect_err(|error| error!(%error, "could not {what}"))
}

/// The queries of one kind, of which this process sends a limited number at the same time.
pub(crate) struct Queries {
    name: &'static str,
    permits: Semaphore,
}

impl Queries {
    /// Queries that are named so in the log.
    pub(crate) const fn new(name: &'static str, concurrency: usize) -> Self {
        Self { name, permits: Semaphore::const_new(concurrency) }
    }

    /// Starts as many due queries as there are free permits. `take` leases the payments to query;
    /// `query` returns the span of a query, the trace that it continues, and the query. A slow reply
    /// blocks its own permit alone. After an error the payment is due again when its lease ends.
    pub(crate) async fn start<T, Q>(
        &'static self,
        cx: &Cx,
        take: impl AsyncFnOnce(&mut PgConnection, i64) -> sqlx::Result<Vec<T>>,
        query: impl Fn(Cx, T) -> (Span, Option<String>, Q),
    ) -> Result<Round, Error>
    where
        Q: Future<Output = Result<(), Error>> + Send + 'static,
    {
        let mut permits = tokio::select! {
            permit = self.permits.acquire() => vec![permit.context("the semaphore is closed")?],
            () = cx.shutdown.stopping() => return Ok(Round::Done),
        };
        while let Ok(another) = self.permits.try_acquire() {
            permits.push(another);
        }
        let limit = i64::try_from(permits.len()).unwrap_or(1);
        let taking = async { take(&mut *cx.db.acquire().await?, limit).await };
        let due =
            timeout(TAKE_LIMIT, taking).await.context("the database did not reply in time")??;
        let round = if due.is_empty() { Round::Done } else { Round::More };
        for (item, permit) in due.into_iter().zip(permits) {
            let (span, trace, query) = query(cx.clone(), item);
            telemetry::continue_from(&span, trace.as_deref());
            let task = async move {
                self.run(query).await;
                drop(permit);
            };
            cx.shutdown.spawn_contained(self.name, task.instrument(span));
        }
        Ok(round)
    }

    async fn run(&self, query: impl Future<Output = Result<(), Error>>) {
        match timeout(QUERY_LIMIT, telemetry::observe(query)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => warn!(%error, query = self.name, "a query failed"),
            Err(_) => {
                telemetry::mark_failed("not queried in time");
                warn!(query = self.name, "a query did not end in time");
            }
        }
    }
}
