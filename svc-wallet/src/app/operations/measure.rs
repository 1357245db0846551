//! The figures that operators are alarmed about, as metrics. Each replica has the same figures, so
//! an alarm takes the highest.

use mesh::jobs::Round;
use metrics::gauge;
use types::Money;

use super::cases::UNKNOWN_AFTER;
use crate::{app::Cx, domain::Day, error::Error, store};

/// Reads the figures and sets the metrics.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
pub(crate) async fn measure(cx: &Cx) -> Result<Round, Error> {
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let measured = store::daily_job::measure(&mut conn, now - UNKNOWN_AFTER, now).await?;
    let floats = store::daily_job::floats(&mut conn).await?;
    let jobs = store::daily_job::jobs(&mut conn).await?;
    let pause = store::payout_pause::read(&mut conn).await?;
    drop(conn);
    gauge!("money_payouts_paused").set(f64::from(pause.is_on()));
    gauge!("money_unknown_payouts").set(measured.unknown_payouts as f64);
    gauge!("money_unknown_reversals").set(measured.unknown_reversals as f64);
    gauge!("money_suspense_kes").set(shillings(measured.suspended));
    gauge!("money_second_receipts").set(measured.second_receipts as f64);
    gauge!("money_charges_in_doubt").set(measured.charges_in_doubt as f64);
    gauge!("money_overdue_reviews").set(measured.overdue_reviews as f64);
    gauge!("money_open_breaks").set(measured.open_breaks as f64);
    gauge!("money_waiting_operations").set(measured.waiting_operations as f64);
    for (provider, available) in floats {
        gauge!("money_float_kes", "provider" => provider).set(shillings(available));
    }
    for (job, done_for, found) in jobs {
        let behind = (Day::last(now).0 - done_for).whole_days();
        gauge!("daily_job_days_behind", "job" => job.clone()).set(behind as f64);
        gauge!("daily_job_found", "job" => job).set(found as f64);
    }
    Ok(Round::Done)
}

/// Returns the whole shillings of an amount.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
fn shillings(amount: Money) -> f64 {
    (amount.cents() / 100) as f64
}
