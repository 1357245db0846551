//! Proving the ledger while it is in use: new postings every 30 seconds, the whole ledger each
//! night.

use mesh::{instrument, jobs::Round};
use metrics::gauge;
use time::{Duration, OffsetDateTime};
use tracing::{error, info};
use types::NAIROBI;

use crate::{
    app::Cx,
    error::Error,
    store::{
        self,
        proof::{Progress, Violation},
    },
};

/// Maximum postings proven per round.
const BATCH: i64 = 50_000;
/// The hour in which the whole ledger is proven, in Nairobi.
const NIGHT: u8 = 3;

/// Proves the postings that are new since the last round.
pub(crate) async fn prove(cx: &Cx) -> Result<Round, Error> {
    let mut tx = cx.db.begin().await?;
    let Some(Progress { proven, settled, .. }) = store::proof::lock(&mut tx).await? else {
        return Ok(Round::Done);
    };
    let to = settled.min(proven + BATCH);
    if to > proven {
        let violations = store::proof::prove_range(&mut tx, proven, to).await?;
        gauge!("ledger_proof_violations", "proof" => "recent").set(count(&violations));
        if !violations.is_empty() {
            // The watermark stays: the next round finds the same violations again, until they are
            // corrected.
            report(&violations);
            return Ok(Round::Done);
        }
        store::proof::set_proven(&mut tx, to, cx.clock.now()).await?;
    }
    if to == settled {
        store::proof::plan(&mut tx).await?;
    }
    tx.commit().await?;
    gauge!("ledger_proven_timestamp_seconds").set(seconds(cx.clock.now()));
    Ok(if to < settled { Round::More } else { Round::Done })
}

/// Proves the whole ledger, once a night.
pub(crate) async fn prove_nightly(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    if !is_night(now) {
        return Ok(Round::Done);
    }
    let mut tx = cx.db.begin().await?;
    let Some(Progress { whole_at, .. }) = store::proof::lock(&mut tx).await? else {
        return Ok(Round::Done);
    };
    if whole_at.is_some_and(|at| now - at < Duration::hours(12)) {
        return Ok(Round::Done);
    }
    prove_whole(cx, tx, now).await?;
    Ok(Round::Done)
}

#[instrument(name = "wallet.prove_whole", skip_all)]
async fn prove_whole(
    cx: &Cx,
    mut tx: mesh::db::Transaction,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let violations = store::proof::prove_whole(&mut tx, now).await?;
    tx.commit().await?;
    gauge!("ledger_proof_violations", "proof" => "whole").set(count(&violations));
    report(&violations);
    let took = cx.clock.now() - now;
    info!(violations = violations.len(), seconds = took.whole_seconds(), "proved the ledger");
    Ok(())
}

fn is_night(now: OffsetDateTime) -> bool {
    now.to_offset(NAIROBI).hour() == NIGHT
}

fn report(violations: &[Violation]) {
    for Violation { broken, what, how } in violations.iter().take(20) {
        error!(broken, what, how, "the ledger is inconsistent");
    }
}

fn count(violations: &[Violation]) -> f64 {
    f64::from(u32::try_from(violations.len()).unwrap_or(u32::MAX))
}

fn seconds(at: OffsetDateTime) -> f64 {
    // The cast is exact for 285 million years.
    #[expect(clippy::cast_precision_loss, reason = "seconds of this era fit")]
    let seconds = at.unix_timestamp() as f64;
    seconds
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn the_night_is_the_one_of_nairobi() {
        assert!(is_night(datetime!(2026-11-20 00:30 UTC)));
        assert!(!is_night(datetime!(2026-11-20 03:30 UTC)));
    }
}
