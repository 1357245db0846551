//! Storing a payment, whatever its method.

use mesh::{
    idempotency::{Fingerprint, RequestId},
    telemetry,
};
use sqlx::PgConnection;

use crate::{
    domain::{Limits, Method, Payment, Period, SpendingKind, check_spending_limits},
    error::{Error, Refused},
    store,
};

/// The request id and the fingerprint of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt<'a> {
    pub(super) request: &'a RequestId,
    /// A digest of the request's content.
    pub(super) fingerprint: &'a Fingerprint,
}

/// Stores a payment; false when the payer has used the request's id before.
pub(super) async fn insert(
    conn: &mut PgConnection,
    payment: &Payment,
    attempt: Attempt<'_>,
) -> Result<bool, Error> {
    let (request, fingerprint) = (attempt.request, attempt.fingerprint);
    let traceparent = telemetry::traceparent();
    let stored =
        store::payment::insert(conn, payment, request, fingerprint, traceparent.as_deref());
    Ok(stored.await?)
}

/// Refuses a stored payment that exceeds the daily limit of its payer (into PlayOn, or out of the
/// wallet), or a limit that the payer has set.
pub(super) async fn check_limits(conn: &mut PgConnection, payment: &Payment) -> Result<(), Error> {
    store::payment::lock_payer(conn, payment.payer).await?;
    let since = Period::Day.begin(payment.created_at);
    let today = store::payment::paid_since(conn, payment, since).await?;
    let limits = Limits::paying_in(payment.method == Method::Mpesa);
    limits.check_daily(payment.amount, today).map_err(Refused::Limits)?;
    check_spending(conn, payment).await
}

/// Refuses a stored payment that exceeds a limit that its payer has set. The lock of the payer makes
/// a change of the limit, and other payments, wait.
pub(super) async fn check_spending(
    conn: &mut PgConnection,
    payment: &Payment,
) -> Result<(), Error> {
    let Payment { payer, amount, created_at: now, .. } = *payment;
    let Some(kind) = SpendingKind::of(payment) else { return Ok(()) };
    store::payment::lock_payer(conn, payer).await?;
    let mut limits = store::spending_limit::list(conn, payer).await?;
    limits.retain(|limit| limit.kind == kind && limit.at(now).limit.is_some());
    if limits.is_empty() {
        return Ok(());
    }
    let spent = store::payment::spent(conn, payer, now, Some(payment.id)).await?;
    let checked = check_spending_limits(&limits, kind, amount, &spent, now);
    Ok(checked.map_err(Refused::SpendingLimit)?)
}
