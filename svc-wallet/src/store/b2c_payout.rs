//! `b2c_payout`, `b2c_secret`: payouts to phones, and when to query Daraja about them.

use std::time::Duration;

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, Msisdn};

use crate::domain::{PaymentId, PayoutCase, Review};

/// A payout.
#[derive(Debug, Clone)]
pub(crate) struct Payout {
    pub(crate) payment: PaymentId,
    /// The phone that gets the money, as twelve digits.
    pub(crate) msisdn: String,
    /// Daraja's id of the payout, from its reply; from a result, if the reply was lost.
    pub(crate) conversation_id: Option<String>,
    /// The time at which the payout was sent to Daraja.
    pub(crate) submitted_at: Option<OffsetDateTime>,
    /// Number of queries sent so far.
    pub(crate) queries: u32,
    /// End of the lease under which a replica queries the payout, by the database's clock.
    pub(crate) leased_until: Option<OffsetDateTime>,
    /// The trace of the withdrawal.
    pub(crate) traceparent: Option<String>,
}

/// The purpose of a secret that Daraja got. The texts are the values of the column
/// `b2c_secret.purpose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum Purpose {
    /// The payout itself.
    Payout,
    /// A query about the payout.
    Query,
}

/// Stores a payout that is to be sent, after an operator's review if there is one. `fresh` is the
/// part of it that is fresh money.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    payment: PaymentId,
    phone: &Msisdn,
    review: Option<&Review>,
    fresh: Money,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO b2c_payout (payment_id, msisdn, review_reason, review_over_cents,
             review_fresh_cents, review_by, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        payment.uuid(),
        phone.digits(),
        review.map(|review| <&str>::from(review.reason)),
        review.and_then(|review| review.over).map(Money::cents),
        fresh.cents(),
        review.map(|review| review.by),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores that the payout is sent now, and when Daraja is queried if no result comes.
#[statement]
pub(crate) async fn set_submitted(
    conn: &mut PgConnection,
    payment: PaymentId,
    at: OffsetDateTime,
    query_due_at: Option<OffsetDateTime>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE b2c_payout SET submitted_at = $2, query_due_at = $3 WHERE payment_id = $1",
        payment.uuid(),
        at,
        query_due_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores that the payout was not sent after all.
#[statement]
pub(crate) async fn set_unsent(conn: &mut PgConnection, payment: PaymentId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE b2c_payout SET submitted_at = NULL, query_due_at = NULL, leased_until = NULL
         WHERE payment_id = $1",
        payment.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores the hash of a secret before Daraja gets it, because a result may be faster than
/// Daraja's reply.
#[statement]
pub(crate) async fn insert_secret(
    conn: &mut PgConnection,
    payment: PaymentId,
    secret_hash: &[u8],
    purpose: Purpose,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO b2c_secret (secret_hash, payment_id, purpose, created_at)
         VALUES ($1, $2, $3, $4)",
        secret_hash,
        payment.uuid(),
        <&str>::from(purpose),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the payout whose secret, or whose query's secret, this is.
#[statement]
pub(crate) async fn find_by_secret(
    conn: &mut PgConnection,
    secret_hash: &[u8],
) -> sqlx::Result<Option<(Payout, Purpose)>> {
    let row = sqlx::query!(
        "SELECT b.payment_id, b.msisdn, b.conversation_id, b.submitted_at, b.queries,
                b.leased_until, p.traceparent, s.purpose
         FROM b2c_secret s JOIN b2c_payout b USING (payment_id) JOIN payment p ON p.id = payment_id
         WHERE s.secret_hash = $1",
        secret_hash
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| {
        let purpose = super::parse("b2c_secret.purpose", &row.purpose)?;
        let payout = Payout {
            payment: row.payment_id.into(),
            msisdn: row.msisdn,
            conversation_id: row.conversation_id,
            submitted_at: row.submitted_at,
            queries: u32::try_from(row.queries).unwrap_or(u32::MAX),
            leased_until: row.leased_until,
            traceparent: row.traceparent,
        };
        Ok((payout, purpose))
    })
    .transpose()
}

/// Stores Daraja's id of the payout, unless there is one; returns the id that is stored. Violates
/// `b2c_payout_conversation` when another payout has the id.
#[statement]
pub(crate) async fn set_conversation(
    conn: &mut PgConnection,
    payment: PaymentId,
    conversation_id: &str,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE b2c_payout SET conversation_id = coalesce(conversation_id, $2)
         WHERE payment_id = $1 RETURNING conversation_id",
        payment.uuid(),
        conversation_id
    )
    .fetch_one(conn)
    .await
}

/// Stores the provider's code of the outcome, and plans no further query.
#[statement]
pub(crate) async fn set_result(
    conn: &mut PgConnection,
    payment: PaymentId,
    result_code: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE b2c_payout SET result_code = $2, query_due_at = NULL, leased_until = NULL,
             case_kind = CASE WHEN case_kind = 'UNKNOWN' THEN NULL ELSE case_kind END,
             case_since = CASE WHEN case_kind = 'UNKNOWN' THEN NULL ELSE case_since END
         WHERE payment_id = $1",
        payment.uuid(),
        result_code
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores the receipt, unless there is one; returns the receipt that is stored. Violates
/// `b2c_payout_receipt` when another payout has the receipt.
#[statement]
pub(crate) async fn set_receipt(
    conn: &mut PgConnection,
    payment: PaymentId,
    receipt: &str,
    paid_at: Option<OffsetDateTime>,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE b2c_payout SET receipt = coalesce(receipt, $2), paid_at = coalesce(paid_at, $3)
         WHERE payment_id = $1 RETURNING receipt",
        payment.uuid(),
        receipt,
        paid_at
    )
    .fetch_one(conn)
    .await
}

/// Makes the payout a case of the operators. The first reason stays.
#[statement]
pub(crate) async fn open_case(
    conn: &mut PgConnection,
    payment: PaymentId,
    case: PayoutCase,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE b2c_payout SET case_kind = $2, case_since = $3
         WHERE payment_id = $1 AND (case_kind IS NULL OR case_kind = 'UNKNOWN')",
        payment.uuid(),
        <&str>::from(case),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Plans a query at `at` at the latest, because a call from Daraja did not decide the outcome of an
/// open withdrawal.
#[statement]
pub(crate) async fn query_by(
    conn: &mut PgConnection,
    payment: PaymentId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE b2c_payout b SET leased_until = NULL,
             query_due_at =
                 CASE WHEN b.leased_until IS NULL THEN least(b.query_due_at, $2) ELSE $2 END
         FROM payment p WHERE p.id = b.payment_id AND b.payment_id = $1
             AND p.state IN ('SUBMITTING', 'SUBMITTED')",
        payment.uuid(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Leases up to `limit` payouts whose query is due at `now`, so that two replicas do not query the
/// same one. When a replica dies, another takes its payouts after the lease. The query has no span,
/// because it runs each second and mostly finds nothing.
pub(crate) async fn take_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    lease: Duration,
    limit: i64,
) -> sqlx::Result<Vec<Payout>> {
    let rows = sqlx::query!(
        "WITH due AS (
             SELECT payment_id FROM b2c_payout
             WHERE query_due_at <= $1 AND (leased_until IS NULL OR leased_until <= now())
             ORDER BY query_due_at LIMIT $3 FOR UPDATE SKIP LOCKED
         )
         UPDATE b2c_payout b
         SET leased_until = now() + make_interval(secs => $2), queries = queries + 1
         FROM due JOIN payment p ON p.id = due.payment_id
         WHERE b.payment_id = due.payment_id
         RETURNING b.payment_id, b.msisdn, b.conversation_id, b.submitted_at, b.queries,
                   b.leased_until, p.traceparent",
        now,
        lease.as_secs_f64(),
        limit
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Payout {
            payment: row.payment_id.into(),
            msisdn: row.msisdn,
            conversation_id: row.conversation_id,
            submitted_at: row.submitted_at,
            queries: u32::try_from(row.queries).unwrap_or(u32::MAX),
            leased_until: row.leased_until,
            traceparent: row.traceparent,
        })
        .collect())
}

/// Ends the lease of a payout, and plans its next query. False when the lease was lost meanwhile,
/// to an outcome or to another replica.
#[statement]
pub(crate) async fn set_due(
    conn: &mut PgConnection,
    payout: &Payout,
    query_due_at: Option<OffsetDateTime>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE b2c_payout SET query_due_at = $3, leased_until = NULL
         WHERE payment_id = $1 AND leased_until = $2",
        payout.payment.uuid(),
        payout.leased_until,
        query_due_at
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
