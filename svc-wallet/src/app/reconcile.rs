//! Asking what became of payments that nobody tells us about: callbacks get
//! lost, and Daraja does not repeat them.

use std::time::Duration;

use anyhow::Context as _;
use mesh::telemetry;
use metrics::counter;
use tokio::{sync::Semaphore, time::timeout};
use tracing::{Instrument, error, info_span, warn};

use super::{Cx, settle::settle};
use crate::{
    clients::daraja::Queried,
    domain::{Evidence, asked_again, next_question},
    error::Error,
    store::{self, stk::Push},
};

/// Questions under way at once.
const AT_ONCE: usize = 16;
/// Longest that one question may take; shorter than the drain.
const QUESTION_LIMIT: Duration = Duration::from_secs(30);
/// Longest that looking for what is due may take.
const TAKE_LIMIT: Duration = Duration::from_secs(10);
/// After this long another replica may ask it; longer than a question takes.
const LEASE: Duration = Duration::from_mins(1);
/// Questions that reached nobody are not all repeated in the same moment.
const JITTER: Duration = Duration::from_secs(3);

/// Sets as many questions that are due on their way as there are places; true when
/// it set any. A slow answer holds up its place, not the others.
pub async fn reconcile(cx: &Cx) -> Result<bool, Error> {
    static PLACES: Semaphore = Semaphore::const_new(AT_ONCE);
    let mut places = tokio::select! {
        place = PLACES.acquire() => vec![place.context("the places are gone")?],
        () = cx.shutdown.stopping() => return Ok(false),
    };
    while let Ok(another) = PLACES.try_acquire() {
        places.push(another);
    }
    let now = cx.clock.now();
    let most = i64::try_from(places.len()).unwrap_or(1);
    let taking = async {
        let mut conn = cx.pool.acquire().await?;
        store::stk::take_due(&mut conn, now, now + LEASE, most).await
    };
    let due = timeout(TAKE_LIMIT, taking).await.context("no answer")??;
    let any = !due.is_empty();
    for (push, place) in due.into_iter().zip(places) {
        let own = cx.clone();
        cx.shutdown.spawn_contained("question", async move {
            question(&own, push).await;
            drop(place);
        });
    }
    Ok(any)
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
        Queried::Paid => Evidence::Paid { receipt: None, amount: None, at: None },
        Queried::Refused(refusal) => Evidence::Refused { refusal },
        Queried::Pending | Queried::Unknown => return wait(cx, push, next_question).await,
        Queried::NotAsked => return wait(cx, push, |age| sooner(cx, age)).await,
    };
    settle(cx, push.payment, &evidence, "query").await?;
    // Also where it changed nothing: there is nothing left to ask.
    let mut conn = cx.pool.acquire().await?;
    store::stk::set_due(&mut conn, push, None).await?;
    Ok(())
}

fn sooner(cx: &Cx, age: Duration) -> Option<Duration> {
    next_question(age).map(|slot| slot.min(asked_again(age) + cx.rng.jitter(JITTER)))
}

/// Asks again at the age that `next` says.
async fn wait(
    cx: &Cx,
    push: &Push,
    next: impl Fn(Duration) -> Option<Duration>,
) -> Result<(), Error> {
    let age = Duration::try_from(cx.clock.now() - push.begun).unwrap_or_default();
    let next = match next(age) {
        // Once more before the player is told that nothing came.
        Some(slot) if age < cx.payment_expiry => Some(slot.min(cx.payment_expiry)),
        slot => slot,
    };
    let mut conn = cx.pool.acquire().await?;
    store::stk::set_due(&mut conn, push, next.map(|slot| push.begun + slot)).await?;
    if next.is_none() {
        counter!("payments_unresolved_total").increment(1);
        error!("Daraja said nothing of a payment for a day; a human must find out");
    }
    Ok(())
}
