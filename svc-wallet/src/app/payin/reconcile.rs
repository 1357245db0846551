//! Querying Daraja about open payments: callbacks get lost, and Daraja does not repeat
//! them.

use std::time::Duration;

use mesh::{entry_span, jobs::Round};
use metrics::counter;
use sqlx::PgConnection;
use tracing::error;

use crate::{
    app::{Cx, payin::settle::settle, provider_calls::Queries},
    clients::daraja::QueryResult,
    domain::{Evidence, next_query, retry_at},
    error::Error,
    store::{self, stk_push::Push},
};

/// Concurrent queries of this process.
const CONCURRENCY: usize = 16;
/// The lease of a push: afterwards another replica may query it. Longer than a query takes.
const LEASE: Duration = Duration::from_mins(1);
/// The longest random delay before a query that was not sent is repeated, so that not all
/// of them are repeated at the same moment.
const JITTER: Duration = Duration::from_secs(3);

/// Starts the queries that are due.
pub(crate) async fn reconcile(cx: &Cx) -> Result<Round, Error> {
    static QUERIES: Queries = Queries::new("query of a push", CONCURRENCY);
    let take = async |conn: &mut PgConnection, limit| {
        store::stk_push::take_due(conn, cx.clock.now(), LEASE, limit).await
    };
    QUERIES
        .start(cx, take, |cx, push: Push| {
            let span = entry_span!(
                parent: None, "wallet.reconcile", payment.id = %push.payment, query = push.queries
            );
            (span, push.traceparent.clone(), async move { query(&cx, &push).await })
        })
        .await
}

async fn query(cx: &Cx, push: &Push) -> Result<(), Error> {
    let result = match &push.checkout_request_id {
        Some(checkout) => cx.daraja.query(checkout).await,
        // Daraja's reply to the push was lost: without the checkout's id nothing can be
        // queried.
        None => QueryResult::Unknown,
    };
    let evidence = match result {
        QueryResult::Paid => Evidence::Paid { receipt: None, amount: None, at: None },
        QueryResult::Refused(refusal) => Evidence::Refused { refusal },
        QueryResult::Pending | QueryResult::Unknown => {
            return plan_next(cx, push, next_query).await;
        }
        QueryResult::NotSent => return plan_next(cx, push, |age| retry_soon(cx, age)).await,
    };
    settle(cx, push.payment, &evidence, "query").await?;
    // The result of a query is final, so no further one is due, even if nothing changed.
    let mut conn = cx.db.acquire().await?;
    store::stk_push::set_due(&mut conn, push, None).await?;
    Ok(())
}

fn retry_soon(cx: &Cx, age: Duration) -> Option<Duration> {
    next_query(age).map(|slot| slot.min(retry_at(age) + cx.rng.jitter(JITTER)))
}

/// Plans the next query at the payment age that `next` returns.
async fn plan_next(
    cx: &Cx,
    push: &Push,
    next: impl Fn(Duration) -> Option<Duration>,
) -> Result<(), Error> {
    let age = Duration::try_from(cx.clock.now() - push.created_at).unwrap_or_default();
    let next = match next(age) {
        // Plan one query right before the payment expires.
        Some(slot) if age < cx.payment_expiry => Some(slot.min(cx.payment_expiry)),
        slot => slot,
    };
    let mut conn = cx.db.acquire().await?;
    store::stk_push::set_due(&mut conn, push, next.map(|slot| push.created_at + slot)).await?;
    if next.is_none() {
        counter!("payments_unresolved_total").increment(1);
        error!("Daraja had no result for a payment for a day; an operator must look into it");
    }
    Ok(())
}
