//! Storing a payment, whatever its method.

use mesh::{
    idempotency::{Fingerprint, RequestId},
    telemetry,
};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::{
    domain::{Limits, Method, NAIROBI, Payment},
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

/// Refuses a stored payment that exceeds the daily limit of its payer: into PlayOn, or out of the
/// wallet.
pub(super) async fn check_daily(conn: &mut PgConnection, payment: &Payment) -> Result<(), Error> {
    store::payment::lock_payer(conn, payment.payer).await?;
    let since = midnight(payment.created_at);
    let today = store::payment::paid_since(conn, payment, since).await?;
    let limits = Limits::paying_in(payment.method == Method::Mpesa);
    Ok(limits.check_daily(payment.amount, today).map_err(Refused::Limits)?)
}

/// Returns the beginning of the daily limit's day: midnight in Nairobi.
fn midnight(now: OffsetDateTime) -> OffsetDateTime {
    now.to_offset(NAIROBI).replace_time(time::Time::MIDNIGHT)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn the_day_begins_at_midnight_in_nairobi() {
        let late = datetime!(2026-11-20 22:30 UTC);
        assert_eq!(midnight(late), datetime!(2026-11-21 00:00 +3));
    }
}
