//! `mpesa_reversal`, `mpesa_reversal_secret`: reversals of M-Pesa payments by Daraja, and when to
//! query Daraja about them.

use std::time::Duration;

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Money;
use uuid::Uuid;

use crate::domain::{
    JournalId, MpesaReversal, MpesaReversalId, PaymentId, ReversalCase, ReversalState,
};

/// The purpose of a secret that Daraja got. The texts are the values of the column
/// `mpesa_reversal_secret.purpose`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum Purpose {
    /// The reversal itself.
    Reversal,
    /// A query about the reversal.
    Query,
}

/// The reversal that a secret belongs to.
#[derive(Debug, Clone)]
pub(crate) struct ReversalOfSecret {
    pub(crate) reversal: MpesaReversal,
    pub(crate) purpose: Purpose,
    /// The number of the call that the secret was made for.
    pub(crate) attempt: i32,
}

/// Stores a new reversal. Violates `mpesa_reversal_once` when the receipt has a reversal already.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    reversal: &MpesaReversal,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO mpesa_reversal (id, payment_id, receipt, amount_cents, source, state,
             traceparent, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
        reversal.id.uuid(),
        reversal.payment.uuid(),
        reversal.receipt,
        reversal.amount.cents(),
        <&str>::from(reversal.source),
        <&str>::from(reversal.state),
        reversal.traceparent,
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The payment of a reversal.
#[statement]
pub(crate) async fn payment(
    conn: &mut PgConnection,
    id: MpesaReversalId,
) -> sqlx::Result<Option<PaymentId>> {
    let payment =
        sqlx::query_scalar!("SELECT payment_id FROM mpesa_reversal WHERE id = $1", id.uuid())
            .fetch_optional(conn)
            .await?;
    Ok(payment.map(PaymentId::from))
}

/// The journal that took a reversal's money out of where it was.
#[statement]
pub(crate) async fn journal(
    conn: &mut PgConnection,
    id: MpesaReversalId,
) -> sqlx::Result<Option<JournalId>> {
    let journal =
        sqlx::query_scalar!("SELECT id FROM journal WHERE kind = 'REFUND' AND ref = $1", id.uuid())
            .fetch_optional(conn)
            .await?;
    Ok(journal.map(JournalId::from))
}

/// A reversal; locks its row until the transaction ends. A caller that needs its payment's lock
/// takes that one first.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    id: MpesaReversalId,
) -> sqlx::Result<Option<MpesaReversal>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, payment_id, receipt, amount_cents, source, state, attempts, submitted_at,
                queries, leased_until, case_kind, traceparent
         FROM mpesa_reversal WHERE id = $1 FOR UPDATE",
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

/// Stores that the reversal is sent now, and when Daraja is queried if no result comes; returns the
/// number of the call.
#[statement]
pub(crate) async fn set_submitted(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    at: OffsetDateTime,
    query_due_at: Option<OffsetDateTime>,
) -> sqlx::Result<i32> {
    sqlx::query_scalar!(
        "UPDATE mpesa_reversal SET state = 'SUBMITTING', attempts = attempts + 1,
             conversation_id = NULL, submitted_at = $2, query_due_at = $3, leased_until = NULL,
             updated_at = $2
         WHERE id = $1 RETURNING attempts",
        id.uuid(),
        at,
        query_due_at
    )
    .fetch_one(conn)
    .await
}

