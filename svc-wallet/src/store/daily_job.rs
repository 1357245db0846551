//! `daily_job`, `provider_float`: the daily jobs, and the figures that operators watch.

use std::time::Duration;

use mesh::db::statement;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use types::Money;

use crate::domain::HouseAccount;

/// Leases a job up to the day `last`, and returns the last day that the job has done; `None` when
/// another replica has the lease, or all days are done. When a replica dies, another takes the job
/// after the lease, which the database's clock measures. The query has no span, because it runs
/// each minute and mostly finds nothing.
pub(crate) async fn claim(
    conn: &mut PgConnection,
    name: &str,
    last: Date,
    lease: Duration,
) -> sqlx::Result<Option<Date>> {
    sqlx::query_scalar!(
        "INSERT INTO daily_job AS job (name, done_for, leased_until)
         VALUES ($1, $2::date - 1, now() + make_interval(secs => $3))
         ON CONFLICT (name) DO UPDATE SET leased_until = EXCLUDED.leased_until
         WHERE job.done_for < $2 AND (job.leased_until IS NULL OR job.leased_until <= now())
         RETURNING done_for",
        name,
        last,
        lease.as_secs_f64()
    )
    .fetch_optional(conn)
    .await
}

/// Stores that a job has done a day, and the number of differences that it found.
#[statement]
pub(crate) async fn finish(
    conn: &mut PgConnection,
    name: &str,
    day: Date,
    found: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE daily_job SET done_for = greatest(done_for, $2), found = $3, leased_until = NULL
         WHERE name = $1",
        name,
        day,
        found
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores the balance for payouts that a provider reports, unless a later report is stored.
#[statement]
pub(crate) async fn set_float(
    conn: &mut PgConnection,
    provider: &str,
    available: Money,
    said_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO provider_float AS known (provider, available_cents, said_at)
         VALUES ($1, $2, $3)
         ON CONFLICT (provider) DO UPDATE SET available_cents = EXCLUDED.available_cents,
             said_at = EXCLUDED.said_at
         WHERE known.said_at <= EXCLUDED.said_at",
        provider,
        available.cents(),
        said_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The figures that operators watch.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    /// Number of payouts that have had no outcome for long, or were never sent.
    pub(crate) unknown_payouts: i64,
    /// Number of reversals that have had no outcome for long, or contradict the books.
    pub(crate) unknown_reversals: i64,
    /// The sum in SUSPENSE of the absolute amounts per payment: a negative amount must not hide a
    /// positive one.
    pub(crate) suspended: Money,
    /// Number of second receipts on which no operator has decided.
    pub(crate) second_receipts: i64,
    /// Number of airtime charges and card refunds without an outcome, and of card payments with a
    /// mismatch.
    pub(crate) charges_in_doubt: i64,
    /// Number of withdrawals that are held beyond the time by which operators were to decide.
    pub(crate) overdue_reviews: i64,
    pub(crate) open_breaks: i64,
    /// Number of operations that wait for a second operator.
    pub(crate) waiting_operations: i64,
}

/// Reads the figures that operators watch. The query has no span, because it runs each minute.
pub(crate) async fn measure(
    conn: &mut PgConnection,
    unknown_before: OffsetDateTime,
    now: OffsetDateTime,
) -> sqlx::Result<Measured> {
    let row = sqlx::query!(
        r#"SELECT (SELECT count(*) FROM payment WHERE kind = 'WITHDRAWAL'
                       AND state IN ('CREATED', 'SUBMITTING', 'SUBMITTED')
                       AND created_at < $1 AND updated_at < $1) AS "unknown!",
                  (SELECT count(*) FROM mpesa_reversal first
                   WHERE state NOT IN ('SUCCEEDED', 'FAILED')
                           AND (coalesce(resent_at, created_at) < $1 OR case_kind IS NOT NULL)
                       OR case_kind IS NOT NULL
                           AND NOT EXISTS (SELECT FROM mpesa_reversal later
                                           WHERE later.receipt = first.receipt
                                               AND later.state <> 'FAILED')) AS "reversals!",
                  (SELECT coalesce(sum(abs(one.cents)), 0)::bigint
                   FROM (SELECT sum(line.amount_cents) AS cents
                         FROM posting line
                         LEFT JOIN money_operation operation ON operation.id = line.ref
                         WHERE line.account_id = $2
                         GROUP BY coalesce(operation.payment_id, line.ref)) one) AS "suspended!",
                  (SELECT count(*) FROM second_receipt WHERE operation_id IS NULL) AS "second!",
                  (SELECT (SELECT count(*) FROM airtime_charge
                           WHERE query_due_at IS NULL AND result IS NULL)
                       + (SELECT count(*) FROM card_payment
                          WHERE mismatch IS NOT NULL AND mismatch_operation_id IS NULL)
                       + (SELECT count(*) FROM card_refund
                          WHERE state IN ('SENDING', 'PENDING') AND check_due_at IS NULL
                              OR contradicted_at IS NOT NULL
                                  AND contradiction_operation_id IS NULL)) AS "charges!",
                  (SELECT count(*) FROM payment JOIN b2c_payout ON payment_id = id
                   WHERE state = 'HELD' AND coalesce(review_by, payment.created_at) < $3) AS "overdue!",
                  (SELECT count(*) FROM recon_break WHERE resolved_at IS NULL) AS "breaks!",
                  (SELECT count(*) FROM money_operation WHERE state = 'WAITING') AS "waiting!""#,
        unknown_before,
        HouseAccount::Suspense.id(),
        now
    )
    .fetch_one(conn)
    .await?;
    Ok(Measured {
        unknown_payouts: row.unknown,
        unknown_reversals: row.reversals,
        suspended: Money::from_cents(row.suspended),
        second_receipts: row.second,
        charges_in_doubt: row.charges,
        overdue_reviews: row.overdue,
        open_breaks: row.breaks,
        waiting_operations: row.waiting,
    })
}

/// Returns each provider's last reported balance for payouts.
pub(crate) async fn floats(conn: &mut PgConnection) -> sqlx::Result<Vec<(String, Money)>> {
    let rows = sqlx::query!("SELECT provider, available_cents FROM provider_float")
        .fetch_all(conn)
        .await?;
    let float = rows.into_iter();
    Ok(float.map(|row| (row.provider, Money::from_cents(row.available_cents))).collect())
}

/// Returns each daily job with the last day that it did, and the number of differences it found.
pub(crate) async fn jobs(conn: &mut PgConnection) -> sqlx::Result<Vec<(String, Date, i64)>> {
    let rows = sqlx::query!("SELECT name, done_for, found FROM daily_job").fetch_all(conn).await?;
    Ok(rows.into_iter().map(|row| (row.name, row.done_for, row.found)).collect())
}
