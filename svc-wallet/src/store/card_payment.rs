//! `card_payment`: the pages of card payments, and when to verify them.

use std::time::Duration;

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Money;
use uuid::Uuid;

use super::payment::parse_state;
use crate::domain::{OperationId, PaymentId, State};

/// A card payment that is to be verified, with the state of its payment.
#[derive(Debug, Clone)]
pub(crate) struct CardCheck {
    pub(crate) payment: PaymentId,
    pub(crate) attempts: u16,
    /// Number of verifications so far.
    pub(crate) verifies: u32,
    /// End of the lease under which a replica verifies the payment, by the database's clock.
    pub(crate) leased_until: Option<OffsetDateTime>,
    pub(crate) state: State,
    /// Creation time of the payment.
    pub(crate) created_at: OffsetDateTime,
    /// The trace of the request.
    pub(crate) traceparent: Option<String>,
}

/// The page of a card payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CardPage {
    /// Number of initialisations that were sent.
    pub(crate) attempts: u16,
    pub(crate) url: Option<String>,
    /// Whether another call is opening the page.
    pub(crate) is_opening: bool,
}

/// Stores a card payment whose page is to be opened.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    payment: PaymentId,
    at: OffsetDateTime,
    verify_due_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO card_payment (payment_id, created_at, verify_due_at) VALUES ($1, $2, $3)",
        payment.uuid(),
        at,
        verify_due_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the number of initialisations that were sent for a payment; `None` when the payment is
