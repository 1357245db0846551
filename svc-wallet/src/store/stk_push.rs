//! `stk_push`: pushes to phones, and when to query Daraja about them.

use std::time::Duration;

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Msisdn;
use uuid::Uuid;

use super::payment::parse_state;
use crate::domain::{PaymentId, Prompt, State};

/// A push with the state of its payment.
#[derive(Debug, Clone)]
pub(crate) struct Push {
    pub(crate) payment: PaymentId,
    /// The phone that gets the prompt, as twelve digits.
    pub(crate) msisdn: String,
    /// Daraja's id of our request, from its reply to the push.
    pub(crate) merchant_request_id: Option<String>,
    /// Daraja's id of the checkout, from its reply to the push; from a callback, if the reply was
    /// lost.
    pub(crate) checkout_request_id: Option<String>,
    /// Number of queries sent so far.
    pub(crate) queries: u32,
    /// End of the lease under which a replica queries the push, by the database's clock.
    pub(crate) leased_until: Option<OffsetDateTime>,
    pub(crate) state: State,
    /// Creation time of the payment.
    pub(crate) created_at: OffsetDateTime,
    /// The trace of the top-up.
    pub(crate) traceparent: Option<String>,
}

/// Stores a push that is to be sent.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    payment: PaymentId,
    phone: &Msisdn,
    at: OffsetDateTime,
    query_due_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO stk_push (payment_id, msisdn, created_at, query_due_at)
         VALUES ($1, $2, $3, $4)",
        payment.uuid(),
        phone.digits(),
        at,
        query_due_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Waits for other transactions that are about to insert a push to this phone, and makes
/// later ones wait, so that two at once cannot both pass its rate limit. Call it after
/// [`super::payment::lock_payer`], never before.
#[statement]
pub(crate) async fn lock_phone(conn: &mut PgConnection, phone: &Msisdn) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", phone.digits())
        .execute(conn)
        .await?;
    Ok(())
}

/// Returns the pushes to a phone since `since`: the newest `limit` of each outcome, so that many of
/// one outcome cannot hide those of another.
#[statement]
pub(crate) async fn prompts(
    conn: &mut PgConnection,
    phone: &Msisdn,
    since: OffsetDateTime,
    limit: usize,
) -> sqlx::Result<Vec<Prompt>> {
    let rows = sqlx::query!(
        r#"SELECT created_at AS "created_at!", state AS "state!", failure
           FROM (
               SELECT s.created_at, p.state, p.failure, row_number() OVER (
                   PARTITION BY p.state, p.failure ORDER BY s.created_at DESC
               ) AS newest
               FROM stk_push s JOIN payment p ON p.id = s.payment_id
               WHERE s.msisdn = $1 AND s.created_at > $2
           ) AS prompt
           WHERE newest <= $3"#,
        phone.digits(),
        since,
        i64::try_from(limit).unwrap_or(i64::MAX)
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            let state = parse_state(&row.state, row.failure.as_deref())?;
            Ok(Prompt { at: row.created_at, state })
        })
        .collect()
}

