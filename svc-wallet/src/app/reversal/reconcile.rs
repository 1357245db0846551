//! Querying Daraja about reversals without an outcome: results get lost, and Daraja does not repeat
//! them. The reply says only that the query is under way; its result comes as a callback.
//!
//! A query that finds the receipt reversed ends the reversal. A receipt that is not reversed proves
//! nothing, so after a day the reversal is a case for the operators.

use std::time::Duration;

use mesh::{entry_span, jobs::Round, telemetry};
use metrics::counter;
use time::OffsetDateTime;
use tracing::{Instrument, error, warn};

use crate::{
    app::{
        Cx, inbox,
        reversal::settle::{ReversalEvidence, settle_reversal},
    },
    clients::daraja::QuerySent,
    domain::{
        MpesaReversal, ReversalCase, ReversalEvent, ReversalState, next_payout_query, retry_at,
    },
    error::Error,
    store::{self, mpesa_reversal::Purpose},
};

/// Maximum reversals per round.
const BATCH: i64 = 8;
/// The lease of a reversal: afterwards another replica may query it. Longer than a round takes.
const LEASE: Duration = Duration::from_mins(10);
/// Longest that one query may take.
const QUERY_LIMIT: Duration = Duration::from_secs(30);
/// The longest random delay before a query that was not sent is repeated.
const JITTER: Duration = Duration::from_secs(3);
/// Age at which a reversal without a result is UNKNOWN, and an operator may act.
const OVERDUE_AFTER: Duration = Duration::from_hours(1);

/// Queries Daraja about the reversals that are due.
pub(crate) async fn reconcile_reversals(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let due = store::mpesa_reversal::take_due(&mut conn, cx.clock.now(), LEASE, BATCH).await?;
    drop(conn);
    let round = if due.is_empty() { Round::Done } else { Round::More };
    for reversal in due {
        reconcile(cx, &reversal).await;
    }
    Ok(round)
}

/// Queries Daraja about one reversal, in the trace of its operation.
async fn reconcile(cx: &Cx, reversal: &MpesaReversal) {
    let span = entry_span!(
        parent: None, "wallet.reconcile_reversal", reversal.id = %reversal.id,
        query = reversal.queries
    );
    telemetry::continue_from(&span, reversal.traceparent.as_deref());
    async {
        let querying = telemetry::observe(query(cx, reversal));
        match tokio::time::timeout(QUERY_LIMIT, querying).await {
            Ok(Ok(())) => {}
            // A query that fails must not hold up the others. The reversal is due again when its
            // lease ends.
            Ok(Err(error)) => warn!(%error, "cannot query a reversal"),
            Err(_) => {
                telemetry::mark_failed("not queried in time");
                warn!("a reversal was not queried in time");
            }
        }
    }
    .instrument(span)
    .await;
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
    let slot = next_payout_query(age);
    let slot = match sent {
        QuerySent::Accepted => slot,
        QuerySent::NotSent => slot.map(|slot| slot.min(retry_at(age) + cx.rng.jitter(JITTER))),
    };
    let mut tx = cx.db.begin().await?;
    let due = slot.map(|slot| submitted + slot);
    let is_ours = store::mpesa_reversal::set_due(&mut tx, reversal, due).await?;
    if is_ours && slot.is_none() {
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
    let secret = inbox::secret::generate(&cx.rng);
    let hash = inbox::secret::hash(&secret);
    let mut conn = cx.db.acquire().await?;
    let secret_of = (Purpose::Query, reversal.attempts);
    store::mpesa_reversal::insert_secret(&mut conn, reversal.id, &hash, secret_of, now).await?;
    drop(conn);
    Ok(cx.daraja.query_reversal(reversal.id, &reversal.receipt, &secret).await)
}
