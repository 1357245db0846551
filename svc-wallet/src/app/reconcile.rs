//! Asking what became of payments that nobody tells us about: callbacks get
//! lost, and Daraja does not repeat them.

use std::time::Duration;

use anyhow::Context as _;
use futures_util::future::join_all;
use mesh::telemetry;
use metrics::counter;
use tokio::time::timeout;
use tracing::{Instrument, error, info, info_span, warn};

use super::{Cx, settle::settle, tell_watchers};
use crate::{
    clients::daraja::Queried,
    domain::{Evidence, State, next_question},
    error::Error,
    store::{self, payment::OPEN, stk::Push},
};

/// Questions of one round, asked side by side.
const BATCH: i64 = 16;
/// Longest that one question may take; shorter than the drain.
const QUESTION_LIMIT: Duration = Duration::from_secs(30);
/// Longest that looking for what is due may take.
const TAKE_LIMIT: Duration = Duration::from_secs(10);
/// After this long another replica may ask it; longer than a question takes.
const LEASE: Duration = Duration::from_mins(1);

/// Asks about every payment that is due; true when there may be more.
pub async fn reconcile(cx: &Cx) -> Result<bool, Error> {
    let now = cx.clock.now();
    let taking = async {
        let mut conn = cx.pool.acquire().await?;
        store::stk::take_due(&mut conn, now, now + LEASE, BATCH).await
    };
    let due = timeout(TAKE_LIMIT, taking).await.context("no answer")??;
    let more = i64::try_from(due.len()).is_ok_and(|taken| taken == BATCH);
    join_all(due.into_iter().map(|push| question(cx, push))).await;
    Ok(more)
}

/// One question, in the trace of the tap.
async fn question(cx: &Cx, push: Push) {
    let span = info_span!(
        parent: None, "wallet.reconcile", payment.id = %push.payment, query = push.queries
    );
    telemetry::continue_from(&span, push.traceparent.as_deref());
    async {
        match timeout(QUESTION_LIMIT, ask(cx, &push)).await {
            Ok(Ok(())) => {}
            // Its lease brings it back.
            Ok(Err(error)) => warn!(%error, "a payment could not be reconciled"),
            Err(_) => warn!("a payment was not reconciled in time"),
        }
    }
    .instrument(span)
    .await;
}

async fn ask(cx: &Cx, push: &Push) -> Result<(), Error> {
    let answer = match &push.checkout {
        Some(checkout) => cx.daraja.query(checkout).await,
        // Daraja's reply to the push was lost: there is nothing to ask by.
        None => Queried::Unknown,
    };
    let evidence = match answer {
        Queried::Paid => Some(Evidence::Paid { receipt: None, amount: None, at: None }),
        Queried::Refused(refusal) => Some(Evidence::Refused { refusal }),
        Queried::Pending | Queried::Unknown => None,
    };
    match evidence {
        Some(evidence) => {
            settle(cx, push.payment, &evidence, "query").await?;
            // Also where it changed nothing: there is nothing left to ask.
            let mut conn = cx.pool.acquire().await?;
            store::stk::set_due(&mut conn, push, None).await?;
            Ok(())
        }
        None => wait(cx, push).await,
    }
}

/// Asks again later, and stops letting the player wait when it took too long.
async fn wait(cx: &Cx, push: &Push) -> Result<(), Error> {
    let now = cx.clock.now();
    let age = Duration::try_from(now - push.begun).unwrap_or_default();
    let mut tx = cx.pool.begin().await?;
    // In the order in which settling takes its locks.
    let payment = store::payment::lock(&mut tx, push.payment).await?;
    let next = match next_question(age) {
        // Not later than the moment when the player is told that nothing came.
        Some(slot) if age < cx.payment_expiry => Some(slot.min(cx.payment_expiry)),
        slot => slot,
    };
    store::stk::set_due(&mut tx, push, next.map(|slot| push.begun + slot)).await?;
    if age >= cx.payment_expiry && !payment.state.is_final() {
        let expired = State::Expired;
        store::payment::advance(&mut tx, push.payment, &OPEN, expired, "no news", now).await?;
        info!("nobody said anything for long enough; expired");
        tell_watchers(&mut tx, cx, push.payment).await?;
    }
    tx.commit().await?;
    cx.bell.ring();
    if next.is_none() {
        counter!("payments_unresolved_total").increment(1);
        error!("Daraja said nothing of a payment for a day; a human must find out");
    }
    Ok(())
}
