//! Postings of taxes.

use mesh::db::statement;
use sqlx::PgConnection;
use types::Money;

use crate::domain::{Days, JournalId, Payment, Tax, TaxSum};

/// Returns the journal of the duty on a payment, and the duty.
#[statement]
pub(crate) async fn find_duty(
    conn: &mut PgConnection,
    payment: &Payment,
) -> sqlx::Result<Option<(JournalId, Money)>> {
    let row = sqlx::query!(
        "SELECT j.id, p.amount_cents FROM journal j JOIN posting p ON p.journal_id = j.id
         WHERE j.kind = 'EXCISE' AND j.ref = $1 AND p.account_id = $2",
        payment.id.uuid(),
        Tax::Excise.account().id()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| (row.id.into(), Money::from_cents(row.amount_cents))))
}

/// Returns what was taken of a tax on some days, less what was returned, from the index of taxes.
#[statement]
pub(crate) async fn sum(conn: &mut PgConnection, tax: Tax, days: Days) -> sqlx::Result<TaxSum> {
    let row = sqlx::query!(
        r#"SELECT coalesce(sum(amount_cents), 0)::bigint AS "cents!", count(*) FILTER (WHERE amount_cents > 0) AS "count!"
           FROM posting
           WHERE account_id = $1 AND kind IN ('EXCISE', 'WITHHOLDING', 'REVERSAL')
               AND balance_after_cents IS NULL AND created_at >= $2 AND created_at < $3"#,
        tax.account().id(),
        days.begins_at(),
        days.ends_at()
    )
    .fetch_one(conn)
    .await?;
    Ok(TaxSum { tax, sum: Money::from_cents(row.cents), count: row.count })
}
