//! `second_receipt`: further receipts of payments and payouts.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Money;

use crate::domain::{OperationId, PaymentId};

/// Stores a second receipt, once.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    payment: PaymentId,
    receipt: &str,
    amount: Option<Money>,
    paid_at: Option<OffsetDateTime>,
    found_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO second_receipt (receipt, payment_id, amount_cents, paid_at, found_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (receipt) DO NOTHING",
        receipt,
        payment.uuid(),
        amount.map(Money::cents),
        paid_at,
        found_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Makes the receipt a case of the operators again, because this operation did not give it
/// back.
#[statement]
pub(crate) async fn reopen(
    conn: &mut PgConnection,
    receipt: &str,
    operation: OperationId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE second_receipt SET operation_id = NULL WHERE receipt = $1 AND operation_id = $2",
        receipt,
        operation.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores that this operation gave the receipt back after all, unless an operator has credited it
/// or gives it back meanwhile. False in that case.
#[statement]
pub(crate) async fn close_late(
    conn: &mut PgConnection,
    receipt: &str,
    operation: OperationId,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE second_receipt SET operation_id = $2
         WHERE receipt = $1
             AND (operation_id IS NULL
                  OR operation_id IN (SELECT id FROM money_operation WHERE kind = 'RELEASE'))",
        receipt,
        operation.uuid()
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Stores which operation credited the receipt, gave it back, posted it as a second payout, or
/// closed it.
#[statement]
pub(crate) async fn close(
    conn: &mut PgConnection,
    receipt: &str,
    operation: OperationId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE second_receipt SET operation_id = $2
         WHERE receipt = $1 AND operation_id IS NULL RETURNING receipt",
        receipt,
        operation.uuid()
    )
    .fetch_one(conn)
    .await?;
    Ok(())
}
