//! Querying Daraja about payouts without an outcome: results get lost, and Daraja does not repeat
//! them. The reply says only that the query is under way; its result comes as a callback.

use std::time::Duration;

use anyhow::Context as _;
use mesh::{entry_span, jobs::Round, telemetry};
use metrics::counter;
use tokio::{sync::Semaphore, time::timeout};
use tracing::{Instrument, error, warn};

use crate::{
    app::{Cx, inbox},
    clients::daraja::QuerySent,
    domain::{PayoutCase, next_payout_query, retry_at},
    error::Error,
    store::{
        self,
        b2c_payout::{Payout, Purpose},
    },
};

/// Concurrent queries of this process.
const CONCURRENCY: usize = 8;
/// Longest that one query may take; shorter than the drain.
const QUERY_LIMIT: Duration = Duration::from_secs(30);
/// Longest that leasing due payouts may take.
const TAKE_LIMIT: Duration = Duration::from_secs(10);
/// The lease of a payout: afterwards another replica may query it. Longer than a query takes.
const LEASE: Duration = Duration::from_mins(1);
/// The longest random delay before a query that was not sent is repeated.
const JITTER: Duration = Duration::from_secs(3);

/// Starts as many due queries as there are free permits.
pub(crate) async fn reconcile_payouts(cx: &Cx) -> Result<Round, Error> {
    static PERMITS: Semaphore = Semaphore::const_new(CONCURRENCY);
    let mut permits = tokio::select! {
        permit = PERMITS.acquire() => vec![permit.context("the semaphore is closed")?],
        () = cx.shutdown.stopping() => return Ok(Round::Done),
    };
    while let Ok(another) = PERMITS.try_acquire() {
        permits.push(another);
    }
    let limit = i64::try_from(permits.len()).unwrap_or(1);
    let taking = async {
        let mut conn = cx.db.acquire().await?;
        store::b2c_payout::take_due(&mut conn, cx.clock.now(), LEASE, limit).await
    };
    let due = timeout(TAKE_LIMIT, taking).await.context("the database did not reply in time")??;
    let round = if due.is_empty() { Round::Done } else { Round::More };
    for (payout, permit) in due.into_iter().zip(permits) {
        let own = cx.clone();
        cx.shutdown.spawn_contained("payout query", async move {
            reconcile(&own, payout).await;
            drop(permit);
        });
    }
    Ok(round)
}

/// Queries Daraja about one payout, in the trace of its withdrawal.
async fn reconcile(cx: &Cx, payout: Payout) {
    let span = entry_span!(
        parent: None, "wallet.reconcile_payout", payment.id = %payout.payment,
        query = payout.queries
    );
    telemetry::continue_from(&span, payout.traceparent.as_deref());
    async {
        match timeout(QUERY_LIMIT, telemetry::observe(query(cx, &payout))).await {
            Ok(Ok(())) => {}
            // The payout is due again when its lease ends.
            Ok(Err(error)) => warn!(%error, "cannot query a payout"),
            Err(_) => {
                telemetry::mark_failed("not queried in time");
                warn!("a payout was not queried in time");
            }
        }
    }
    .instrument(span)
    .await;
}

async fn query(cx: &Cx, payout: &Payout) -> Result<(), Error> {
    let now = cx.clock.now();
    let secret = inbox::secret::generate(&cx.rng);
    let hash = inbox::secret::hash(&secret);
    let mut conn = cx.db.acquire().await?;
    store::b2c_payout::insert_secret(&mut conn, payout.payment, &hash, Purpose::Query, now).await?;
    drop(conn);
    let sent = cx.daraja.query_payout(payout.payment, &secret).await;
    let submitted = payout.submitted_at.unwrap_or(now);
    let age = Duration::try_from(cx.clock.now() - submitted).unwrap_or_default();
    let slot = next_payout_query(age);
    let slot = match sent {
        QuerySent::Accepted => slot,
        QuerySent::NotSent => slot.map(|slot| slot.min(retry_at(age) + cx.rng.jitter(JITTER))),
    };
    let mut tx = cx.db.begin().await?;
    let is_ours =
        store::b2c_payout::set_due(&mut tx, payout, slot.map(|slot| submitted + slot)).await?;
    if is_ours && slot.is_none() {
        store::b2c_payout::open_case(&mut tx, payout.payment, PayoutCase::Unknown, now).await?;
        counter!("payouts_unresolved_total").increment(1);
        error!("Daraja had no result for a payout for a day; an operator must look into it");
    }
    tx.commit().await?;
    Ok(())
}
