//! `daily_job`, `provider_float`: what runs once a day, and what operators watch.

use std::time::Duration;

use mesh::db::statement;
use sqlx::PgConnection;
use time::{Date, OffsetDateTime};
use types::Money;

use crate::domain::HouseAccount;

/// Leases a job up to the day `last`, and returns the last day that it has done; `None` when
/// another replica has it, or all is done. When a replica dies, another takes it after the
/// lease, which the database's clock measures. Without a span: it runs each minute, mostly for
/// nothing.
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

/// Stores that a job has done a day, and how much it found.
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

/// Stores what a provider says that we have there to pay out, unless it said so before.
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

/// What operators watch.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    /// Payouts without an outcome for long, or that nothing has sent.
    pub(crate) unknown_payouts: i64,
    /// Reversals without an outcome for long, or that contradict the books.
    pub(crate) unknown_reversals: i64,
    /// In SUSPENSE, the sum over the payments without their signs: a payment that is owed must
    /// not hide another that is in it.
    pub(crate) suspended: Money,
    /// Second receipts on which no operator has decided.
    pub(crate) second_receipts: i64,
    /// Charges to airtime and refunds to cards without an outcome, card payments that differ.
    pub(crate) charges_in_doubt: i64,
    pub(crate) open_breaks: i64,
    /// Operations that wait for a second operator.
    pub(crate) waiting_operations: i64,
}

/// Without a span: it runs each minute.
pub(crate) async fn measure(
    conn: &mut PgConnection,
    unknown_before: OffsetDateTime,
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
                  (SELECT count(*) FROM recon_break WHERE resolved_at IS NULL) AS "breaks!",
                  (SELECT count(*) FROM money_operation WHERE state = 'WAITING') AS "waiting!""#,
        unknown_before,
        HouseAccount::Suspense.id()
    )
    .fetch_one(conn)
    .await?;
    Ok(Measured {
        unknown_payouts: row.unknown,
        unknown_reversals: row.reversals,
        suspended: Money::from_cents(row.suspended),
        second_receipts: row.second,
        charges_in_doubt: row.charges,
        open_breaks: row.breaks,
        waiting_operations: row.waiting,
    })
}

/// Each provider's float, as it last said.
pub(crate) async fn floats(conn: &mut PgConnection) -> sqlx::Result<Vec<(String, Money)>> {
    let rows = sqlx::query!("SELECT provider, available_cents FROM provider_float")
        .fetch_all(conn)
        .await?;
    let float = rows.into_iter();
    Ok(float.map(|row| (row.provider, Money::from_cents(row.available_cents))).collect())
}

/// Each daily job with the last day it did, and what it found.
pub(crate) async fn jobs(conn: &mut PgConnection) -> sqlx::Result<Vec<(String, Date, i64)>> {
    let rows = sqlx::query!("SELECT name, done_for, found FROM daily_job").fetch_all(conn).await?;
    Ok(rows.into_iter().map(|row| (row.name, row.done_for, row.found)).collect())
}
