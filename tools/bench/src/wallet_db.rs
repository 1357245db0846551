//! What the wallet's own database says after the run.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use sqlx::{Connection as _, PgConnection, Row as _};
use tokio::time::{Instant, sleep};

use crate::target::LocalDatabase;

/// No row comes back, or the ledger is broken.
const PROOF: &str = include_str!("../../../svc-wallet/proof.sql");
/// Longest that the outbox is watched.
const PATIENCE: Duration = Duration::from_mins(1);
/// Between two looks at it.
const LOOK: Duration = Duration::from_millis(100);

/// What the transfers left to be delivered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Backlog {
    /// Rows of the outbox when the load stopped.
    pub(crate) rows: i64,
    /// How long it took until there was none.
    pub(crate) drained: Duration,
}

/// A look into the wallet's database.
pub(crate) struct WalletDb(PgConnection);

impl WalletDb {
    /// Connects.
    pub(crate) async fn open(database: &LocalDatabase) -> Result<Self> {
        let connection = PgConnection::connect_with(database.options()).await;
        Ok(Self(connection.context("cannot reach the wallet's database")?))
    }

    /// Waits until all news of the transfers are delivered: load that the
    /// outbox cannot keep up with shows here and nowhere else.
    pub(crate) async fn drain(&mut self) -> Result<Backlog> {
        let begun = Instant::now();
        let rows = self.outbox().await?;
        let mut left = rows;
        while left > 0 {
            if begun.elapsed() > PATIENCE {
                bail!("{left} of {rows} outbox rows are undelivered after a minute");
            }
            sleep(LOOK).await;
            left = self.outbox().await?;
        }
        Ok(Backlog { rows, drained: begun.elapsed() })
    }

    /// Asks the proof; fails with its rows.
    pub(crate) async fn prove(&mut self) -> Result<()> {
        let rows = sqlx::query(PROOF).fetch_all(&mut self.0).await.context("no proof")?;
        let mut broken = Vec::new();
        for row in rows.iter().take(10) {
            let (what, which): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            let how: Option<String> = row.try_get(2)?;
            broken.push(format!("{what}: {which} ({})", how.unwrap_or_default()));
        }
        if broken.is_empty() {
            return Ok(());
        }
        bail!("the ledger is broken, {} row(s):\n{}", rows.len(), broken.join("\n"))
    }

    async fn outbox(&mut self) -> Result<i64> {
        let count = sqlx::query_scalar("SELECT count(*) FROM outbox").fetch_one(&mut self.0).await;
        count.context("cannot count the outbox")
    }
}
