//! `phone_guard`, `sms_spent`: how many codes were sent, to a phone and to all.

use std::time::Duration;

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;

use crate::domain::{REMEMBERED, Sendings, Spent};

/// Locks a phone's row, made if need be, and reads when codes were sent there.
/// Requests for one phone line up here.
#[instrument(name = "db.sending.lock", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    phone: &[u8; 32],
    now: OffsetDateTime,
) -> sqlx::Result<Vec<OffsetDateTime>> {
    // DO UPDATE, because DO NOTHING would neither lock nor return the row.
    sqlx::query_scalar!(
        "INSERT INTO phone_guard (phone, sent, expires_at) VALUES ($1, '{}', $2)
         ON CONFLICT (phone) DO UPDATE SET expires_at = phone_guard.expires_at
         RETURNING sent",
        phone.as_slice(),
        now,
    )
    .fetch_one(conn)
    .await
}

/// Writes when codes were sent to a locked phone, the last of them now.
#[instrument(name = "db.sending.count", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn count(
    conn: &mut PgConnection,
    phone: &[u8; 32],
    sendings: &Sendings,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE phone_guard SET sent = $2, expires_at = $3 WHERE phone = $1",
        phone.as_slice(),
        sendings.as_slice(),
        now + REMEMBERED,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets one sending, which was none.
#[instrument(name = "db.sending.forget", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn forget(
    conn: &mut PgConnection,
    phone: &[u8; 32],
    sent_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE phone_guard SET sent = array_remove(sent, $2) WHERE phone = $1",
        phone.as_slice(),
        sent_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts one message of this hour, and says what was sent with it. Whoever counts
/// next waits for this transaction.
#[instrument(name = "db.spent.count", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn spend(conn: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Spent> {
    let hour = hour_of(now);
    let sent = sqlx::query_scalar!(
        "INSERT INTO sms_spent (hour, sent) VALUES ($1, 1)
         ON CONFLICT (hour) DO UPDATE SET sent = sms_spent.sent + 1
         RETURNING sent",
        hour,
    )
    .fetch_one(&mut *conn)
    .await?;
    let day = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(sent), 0) AS "sum!" FROM sms_spent WHERE hour > $1 AND hour <= $2"#,
        hour - DAY,
        hour,
    )
    .fetch_one(conn)
    .await?;
    Ok(Spent { hour: i64::from(sent), day })
}

/// What was sent in this hour so far.
#[instrument(name = "db.spent.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn spent_this_hour(
    conn: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<i64> {
    let sent = sqlx::query_scalar!("SELECT sent FROM sms_spent WHERE hour = $1", hour_of(now))
        .fetch_optional(conn)
        .await?;
    Ok(sent.unwrap_or(0).into())
}

/// Takes one message of that hour back.
#[instrument(name = "db.spent.forget", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn unspend(conn: &mut PgConnection, then: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sms_spent SET sent = sent - 1 WHERE hour = $1 AND sent > 0",
        hour_of(then),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets phones that were sent nothing within a day; says how many.
#[instrument(name = "db.sending.sweep", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM phone_guard WHERE phone IN
           (SELECT phone FROM phone_guard WHERE expires_at <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Forgets hours that count no more; says how many.
#[instrument(name = "db.spent.sweep", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn sweep_spent(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM sms_spent WHERE hour IN
           (SELECT hour FROM sms_spent WHERE hour <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        hour_of(now) - DAY,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// The hours that make a day of the budget.
const DAY: Duration = Duration::from_hours(24);

/// When an hour of the clock began.
fn hour_of(at: OffsetDateTime) -> OffsetDateTime {
    let second = at.unix_timestamp();
    OffsetDateTime::from_unix_timestamp(second - second.rem_euclid(3_600)).unwrap_or(at)
}
