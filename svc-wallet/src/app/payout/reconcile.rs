//! Querying Daraja about payouts without an outcome: results get lost, and Daraja does not repeat
//! them. The reply says only that the query is under way; its result comes as a callback.

use std::time::Duration;

use mesh::{entry_span, jobs::Round};
use metrics::counter;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::error;

use crate::{
    app::{Cx, inbox, provider_calls::Queries},
    clients::daraja::QuerySent,
    domain::{CallbackKind, PayoutCase, next_payout_query, retry_at},
    error::Error,
    store::{
        self,
        b2c_payout::{Payout, Purpose},
    },
};

/// Concurrent queries of this process.
const CONCURRENCY: usize = 8;
/// The lease of a payout: afterwards another replica may query it. Longer than a query takes.
const LEASE: Duration = Duration::from_mins(1);
/// The longest random delay before a query that was not sent is repeated.
const JITTER: Duration = Duration::from_secs(3);

/// Starts the queries that are due.
pub(crate) async fn reconcile_payouts(cx: &Cx) -> Result<Round, Error> {
    static QUERIES: Queries = Queries::new("query of a payout", CONCURRENCY);
    let take = async |conn: &mut PgConnection, limit| {
        store::b2c_payout::take_due(conn, cx.clock.now(), LEASE, limit).await
    };
    QUERIES
        .start(cx, take, |cx, payout: Payout| {
            let span = entry_span!(
                parent: None, "wallet.reconcile_payout", payment.id = %payout.payment,
                query = payout.queries
            );
            (span, payout.traceparent.clone(), async move { query(&cx, &payout).await })
        })
        .await
}

async fn query(cx: &Cx, payout: &Payout) -> Result<(), Error> {
    let now = cx.clock.now();
    let secret = inbox::secret::generate(cx, CallbackKind::MpesaStatus);
    let hash = inbox::secret::hash(&secret);
    let mut conn = cx.db.acquire().await?;
    store::b2c_payout::insert_secret(&mut conn, payout.payment, &hash, Purpose::Query, now).await?;
    drop(conn);
    let sent = cx.daraja.query_payout(payout.payment, &secret).await;
    let due = next_query_at(cx, payout.submitted_at.unwrap_or(now), sent);
    let mut tx = cx.db.begin().await?;
    if store::b2c_payout::set_due(&mut tx, payout, due).await? && due.is_none() {
        store::b2c_payout::open_case(&mut tx, payout.payment, PayoutCase::Unknown, now).await?;
        counter!("payouts_unresolved_total").increment(1);
        error!("Daraja had no result for a payout for a day; an operator must look into it");
    }
    tx.commit().await?;
    Ok(())
}

/// Returns when Daraja is queried next about a payout or a reversal that was submitted at this time;
/// `None` after a day. A query that was not sent is repeated sooner.
pub(crate) fn next_query_at(
    cx: &Cx,
    submitted: OffsetDateTime,
    sent: QuerySent,
) -> Option<OffsetDateTime> {
    let age = Duration::try_from(cx.clock.now() - submitted).unwrap_or_default();
    let slot = next_payout_query(age)?;
    let slot = match sent {
        QuerySent::Accepted => slot,
        QuerySent::NotSent => slot.min(retry_at(age) + cx.rng.jitter(JITTER)),
    };
    Some(submitted + slot)
}
