//! Asking what became of payments that nobody tells us about: callbacks get
//! lost, and Daraja does not repeat them.

use std::time::Duration;

use mesh::telemetry;
use time::OffsetDateTime;
use tracing::{Instrument, info, info_span, warn};

use super::{Cx, settle::settle, tell_watchers};
use crate::{
    clients::daraja::Queried,
    domain::{Evidence, State, next_query},
    error::Error,
    store::{self, payment::OPEN, stk::Push},
};

/// Questions of one round.
const BATCH: i64 = 16;
/// How long one question may take before another replica may ask it.
const LEASE: Duration = Duration::from_mins(1);

/// Asks about every payment that is due; true when there may be more.
pub async fn reconcile(cx: &Cx) -> Result<bool, Error> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    let due = store::stk::take_due(&mut conn, now, now + LEASE, BATCH).await?;
    drop(conn);
    let more = i64::try_from(due.len()).is_ok_and(|taken| taken == BATCH);
    for push in due {
        let span = info_span!(
            parent: None, "wallet.reconcile", payment.id = %push.payment, query = push.queries
        );
        telemetry::continue_from(&span, push.traceparent.as_deref());
        async {
            if let Err(error) = ask(cx, &push, now).await {
                // Its lease brings it back.
                warn!(%error, "a payment could not be reconciled");
            }
        }
        .instrument(span)
        .await;
    }
    Ok(more)
}

async fn ask(cx: &Cx, push: &Push, now: OffsetDateTime) -> Result<(), Error> {
    let answer = match &push.checkout {
        Some(checkout) => cx.daraja.query(checkout).await,
        // We died before Daraja told us its name: there is nothing to ask by.
        None => Queried::Unknown,
    };
    let evidence = match answer {
        Queried::Paid => Some(Evidence::Paid { receipt: None, amount: None, at: None }),
        Queried::Refused(refusal) => Some(Evidence::Refused { refusal }),
        Queried::Pending | Queried::Unknown => None,
    };
    match evidence {
        Some(evidence) => settle(cx, push.payment, &evidence, "query").await,
        None => wait(cx, push, now).await,
    }
}

/// Asks again later, and stops letting the player wait when it took too long.
async fn wait(cx: &Cx, push: &Push, now: OffsetDateTime) -> Result<(), Error> {
    let next = next_query(push.queries).map(|after| (push.begun + after).max(now));
    let mut tx = cx.pool.begin().await?;
    store::stk::set_due(&mut tx, push.payment, next).await?;
    if now >= push.begun + cx.payment_expiry {
        let expired =
            store::payment::advance(&mut tx, push.payment, &OPEN, State::Expired, "no news", now)
                .await?;
        if expired {
            info!("nobody said anything for long enough; expired");
            tell_watchers(&mut tx, cx, push.payment).await?;
        }
    }
    tx.commit().await?;
    cx.bell.ring();
    Ok(())
}
