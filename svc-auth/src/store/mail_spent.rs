//! `mail_spent`: mails sent in each hour.

use std::time::Duration;

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::domain::{MailBudget, MailCause};

/// Hours that have passed and are still kept.
const KEPT: Duration = Duration::from_hours(24);

/// Counts a mail in the current hour; false, and nothing is counted, when the budget does not
/// cover it.
#[statement]
pub(crate) async fn count(
    conn: &mut PgConnection,
    cause: MailCause,
    budget: MailBudget,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO mail_spent AS spent (hour, sent, strange, resets)
         VALUES (date_trunc('hour', $1::timestamptz, 'UTC'), 1, $2, $3)
         ON CONFLICT (hour) DO UPDATE
           SET sent = spent.sent + 1, strange = spent.strange + EXCLUDED.strange,
               resets = spent.resets + EXCLUDED.resets
           WHERE spent.sent < $4
             AND (EXCLUDED.strange = 0 OR spent.strange < $5)
             AND (EXCLUDED.resets = 0 OR spent.resets < $5)
             AND (EXCLUDED.strange + EXCLUDED.resets = 0 OR spent.strange + spent.resets < $6)",
        now,
        i32::from(cause == MailCause::SignUp),
        i32::from(cause == MailCause::Reset),
        budget.hour,
        budget.share(),
        budget.open_to_all(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Removes a mail that was counted at `counted_at` and not sent.
#[statement]
pub(crate) async fn uncount(
    conn: &mut PgConnection,
    cause: MailCause,
    counted_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE mail_spent SET sent = sent - 1, strange = strange - $2, resets = resets - $3
         WHERE hour = date_trunc('hour', $1::timestamptz, 'UTC')
           AND sent > 0 AND strange >= $2 AND resets >= $3",
        counted_at,
        i32::from(cause == MailCause::SignUp),
        i32::from(cause == MailCause::Reset),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes hours that have passed; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM mail_spent WHERE hour IN
           (SELECT hour FROM mail_spent WHERE hour <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now - KEPT,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