/// Stores that Daraja did not get the last call.
#[statement]
pub(crate) async fn set_unsent(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE mpesa_reversal SET state = 'CREATED', attempts = attempts - 1,
             query_due_at = NULL, leased_until = NULL, updated_at = $2
         WHERE id = $1",
        id.uuid(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Changes the state of a locked reversal. The planned queries stay.
#[statement]
pub(crate) async fn advance(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    state: ReversalState,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE mpesa_reversal SET state = $2, updated_at = $3 WHERE id = $1",
        id.uuid(),
        <&str>::from(state),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores how a locked reversal ended, with M-Pesa's code and its receipt of the reversal. Plans no
/// further query.
#[statement]
pub(crate) async fn end(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    state: ReversalState,
    (code, receipt): (&str, Option<&str>),
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE mpesa_reversal SET state = $2, result_code = $3, reversal_receipt = $4,
             query_due_at = NULL, leased_until = NULL, case_kind = NULL, case_since = NULL,
             updated_at = $5
         WHERE id = $1",
        id.uuid(),
        <&str>::from(state),
        code,
        receipt,
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes the reversal a case of the operators, unless one of them has written its loss off. The
/// first reason stays, unless it is UNKNOWN.
#[statement]
pub(crate) async fn open_case(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    case: ReversalCase,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE mpesa_reversal SET case_kind = $2, case_since = $3
         WHERE id = $1 AND (case_kind IS NULL OR case_kind = 'UNKNOWN')
             AND loss_borne_at IS NULL",
        id.uuid(),
        <&str>::from(case),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the case of a reversal that M-Pesa carried out after its money had been returned, because
/// PlayOn bears the loss. False when there is no such case.
#[statement]
pub(crate) async fn bear_loss(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    at: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE mpesa_reversal SET case_kind = NULL, case_since = NULL, loss_borne_at = $2,
             updated_at = $2
         WHERE id = $1 AND case_kind = 'REVERSED_AFTER_FAILURE'",
        id.uuid(),
        at
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Stores that an operator has the reversal sent again, and ends its case.
#[statement]
pub(crate) async fn set_resent(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE mpesa_reversal SET resent_at = $2, case_kind = NULL, case_since = NULL
         WHERE id = $1",
        id.uuid(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether another reversal ended by this receipt of M-Pesa.
#[statement]
pub(crate) async fn is_receipt_of_another(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    reversal_receipt: &str,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM mpesa_reversal
                          WHERE reversal_receipt = $2 AND id <> $1) AS "used!""#,
        id.uuid(),
        reversal_receipt
    )
    .fetch_one(conn)
    .await
}

/// Stores the hash of a secret before Daraja gets it, because a result may be faster than
/// Daraja's reply.
#[statement]
pub(crate) async fn insert_secret(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    secret_hash: &[u8],
    (purpose, attempt): (Purpose, i32),
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO mpesa_reversal_secret (secret_hash, reversal_id, purpose, attempt, created_at)
         VALUES ($1, $2, $3, $4, $5)",
        secret_hash,
        id.uuid(),
        <&str>::from(purpose),
        attempt,
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the reversal whose secret, or whose query's secret, this is.
#[statement]
pub(crate) async fn find_by_secret(
    conn: &mut PgConnection,
    secret_hash: &[u8],
) -> sqlx::Result<Option<ReversalOfSecret>> {
    let row = sqlx::query!(
        "SELECT r.id, r.payment_id, r.receipt, r.amount_cents, r.source, r.state, r.attempts,
                r.submitted_at, r.queries, r.leased_until, r.case_kind, r.traceparent,
                s.purpose, s.attempt
         FROM mpesa_reversal_secret s JOIN mpesa_reversal r ON r.id = s.reversal_id
         WHERE s.secret_hash = $1",
        secret_hash
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| {
        let found = Row {
            id: row.id,
            payment_id: row.payment_id,
            receipt: row.receipt,
            amount_cents: row.amount_cents,
            source: row.source,
            state: row.state,
            attempts: row.attempts,
            submitted_at: row.submitted_at,
            queries: row.queries,
            leased_until: row.leased_until,
            case_kind: row.case_kind,
            traceparent: row.traceparent,
        };
        Ok(ReversalOfSecret {
            reversal: found.parse()?,
            purpose: super::parse("mpesa_reversal_secret.purpose", &row.purpose)?,
            attempt: row.attempt,
        })
    })
    .transpose()
}

/// Stores Daraja's id of a call, unless there is one, or another call was made meanwhile; returns
/// the id that is stored. Violates `mpesa_reversal_conversation` when another reversal has the id.
#[statement]
pub(crate) async fn set_conversation(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    attempt: i32,
    conversation_id: &str,
) -> sqlx::Result<Option<String>> {
    let stored = sqlx::query_scalar!(
        "UPDATE mpesa_reversal SET conversation_id = coalesce(conversation_id, $3)
         WHERE id = $1 AND attempts = $2 RETURNING conversation_id",
        id.uuid(),
        attempt,
        conversation_id
    )
    .fetch_optional(conn)
    .await?;
    Ok(stored.flatten())
}

/// Plans a query at `at` at the latest, because a call from Daraja did not decide the outcome of an
/// open reversal.
#[statement]
pub(crate) async fn query_by(
    conn: &mut PgConnection,
    id: MpesaReversalId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE mpesa_reversal SET leased_until = NULL,
             query_due_at = CASE WHEN leased_until IS NULL THEN least(query_due_at, $2) ELSE $2 END
         WHERE id = $1 AND state IN ('SUBMITTING', 'SUBMITTED', 'UNKNOWN')",
        id.uuid(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Leases up to `limit` reversals whose query is due at `now`, so that two replicas do not query
/// the same one. When a replica dies, another takes its reversals after the lease. The query has no
/// span, because it runs often and mostly finds nothing.
pub(crate) async fn take_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    lease: Duration,
    limit: i64,
) -> sqlx::Result<Vec<MpesaReversal>> {
    let rows = sqlx::query_as!(
        Row,
        "WITH due AS (
             SELECT id FROM mpesa_reversal
             WHERE query_due_at <= $1 AND (leased_until IS NULL OR leased_until <= now())
             ORDER BY query_due_at LIMIT $3 FOR UPDATE SKIP LOCKED
         )
         UPDATE mpesa_reversal r
         SET leased_until = now() + make_interval(secs => $2), queries = queries + 1
         FROM due WHERE r.id = due.id
         RETURNING r.id, r.payment_id, r.receipt, r.amount_cents, r.source, r.state, r.attempts,
                   r.submitted_at, r.queries, r.leased_until, r.case_kind, r.traceparent",
        now,
        lease.as_secs_f64(),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// Ends the lease of a reversal, and plans its next query. False when the lease was lost meanwhile,
/// to an outcome or to another replica.
#[statement]
pub(crate) async fn set_due(
    conn: &mut PgConnection,
    reversal: &MpesaReversal,
    query_due_at: Option<OffsetDateTime>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE mpesa_reversal SET query_due_at = $3, leased_until = NULL
         WHERE id = $1 AND leased_until = $2",
        reversal.id.uuid(),
        reversal.leased_until,
        query_due_at
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

struct Row {
    id: Uuid,
    payment_id: Uuid,
    receipt: String,
    amount_cents: i64,
    source: String,
    state: String,
    attempts: i32,
    submitted_at: Option<OffsetDateTime>,
    queries: i32,
    leased_until: Option<OffsetDateTime>,
    case_kind: Option<String>,
    traceparent: Option<String>,
}

impl Row {
    fn parse(self) -> sqlx::Result<MpesaReversal> {
        Ok(MpesaReversal {
            id: self.id.into(),
            payment: self.payment_id.into(),
            receipt: self.receipt,
            amount: Money::from_cents(self.amount_cents),
            source: super::parse("mpesa_reversal.source", &self.source)?,
            state: super::parse("mpesa_reversal.state", &self.state)?,
            attempts: self.attempts,
            submitted_at: self.submitted_at,
            queries: u32::try_from(self.queries).unwrap_or(u32::MAX),
            leased_until: self.leased_until,
            case: self
                .case_kind
                .map(|case| super::parse("mpesa_reversal.case_kind", &case))
                .transpose()?,
            traceparent: self.traceparent,
        })
    }
}
