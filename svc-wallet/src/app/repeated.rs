//! Requests that are sent twice under one request id.

use mesh::idempotency::{Fingerprint, RequestId};
use sqlx::PgConnection;
use types::PlayerId;

use crate::{domain::Payment, error::Error, store};

/// Returns the payment of an earlier request with this id. Refused when that request had other
/// content.
pub(super) async fn find_repeated(
    conn: &mut PgConnection,
    payer: PlayerId,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Option<Payment>, Error> {
    let Some((payment, first)) = store::payment::find_request(conn, payer, request).await? else {
        return Ok(None);
    };
    fingerprint.matches(&first)?;
    Ok(Some(payment))
}

/// Returns the payment of the same request that another transaction committed meanwhile.
pub(super) async fn get_concurrent(
    conn: &mut PgConnection,
    payer: PlayerId,
    request: &RequestId,
    fingerprint: &Fingerprint,
) -> Result<Payment, Error> {
    find_repeated(conn, payer, request, fingerprint).await?.ok_or(Error::Conflict)
}
