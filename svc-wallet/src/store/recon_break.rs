//! `recon_break`: differences with providers' statements, and the records that they are compared
//! with.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Money;
use uuid::Uuid;

use crate::domain::{Break, BreakId, Day, Difference, PaymentId, ProviderLine, StatementOf};

/// Returns our amounts under these receipts of a provider, including those of second receipts and
/// fundings, because operators know of them.
#[statement]
pub(crate) async fn known(
    conn: &mut PgConnection,
    receipts: &[String],
) -> sqlx::Result<Vec<(String, Money)>> {
    let rows = sqlx::query!(
        r#"SELECT paid.receipt AS "receipt!", coalesce(
                   (SELECT line.amount_cents FROM journal j
                    JOIN posting line ON line.journal_id = j.id AND line.amount_cents > 0
                    WHERE j.ref = paid.payment_id
                        AND j.kind IN ('TOPUP', 'BOOST', 'SUBSCRIPTION', 'SUSPENSE')),
                   0) AS "amount!"
           FROM (SELECT payment_id, receipt FROM stk_push WHERE receipt = ANY($1)
                 UNION ALL
                 SELECT payment_id, receipt FROM card_payment WHERE receipt = ANY($1)) paid
           UNION ALL
           SELECT receipt, coalesce(amount_cents, 0) FROM second_receipt
           WHERE receipt = ANY($1)
           UNION ALL
           SELECT receipt, amount_cents FROM money_operation
           WHERE kind = 'FUND' AND state = 'DONE' AND receipt = ANY($1)"#,
        receipts
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.receipt, Money::from_cents(row.amount))).collect())
}

/// Returns our receipts of a provider on a day, with their amounts.
#[statement]
pub(crate) async fn receipts_of(
    conn: &mut PgConnection,
    of: StatementOf,
    day: Day,
) -> sqlx::Result<Vec<(String, Money)>> {
    let (begin, end) = day.span();
    let rows = sqlx::query!(
        r#"SELECT paid.receipt AS "receipt!", payment.amount_cents AS "amount!"
           FROM (SELECT payment_id, receipt, paid_at FROM stk_push WHERE $1 = 'MPESA'
                 UNION ALL
                 SELECT payment_id, receipt, paid_at FROM card_payment WHERE $1 = 'PAYSTACK') paid
           JOIN payment ON payment.id = paid.payment_id
           WHERE paid.receipt IS NOT NULL AND paid.paid_at >= $2 AND paid.paid_at < $3"#,
        <&str>::from(of),
        begin,
        end
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.receipt, Money::from_cents(row.amount))).collect())
}

/// Returns the payment that a line of M-Pesa's statement belongs to, if we have no receipt of it:
/// by its account reference, phone and amount. `None` if several match.
#[statement]
pub(crate) async fn mpesa_payment(
    conn: &mut PgConnection,
    line: &ProviderLine,
) -> sqlx::Result<Option<PaymentId>> {
    let rows = sqlx::query_scalar!(
        "SELECT push.payment_id FROM stk_push push JOIN payment ON payment.id = push.payment_id
         WHERE push.receipt IS NULL AND push.msisdn = $1 AND $1 <> ''
             AND 'PLAY' || upper(right(push.payment_id::text, 8)) = $2
             AND payment.amount_cents = $3
             AND push.created_at BETWEEN $4::timestamptz - interval '1 day' AND $4
         LIMIT 2",
        line.phone.as_deref().unwrap_or_default(),
        line.account.as_deref().unwrap_or_default(),
        line.amount.cents(),
        line.at
    )
    .fetch_all(conn)
    .await?;
    Ok(match rows.as_slice() {
        [one] => Some((*one).into()),
        _ => None,
    })
}

/// Stores a break, once. A break that the match itself had closed opens again; a break that an
/// operator closed stays closed.
#[statement]
pub(crate) async fn open(
    conn: &mut PgConnection,
    id: Uuid,
    of: StatementOf,
    day: Day,
    found: &Difference,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO recon_break AS known (id, provider, reference, kind, day, ours_cents,
             theirs_cents, found_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT ON CONSTRAINT recon_break_once DO UPDATE
         SET resolved_at = NULL, resolution = NULL, ours_cents = EXCLUDED.ours_cents,
             theirs_cents = EXCLUDED.theirs_cents
         WHERE known.resolved_by IS NULL",
        id,
        <&str>::from(of),
        found.reference,
        <&str>::from(found.kind),
        day.0,
        found.ours.map(Money::cents),
        found.theirs.map(Money::cents),
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns breaks after `after`, the oldest first; of all providers, or of one.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    of: Option<StatementOf>,
    resolved_too: bool,
    after: Option<BreakId>,
    limit: i64,
) -> sqlx::Result<Vec<Break>> {
    let rows = sqlx::query!(
        "SELECT id, provider, reference, kind, ours_cents, theirs_cents, found_at, resolution
         FROM recon_break
         WHERE ($1::text IS NULL OR provider = $1) AND ($2 OR resolved_at IS NULL)
             AND ($3::uuid IS NULL OR (resolved_at IS NOT NULL, id) >
                  ((SELECT resolved_at IS NOT NULL FROM recon_break WHERE id = $3), $3))
         ORDER BY resolved_at IS NOT NULL, id LIMIT $4",
        of.map(<&str>::from),
        resolved_too,
        after.map(BreakId::uuid),
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Break {
                id: row.id.into(),
                of: super::parse("recon_break.provider", &row.provider)?,
                difference: Difference {
                    reference: row.reference,
                    kind: super::parse("recon_break.kind", &row.kind)?,
                    ours: row.ours_cents.map(Money::from_cents),
                    theirs: row.theirs_cents.map(Money::from_cents),
                },
                found_at: row.found_at,
                resolution: row.resolution,
            })
        })
        .collect()
}

/// Whether a break was resolved, under its lock; `None` when there is no such break.
#[statement]
pub(crate) async fn lock(conn: &mut PgConnection, id: BreakId) -> sqlx::Result<Option<bool>> {
    let row = sqlx::query!(
        r#"SELECT resolved_at IS NOT NULL AS "is_resolved!" FROM recon_break
           WHERE id = $1 FOR UPDATE"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| row.is_resolved))
}

/// Ends an open break; `by` is the operator, or `None` for the match itself.
#[statement]
pub(crate) async fn resolve(
    conn: &mut PgConnection,
    id: BreakId,
    by: Option<&str>,
    resolution: &str,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE recon_break SET resolved_at = $4, resolved_by = $2, resolution = $3
         WHERE id = $1 AND resolved_at IS NULL",
        id.uuid(),
        by,
        resolution,
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes up to `limit` breaks that were resolved before `before`; returns how many.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM recon_break WHERE id IN (
             SELECT id FROM recon_break WHERE resolved_at < $1
             ORDER BY resolved_at LIMIT $2 FOR UPDATE SKIP LOCKED
         )",
        before,
        limit
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