/// not by card.
#[statement]
pub(crate) async fn attempts(
    conn: &mut PgConnection,
    payment: PaymentId,
) -> sqlx::Result<Option<u16>> {
    let attempts = sqlx::query_scalar!(
        "SELECT attempts FROM card_payment WHERE payment_id = $1",
        payment.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(attempts.map(|attempts| u16::try_from(attempts).unwrap_or_default()))
}

/// The page of a payment whose row the caller has locked.
#[statement]
pub(crate) async fn page(conn: &mut PgConnection, payment: PaymentId) -> sqlx::Result<CardPage> {
    let row = sqlx::query!(
        r#"SELECT attempts, page_url,
                  coalesce(opening_until > clock_timestamp(), false) AS "is_opening!"
           FROM card_payment WHERE payment_id = $1"#,
        payment.uuid()
    )
    .fetch_one(conn)
    .await?;
    Ok(CardPage {
        attempts: u16::try_from(row.attempts).unwrap_or_default(),
        url: row.page_url,
        is_opening: row.is_opening,
    })
}

/// Claims the opening of the page under a reference's attempt for as long as `lease`.
#[statement]
pub(crate) async fn claim_page(
    conn: &mut PgConnection,
    payment: PaymentId,
    attempt: u16,
    lease: Duration,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_payment SET attempts = $2,
             opening_until = clock_timestamp() + make_interval(secs => $3)
         WHERE payment_id = $1",
        payment.uuid(),
        i16::try_from(attempt).unwrap_or(i16::MAX),
        lease.as_secs_f64()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the claim without a page.
#[statement]
pub(crate) async fn release_page(conn: &mut PgConnection, payment: PaymentId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_payment SET opening_until = NULL WHERE payment_id = $1",
        payment.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores the page's address, unless there is one; returns the address that is stored.
#[statement]
pub(crate) async fn set_page(
    conn: &mut PgConnection,
    payment: PaymentId,
    url: &str,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE card_payment SET page_url = coalesce(page_url, $2), opening_until = NULL
         WHERE payment_id = $1 RETURNING page_url",
        payment.uuid(),
        url
    )
    .fetch_one(conn)
    .await
}

/// Stores the status that ended the payment. Verifications continue after a refusal, because the
/// page may still be open for another card.
#[statement]
pub(crate) async fn set_result(
    conn: &mut PgConnection,
    payment: PaymentId,
    result: &str,
    is_paid: bool,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_payment SET result = $2,
             verify_due_at = CASE WHEN $3 THEN NULL ELSE verify_due_at END,
             leased_until = CASE WHEN $3 THEN NULL ELSE leased_until END
         WHERE payment_id = $1",
        payment.uuid(),
        result,
        is_paid
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores the receipt, unless there is one; returns the receipt that is stored. Violates
/// `card_payment_receipt` when another payment has the receipt.
#[statement]
pub(crate) async fn set_receipt(
    conn: &mut PgConnection,
    payment: PaymentId,
    receipt: &str,
    paid_at: Option<OffsetDateTime>,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "UPDATE card_payment SET receipt = coalesce(receipt, $2), paid_at = coalesce(paid_at, $3)
         WHERE payment_id = $1 RETURNING receipt",
        payment.uuid(),
        receipt,
        paid_at
    )
    .fetch_one(conn)
    .await
}

/// Stores the provider's fees of the transaction that paid; false when they are stored already, or
/// another transaction paid.
#[statement]
pub(crate) async fn set_fees(
    conn: &mut PgConnection,
    payment: PaymentId,
    receipt: &str,
    fees: Money,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE card_payment SET fees_cents = $3
         WHERE payment_id = $1 AND receipt = $2 AND fees_cents IS NULL",
        payment.uuid(),
        receipt,
        fees.cents()
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Stores why a transaction that says "success" was not credited.
#[statement]
pub(crate) async fn set_mismatch(
    conn: &mut PgConnection,
    payment: PaymentId,
    mismatch: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_payment SET mismatch = $2,
             mismatch_operation_id = CASE WHEN mismatch = $2 THEN mismatch_operation_id END
         WHERE payment_id = $1",
        payment.uuid(),
        mismatch
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores which operation closed the mismatch.
#[statement]
pub(crate) async fn close_mismatch(
    conn: &mut PgConnection,
    payment: PaymentId,
    operation: OperationId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_payment SET mismatch_operation_id = $2 WHERE payment_id = $1",
        payment.uuid(),
        operation.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores a dispute, or its resolution. A resolved dispute stays resolved, even if a late event
/// says otherwise. False when there is nothing new.
#[statement]
pub(crate) async fn set_dispute(
    conn: &mut PgConnection,
    payment: PaymentId,
    id: &str,
    amount: Option<Money>,
    resolution: Option<&str>,
    at: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE card_payment SET dispute_id = $2,
             dispute_state = CASE WHEN $4::text IS NULL THEN 'OPEN' ELSE 'RESOLVED' END,
             dispute_resolution = $4, disputed_cents = coalesce($3, disputed_cents),
             disputed_at = coalesce(disputed_at, $5)
         WHERE payment_id = $1
             AND (dispute_id IS DISTINCT FROM $2
                  OR (dispute_state = 'OPEN' AND $4::text IS NOT NULL))",
        payment.uuid(),
        id,
        amount.map(Money::cents),
        resolution,
        at
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Leases up to `limit` card payments whose verification is due at `now`. The query has no span,
/// because it runs each second and mostly finds nothing.
pub(crate) async fn take_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    lease: Duration,
    limit: i64,
) -> sqlx::Result<Vec<CardCheck>> {
    let rows = sqlx::query_as!(
        Row,
        "WITH due AS (
             SELECT payment_id FROM card_payment
             WHERE verify_due_at <= $1 AND (leased_until IS NULL OR leased_until <= now())
             ORDER BY verify_due_at LIMIT $3 FOR UPDATE SKIP LOCKED
         )
         UPDATE card_payment c
         SET leased_until = now() + make_interval(secs => $2), verifies = verifies + 1
         FROM due JOIN payment p ON p.id = due.payment_id
         WHERE c.payment_id = due.payment_id
         RETURNING c.payment_id, c.attempts, c.verifies, c.leased_until, p.state, p.failure,
                   p.created_at, p.traceparent",
        now,
        lease.as_secs_f64(),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// Plans the next verification now, because the player reads an open payment: at most once in
/// `pause`, over all replicas. False when it is too early.
#[statement]
pub(crate) async fn hasten(
    conn: &mut PgConnection,
    payment: PaymentId,
    now: OffsetDateTime,
    pause: Duration,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE card_payment SET looked_at = $2, verify_due_at = $2
         WHERE payment_id = $1 AND page_url IS NOT NULL AND leased_until IS NULL
             AND verify_due_at > $2
             AND coalesce(looked_at, created_at) <= $2::timestamptz - make_interval(secs => $3)",
        payment.uuid(),
        now,
        pause.as_secs_f64()
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Ends the lease of a verification, and plans the next one. Does nothing when the lease was
/// lost meanwhile.
#[statement]
pub(crate) async fn set_due(
    conn: &mut PgConnection,
    check: &CardCheck,
    verify_due_at: Option<OffsetDateTime>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_payment SET verify_due_at = $3, leased_until = NULL
         WHERE payment_id = $1 AND leased_until = $2",
        check.payment.uuid(),
        check.leased_until,
        verify_due_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

struct Row {
    payment_id: Uuid,
    attempts: i16,
    verifies: i32,
    leased_until: Option<OffsetDateTime>,
    state: String,
    failure: Option<String>,
    created_at: OffsetDateTime,
    traceparent: Option<String>,
}

impl Row {
    fn parse(self) -> sqlx::Result<CardCheck> {
        Ok(CardCheck {
            payment: self.payment_id.into(),
            attempts: u16::try_from(self.attempts).unwrap_or_default(),
            verifies: u32::try_from(self.verifies).unwrap_or(u32::MAX),
            leased_until: self.leased_until,
            state: parse_state(&self.state, self.failure.as_deref())?,
            created_at: self.created_at,
            traceparent: self.traceparent,
        })
    }
}
