//! `award_hour`: how much the awards of each hour have paid.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Money;

/// Adds an award to its hour; returns what the hour has paid with it. Another award of the hour
/// waits until the transaction ends.
#[statement]
pub(crate) async fn add(
    conn: &mut PgConnection,
    amount: Money,
    now: OffsetDateTime,
) -> sqlx::Result<Money> {
    let paid = sqlx::query_scalar!(
        "INSERT INTO award_hour AS hour (starts_at, paid_cents)
         VALUES (date_trunc('hour', $2::timestamptz), $1)
         ON CONFLICT (starts_at) DO UPDATE SET paid_cents = hour.paid_cents + $1
         RETURNING paid_cents",
        amount.cents(),
        now
    )
    .fetch_one(conn)
    .await?;
    Ok(Money::from_cents(paid))
}
