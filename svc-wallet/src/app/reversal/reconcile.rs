//! Querying Daraja about reversals without an outcome: results get lost, and Daraja does not repeat
//! them. The reply says only that the query is under way; its result comes as a callback.
//!
//! A query that finds the receipt reversed ends the reversal. A receipt that is not reversed proves
//! nothing, so after a day the reversal is a case for the operators.

use std::time::Duration;

use mesh::{entry_span, jobs::Round};
use metrics::counter;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::error;

use crate::{
    app::{
        Cx, inbox,
        payout::reconcile::next_query_at,
        provider_calls::Queries,
        reversal::settle::{ReversalEvidence, settle_reversal},
    },
    clients::daraja::QuerySent,
    domain::{CallbackKind, MpesaReversal, ReversalCase, ReversalEvent, ReversalState},
    error::Error,
    store::{self, mpesa_reversal::Purpose},
};

/// Concurrent queries of this process.
const CONCURRENCY: usize = 8;
/// The lease of a reversal: afterwards another replica may query it. Longer than a query takes.
const LEASE: Duration = Duration::from_mins(1);
/// Age at which a reversal without a result is UNKNOWN, and an operator may act.
const OVERDUE_AFTER: Duration = Duration::from_hours(1);

/// Starts the queries that are due.
pub(crate) async fn reconcile_reversals(cx: &Cx) -> Result<Round, Error> {
    static QUERIES: Queries = Queries::new("query of a reversal", CONCURRENCY);
    let take = async |conn: &mut PgConnection, limit| {
        store::mpesa_reversal::take_due(conn, cx.clock.now(), LEASE, limit).await
    };
    QUERIES
        .start(cx, take, |cx, reversal: MpesaReversal| {
            let span = entry_span!(
                parent: None, "wallet.reconcile_reversal", reversal.id = %reversal.id,
                query = reversal.queries
            );
            (span, reversal.traceparent.clone(), async move { query(&cx, &reversal).await })
        })
        .await
}

async fn query(cx: &Cx, reversal: &MpesaReversal) -> Result<(), Error> {
    let (id, now) = (reversal.id, cx.clock.now());
    let submitted = reversal.submitted_at.unwrap_or(now);
    let age = Duration::try_from(now - submitted).unwrap_or_default();
    // For a reversal in SUBMITTING, the process that claimed it died, or has no database.
    if reversal.state == ReversalState::Submitting || age >= OVERDUE_AFTER {
        settle_reversal(cx, id, ReversalEvidence::new(ReversalEvent::Overdue, "")).await?;
    }
    let sent = send_query(cx, reversal, now).await?;
    let due = next_query_at(cx, submitted, sent);
    let mut tx = cx.db.begin().await?;
    if store::mpesa_reversal::set_due(&mut tx, reversal, due).await? && due.is_none() {
        store::mpesa_reversal::open_case(&mut tx, id, ReversalCase::Unknown, now).await?;
        counter!("mpesa_reversals_unresolved_total").increment(1);
        error!("Daraja had no result for a reversal for a day; an operator must look into it");
    }
    tx.commit().await?;
    Ok(())
}

/// Sends a query. Its secret is stored only when Daraja can be queried, because secrets are never
/// deleted.
async fn send_query(
    cx: &Cx,
    reversal: &MpesaReversal,
    now: OffsetDateTime,
) -> Result<QuerySent, Error> {
    if !cx.daraja.can_initiate().await {
        return Ok(QuerySent::NotSent);
    }
    let secret = inbox::secret::generate(cx, CallbackKind::MpesaStatus);
    let hash = inbox::secret::hash(&secret);
    let mut conn = cx.db.acquire().await?;
    let secret_of = (Purpose::Query, reversal.attempts);
    store::mpesa_reversal::insert_secret(&mut conn, reversal.id, &hash, secret_of, now).await?;
    drop(conn);
    Ok(cx.daraja.query_reversal(reversal.id, &reversal.receipt, &secret).await)
}
