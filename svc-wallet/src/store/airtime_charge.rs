//! `airtime_charge`: charges to airtime, with the consent to each.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, Msisdn, PlayerId};

use crate::domain::PaymentId;

/// A charge as it is stored first.
#[derive(Debug, Clone)]
pub(crate) struct NewCharge<'a> {
    pub(crate) payment: PaymentId,
    /// Our id of the charge at the carrier.
    pub(crate) request_id: &'a str,
    pub(crate) phone: &'a Msisdn,
    pub(crate) consent: Consent<'a>,
    pub(crate) query_due_at: OffsetDateTime,
}

/// A player's consent to a charge.
#[derive(Debug, Clone)]
pub(crate) struct Consent<'a> {
    pub(crate) at: OffsetDateTime,
    /// The version of the text that the player read.
    pub(crate) version: &'a str,
    pub(crate) player: PlayerId,
    /// The id of the request that gave the consent.
    pub(crate) request: &'a str,
    pub(crate) amount: Money,
}

/// Stores a charge that is to be sent.
#[statement]
pub(crate) async fn insert(conn: &mut PgConnection, charge: &NewCharge<'_>) -> sqlx::Result<()> {
    let consent = &charge.consent;
    sqlx::query!(
        "INSERT INTO airtime_charge (payment_id, request_id, msisdn, consented_at,
             consent_version, consent_player, consent_request, consent_cents, query_due_at,
             created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $4)",
        charge.payment.uuid(),
        charge.request_id,
        charge.phone.digits(),
        consent.at,
        consent.version,
        consent.player.uuid(),
        consent.request,
        consent.amount.cents(),
        charge.query_due_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Our id of the charge at the carrier.
#[statement]
pub(crate) async fn request_id(
    conn: &mut PgConnection,
    payment: PaymentId,
) -> sqlx::Result<String> {
    sqlx::query_scalar!(
        "SELECT request_id FROM airtime_charge WHERE payment_id = $1",
        payment.uuid()
    )
    .fetch_one(conn)
    .await
}

/// Returns the payment of a charge, and its phone as twelve digits, by our id at the carrier.
#[statement]
pub(crate) async fn find_by_request(
    conn: &mut PgConnection,
    request_id: &str,
) -> sqlx::Result<Option<(PaymentId, String)>> {
    let row = sqlx::query!(
        "SELECT payment_id, msisdn FROM airtime_charge WHERE request_id = $1",
        request_id
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.payment_id.into(), row.msisdn)))
}

/// Stores the code that ended the payment. The charge is not due again.
#[statement]
pub(crate) async fn set_result(
    conn: &mut PgConnection,
    payment: PaymentId,
    result: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE airtime_charge SET result = $2, query_due_at = NULL WHERE payment_id = $1",
        payment.uuid(),
        result
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores the receipt, unless there is one; returns the receipt that is stored. Violates
/// `airtime_charge_receipt` when another payment has the receipt.
#[statement]
pub(crate) async fn set_receipt(
    conn: &mut PgConnection,
    payment: PaymentId,
    receipt: &str,
    paid_at: Option<OffsetDateTime>,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE airtime_charge
         SET receipt = coalesce(receipt, $2), paid_at = coalesce(paid_at, $3)
         WHERE payment_id = $1 RETURNING receipt",
        payment.uuid(),
        receipt,
        paid_at
    )
    .fetch_one(conn)
    .await
}

/// Returns the charges without a result that were due at `now`; they are not returned again. The
/// carrier has no query: only its notification or its statement settles them.
pub(crate) async fn give_up_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<PaymentId>> {
    let rows = sqlx::query_scalar!(
        "UPDATE airtime_charge SET query_due_at = NULL, queries = queries + 1
         WHERE payment_id IN (
             SELECT payment_id FROM airtime_charge WHERE query_due_at <= $1
             ORDER BY query_due_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ) RETURNING payment_id",
        now,
        limit
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(PaymentId::from).collect())
}
