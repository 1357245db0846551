//! The rate at which svc-wallet's relay delivers outbox rows.

use std::time::Duration;

use anyhow::Result;
use tokio::time::{Instant, sleep};

use crate::{
    cpu::CpuMeter,
    figures::{Figures, Recorder},
    wallet_db::WalletDb,
};

/// Rows that are put into the outbox at once.
const ROWS: i64 = 10_000;
/// The pause between two counts of the outbox, and so the resolution of the latencies.
const POLL_INTERVAL: Duration = Duration::from_millis(25);
/// The longest that the relay may take.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Inserts rows, and measures until all are delivered.
/// Rows that are left after the timeout are errors.
///
/// Nothing notifies the relay of these rows: every latency includes the time until the
/// relay's next poll, up to a second.
pub(crate) async fn measure(database: &mut WalletDb, meter: &CpuMeter) -> Result<Figures> {
    database.fill_outbox(ROWS).await?;
    let inserted = Instant::now();
    let before = meter.read();
    let mut recorder = Recorder::new()?;
    let mut left = ROWS;
    while left > 0 && inserted.elapsed() < TIMEOUT {
        sleep(POLL_INTERVAL).await;
        let now = database.outbox_rows().await?;
        recorder.successes(inserted.elapsed(), u64::try_from(left - now).unwrap_or_default());
        left = now;
    }
    for _ in 0..left {
        recorder.error("undelivered after two minutes".to_owned());
    }
    let figures = recorder.figures(inserted.elapsed());
    let cpu = meter.read().per_request(&before, figures.count);
    Ok(Figures { cpu, ..figures })
}