/// Stores the hash of the secret in the callback's path. Call it before Daraja, because the
/// callback may be faster than Daraja's reply.
#[statement]
pub(crate) async fn set_secret(
    conn: &mut PgConnection,
    payment: PaymentId,
    secret_hash: &[u8],
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push SET secret_hash = $2 WHERE payment_id = $1",
        payment.uuid(),
        secret_hash
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores the ids from Daraja's reply.
#[statement]
pub(crate) async fn set_ids(
    conn: &mut PgConnection,
    payment: PaymentId,
    merchant_request_id: &str,
    checkout_request_id: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push SET merchant_request_id = $2, checkout_request_id = $3
         WHERE payment_id = $1",
        payment.uuid(),
        merchant_request_id,
        checkout_request_id
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores the checkout's id from a callback, if Daraja's reply to the push was lost. Returns the id
/// that is stored. Violates `stk_push_checkout` when another payment has the id.
#[statement]
pub(crate) async fn adopt_checkout(
    conn: &mut PgConnection,
    payment: PaymentId,
    checkout_request_id: &str,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE stk_push SET checkout_request_id = coalesce(checkout_request_id, $2)
         WHERE payment_id = $1 RETURNING checkout_request_id",
        payment.uuid(),
        checkout_request_id
    )
    .fetch_one(conn)
    .await
}

/// Stores the provider's result code and the time of the next query, if one is needed. The queries
/// of a disputed push stay as they were planned.
#[statement]
pub(crate) async fn set_result(
    conn: &mut PgConnection,
    payment: PaymentId,
    result_code: &str,
    query_due_at: Option<OffsetDateTime>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push SET result_code = $2,
             query_due_at = CASE WHEN disputed THEN query_due_at ELSE $3 END,
             leased_until = CASE WHEN disputed THEN leased_until END
         WHERE payment_id = $1",
        payment.uuid(),
        result_code,
        query_due_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores the receipt, unless there is one; returns the receipt that is stored. Violates
/// `stk_push_receipt` when another payment has the receipt.
#[statement]
pub(crate) async fn set_receipt(
    conn: &mut PgConnection,
    payment: PaymentId,
    receipt: &str,
    paid_at: Option<OffsetDateTime>,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE stk_push SET receipt = coalesce(receipt, $2), paid_at = coalesce(paid_at, $3)
         WHERE payment_id = $1 RETURNING receipt",
        payment.uuid(),
        receipt,
        paid_at
    )
    .fetch_one(conn)
    .await
}

/// The push whose callback has this secret.
#[statement]
pub(crate) async fn find_by_secret(
    conn: &mut PgConnection,
    secret_hash: &[u8],
) -> sqlx::Result<Option<Push>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT s.payment_id, s.msisdn, s.merchant_request_id, s.checkout_request_id, s.queries,
                s.leased_until, p.state, p.failure, p.created_at, p.traceparent
         FROM stk_push s JOIN payment p ON p.id = s.payment_id WHERE s.secret_hash = $1",
        secret_hash
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

/// Leases up to `limit` pushes whose query is due at `now`, so that two replicas do not query the
/// same one. When a replica dies, another takes its pushes after the lease, which the database's
/// clock measures. The query has no span, because it runs each second and mostly finds nothing.
pub(crate) async fn take_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    lease: Duration,
    limit: i64,
) -> sqlx::Result<Vec<Push>> {
    let rows = sqlx::query_as!(
        Row,
        "WITH due AS (
             SELECT payment_id FROM stk_push
             WHERE query_due_at <= $1 AND (leased_until IS NULL OR leased_until <= now())
             ORDER BY query_due_at LIMIT $3 FOR UPDATE SKIP LOCKED
         )
         UPDATE stk_push s
         SET leased_until = now() + make_interval(secs => $2), queries = queries + 1
         FROM due JOIN payment p ON p.id = due.payment_id
         WHERE s.payment_id = due.payment_id
         RETURNING s.payment_id, s.msisdn, s.merchant_request_id, s.checkout_request_id,
                   s.queries, s.leased_until, p.state, p.failure, p.created_at, p.traceparent",
        now,
        lease.as_secs_f64(),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// Ends the lease of a push, and plans its next query; `None` when Daraja has said how the payment
/// ended. Does nothing when the lease was lost meanwhile, to a result, a dispute or another
/// replica.
#[statement]
pub(crate) async fn set_due(
    conn: &mut PgConnection,
    push: &Push,
    query_due_at: Option<OffsetDateTime>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push SET query_due_at = $3, leased_until = NULL,
             disputed = disputed AND $3::timestamptz IS NOT NULL
         WHERE payment_id = $1 AND leased_until = $2",
        push.payment.uuid(),
        push.leased_until,
        query_due_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Plans a query at `at` at the latest, even if none was planned, because a callback could not be
/// applied. A query that is under way does not count: its reply may be older than the callback. A
/// payment that was paid cannot be disputed.
#[statement]
pub(crate) async fn dispute(
    conn: &mut PgConnection,
    payment: PaymentId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stk_push s SET disputed = true, leased_until = NULL,
             query_due_at =
                 CASE WHEN s.leased_until IS NULL THEN least(s.query_due_at, $2) ELSE $2 END
         FROM payment p WHERE p.id = s.payment_id AND s.payment_id = $1
             AND p.state NOT IN ('SUCCEEDED', 'CONFLICTED')",
        payment.uuid(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

struct Row {
    payment_id: Uuid,
    msisdn: String,
    merchant_request_id: Option<String>,
    checkout_request_id: Option<String>,
    queries: i32,
    leased_until: Option<OffsetDateTime>,
    state: String,
    failure: Option<String>,
    created_at: OffsetDateTime,
    traceparent: Option<String>,
}

impl Row {
    fn parse(self) -> sqlx::Result<Push> {
        Ok(Push {
            payment: self.payment_id.into(),
            msisdn: self.msisdn,
            merchant_request_id: self.merchant_request_id,
            checkout_request_id: self.checkout_request_id,
            queries: u32::try_from(self.queries).unwrap_or(u32::MAX),
            leased_until: self.leased_until,
            state: parse_state(&self.state, self.failure.as_deref())?,
            created_at: self.created_at,
            traceparent: self.traceparent,
        })
    }
}
