//! Postings of taxes.

use mesh::db::statement;
use sqlx::PgConnection;
use types::Money;

use crate::domain::{Days, Tax, TaxSum};

/// Returns what was taken of a tax on some days, from the index of taxes.
#[statement]
pub(crate) async fn sum(conn: &mut PgConnection, tax: Tax, days: Days) -> sqlx::Result<TaxSum> {
    let row = sqlx::query!(
        r#"SELECT coalesce(sum(amount_cents), 0)::bigint AS "cents!", count(*) AS "count!"
           FROM posting
           WHERE account_id = $1 AND kind IN ('EXCISE', 'WITHHOLDING')
               AND balance_after_cents IS NULL AND created_at >= $2 AND created_at < $3"#,
        tax.account().id(),
        days.begins_at(),
        days.ends_at()
    )
    .fetch_one(conn)
    .await?;
    Ok(TaxSum { tax, sum: Money::from_cents(row.cents), count: row.count })
}
