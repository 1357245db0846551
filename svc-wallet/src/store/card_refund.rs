//! `card_refund`: refunds to cards.

use std::time::Duration;

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Money;
use uuid::Uuid;

use crate::domain::{CardRefund, CardRefundId, CardRefundState, JournalId, OperationId, PaymentId};

/// Stores a new refund.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    refund: &CardRefund,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO card_refund (id, payment_id, amount_cents, state, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $5)",
        refund.id.uuid(),
        refund.payment.uuid(),
        refund.amount.cents(),
        <&str>::from(refund.state),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A refund; locks its row until the transaction ends.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    id: CardRefundId,
) -> sqlx::Result<Option<CardRefund>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, payment_id, amount_cents, state, provider_id, leased_until, created_at
         FROM card_refund WHERE id = $1 FOR UPDATE",
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::parse).transpose()
}

/// The refunds of a payment.
#[statement]
pub(crate) async fn of_payment(
    conn: &mut PgConnection,
    payment: PaymentId,
) -> sqlx::Result<Vec<CardRefund>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, payment_id, amount_cents, state, provider_id, leased_until, created_at
         FROM card_refund WHERE payment_id = $1 ORDER BY created_at, id",
        payment.uuid()
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// Returns the receipt of a card payment, which a refund names.
#[statement]
pub(crate) async fn receipt(
    conn: &mut PgConnection,
    payment: PaymentId,
) -> sqlx::Result<Option<String>> {
    let receipt = sqlx::query_scalar!(
        "SELECT receipt FROM card_payment WHERE payment_id = $1",
        payment.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(receipt.flatten())
}

/// The journal that took a refund out of the wallet.
#[statement]
pub(crate) async fn journal(
    conn: &mut PgConnection,
    id: CardRefundId,
) -> sqlx::Result<Option<JournalId>> {
    let journal =
        sqlx::query_scalar!("SELECT id FROM journal WHERE kind = 'REFUND' AND ref = $1", id.uuid())
            .fetch_optional(conn)
            .await?;
    Ok(journal.map(JournalId::from))
}

/// Changes the state of a locked refund, stores the provider's id once it is known, and plans when
/// to look for the refund at the provider next.
#[statement]
pub(crate) async fn advance(
    conn: &mut PgConnection,
    id: CardRefundId,
    state: CardRefundState,
    provider_id: Option<&str>,
    check_due_at: Option<OffsetDateTime>,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_refund SET state = $2, provider_id = coalesce(provider_id, $3),
             check_due_at = $4, leased_until = NULL, updated_at = $5
         WHERE id = $1",
        id.uuid(),
        <&str>::from(state),
        provider_id,
        check_due_at,
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores that Paystack contradicts how a refund ended. The first time stays.
#[statement]
pub(crate) async fn contradict(
    conn: &mut PgConnection,
    id: CardRefundId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_refund SET contradicted_at = coalesce(contradicted_at, $2) WHERE id = $1",
        id.uuid(),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores which operation closed the contradiction.
#[statement]
pub(crate) async fn close_contradiction(
    conn: &mut PgConnection,
    id: CardRefundId,
    operation: OperationId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_refund SET contradiction_operation_id = $2 WHERE id = $1",
        id.uuid(),
        operation.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Leases up to `limit` refunds that are due to be looked for at the provider.
pub(crate) async fn take_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    lease: Duration,
    limit: i64,
) -> sqlx::Result<Vec<CardRefund>> {
    let rows = sqlx::query_as!(
        Row,
        "WITH due AS (
             SELECT id FROM card_refund
             WHERE check_due_at <= $1 AND (leased_until IS NULL OR leased_until <= now())
             ORDER BY check_due_at LIMIT $3 FOR UPDATE SKIP LOCKED
         )
         UPDATE card_refund r SET leased_until = now() + make_interval(secs => $2)
         FROM due WHERE r.id = due.id
         RETURNING r.id, r.payment_id, r.amount_cents, r.state, r.provider_id, r.leased_until,
                   r.created_at",
        now,
        lease.as_secs_f64(),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::parse).collect()
}

/// Ends the lease of a refund that was not found, and plans when to look for it next.
#[statement]
pub(crate) async fn set_due(
    conn: &mut PgConnection,
    refund: &CardRefund,
    check_due_at: Option<OffsetDateTime>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE card_refund SET check_due_at = $3, leased_until = NULL
         WHERE id = $1 AND leased_until = $2",
        refund.id.uuid(),
        refund.leased_until,
        check_due_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    payment_id: Uuid,
    amount_cents: i64,
    state: String,
    provider_id: Option<String>,
    leased_until: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
}

impl Row {
    fn parse(self) -> sqlx::Result<CardRefund> {
        Ok(CardRefund {
            id: self.id.into(),
            payment: self.payment_id.into(),
            amount: Money::from_cents(self.amount_cents),
            state: super::parse("card_refund.state", &self.state)?,
            provider_id: self.provider_id,
            leased_until: self.leased_until,
            created_at: self.created_at,
        })
    }
}
