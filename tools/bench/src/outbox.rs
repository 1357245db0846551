//! The rate at which svc-wallet's relay delivers outbox rows.

use std::time::Duration;

use anyhow::{Result, ensure};
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
const TIMEOUT: Duration = Duration::from_mins(1);

/// Inserts rows that announce a changed payment, and measures until all are delivered.
///
/// The time starts with the first delivery: nothing notifies the relay of these rows, so
/// it finds them by its next poll, up to a second later.
pub(crate) async fn measure(database: &mut WalletDb, meter: &CpuMeter) -> Result<Figures> {
    database.fill_outbox(ROWS).await?;
    let inserted = Instant::now();
    let before = meter.read();
    let mut recorder = Recorder::new()?;
    let mut left = ROWS;
    let mut begun = None;
    while left > 0 {
        ensure!(inserted.elapsed() < TIMEOUT, "{left} outbox rows are undelivered after a minute");
        sleep(POLL_INTERVAL).await;
        let now = database.outbox_rows().await?;
        let delivered = u64::try_from(left - now).unwrap_or_default();
        if delivered > 0 {
            let begun = *begun.get_or_insert_with(|| Instant::now() - POLL_INTERVAL);
            recorder.successes(begun.elapsed(), delivered);
        }
        left = now;
    }
    let figures = recorder.figures(begun.map_or(TIMEOUT, |begun| begun.elapsed()));
    let cpu = meter.read().per_request(&before, figures.count);
    Ok(Figures { cpu, ..figures })
}
