//! Queries on svc-wallet's database: the proof of the ledger, and its outbox.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use sqlx::{Connection as _, PgConnection, Row as _};
use tokio::time::sleep;

use crate::address::LocalDatabase;

/// Returns a row for every fault in the ledger.
const PROOF: &str = include_str!("../../../svc-wallet/proof.sql");
/// The longest that the outbox may take to become empty.
const DRAIN_TIMEOUT: Duration = Duration::from_mins(1);
/// The pause between two counts of the outbox.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Faults of the ledger that are printed.
const MAX_FAULTS: usize = 10;

/// The rows that a scenario left in the outbox.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Backlog {
    /// Rows in the outbox when the load stopped.
    pub(crate) rows: i64,
    /// How long it took until the outbox was empty.
    pub(crate) drained: Duration,
}

/// A connection to svc-wallet's database.
pub(crate) struct WalletDb(PgConnection);

impl WalletDb {
    pub(crate) async fn open(database: &LocalDatabase) -> Result<Self> {
        let conn = PgConnection::connect_with(database.options()).await;
        Ok(Self(conn.context("cannot connect to svc-wallet's database")?))
    }

    /// Waits until the outbox is empty: whether the relay keeps up with the load shows
    /// here only.
    pub(crate) async fn drain_outbox(&mut self) -> Result<Backlog> {
        let begun = Instant::now();
        let rows = self.outbox_rows().await?;
        let mut left = rows;
        while left > 0 {
            if begun.elapsed() > DRAIN_TIMEOUT {
                bail!("{left} of {rows} outbox rows are undelivered after a minute");
            }
            sleep(POLL_INTERVAL).await;
            left = self.outbox_rows().await?;
        }
        Ok(Backlog { rows, drained: begun.elapsed() })
    }

    /// The number of rows in the outbox.
    pub(crate) async fn outbox_rows(&mut self) -> Result<i64> {
        let count = sqlx::query_scalar("SELECT count(*) FROM outbox").fetch_one(&mut self.0).await;
        count.context("cannot count the outbox")
    }

    /// Runs the proof of the ledger and returns how long it took; fails with the faults.
    pub(crate) async fn prove(&mut self) -> Result<Duration> {
        let begun = Instant::now();
        let rows = sqlx::query(PROOF).fetch_all(&mut self.0).await;
        let rows = rows.context("the proof of the ledger cannot run")?;
        let mut faults = Vec::new();
        for row in rows.iter().take(MAX_FAULTS) {
            let (broken, what): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            let how: Option<String> = row.try_get(2)?;
            faults.push(format!("{broken}: {what} ({})", how.unwrap_or_default()));
        }
        if faults.is_empty() {
            return Ok(begun.elapsed());
        }
        bail!("the ledger has {} fault(s):\n{}", rows.len(), faults.join("\n"))
    }
}
