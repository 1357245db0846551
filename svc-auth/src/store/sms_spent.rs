//! `sms_spent`: codes sent to all phones, and wrong guesses at them, in each hour.

use std::time::Duration;

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::domain::{SmsSpent, WrongGuesses};

/// The hours that the daily budget covers.
const DAY: Duration = Duration::from_hours(24);

/// Counts one message in the current hour and returns the sums with it. Concurrent callers
/// wait for this transaction.
#[statement]
pub(crate) async fn count(
    conn: &mut PgConnection,
    has_account: bool,
    now: OffsetDateTime,
) -> sqlx::Result<SmsSpent> {
    let hour = hour_of(now);
    let this_hour = sqlx::query!(
        "INSERT INTO sms_spent (hour, sent, strange) VALUES ($1, 1, $2)
         ON CONFLICT (hour) DO UPDATE
             SET sent = sms_spent.sent + 1, strange = sms_spent.strange + EXCLUDED.strange
         RETURNING sent, strange",
        hour,
        i32::from(!has_account),
    )
    .fetch_one(&mut *conn)
    .await?;
    let day = sqlx::query!(
        r#"SELECT coalesce(sum(sent), 0) AS "sent!", coalesce(sum(strange), 0) AS "strange!"
           FROM sms_spent WHERE hour > $1 AND hour <= $2"#,
        hour - DAY,
        hour,
    )
    .fetch_one(conn)
    .await?;
    Ok(SmsSpent {
        hour: this_hour.sent.into(),
        day: day.sent,
        strange_hour: this_hour.strange.into(),
        strange_day: day.strange,
    })
}

/// Messages sent in the current hour.
#[statement]
pub(crate) async fn find_hour(conn: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<i64> {
    let sent = sqlx::query_scalar!("SELECT sent FROM sms_spent WHERE hour = $1", hour_of(now))
        .fetch_optional(conn)
        .await?;
    Ok(sent.unwrap_or(0).into())
}

/// Removes one message that was counted at `counted_at` and not sent.
#[statement]
pub(crate) async fn uncount(
    conn: &mut PgConnection,
    has_account: bool,
    counted_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sms_spent SET sent = sent - 1, strange = strange - $2
         WHERE hour = $1 AND sent > 0 AND strange >= $2",
        hour_of(counted_at),
        i32::from(!has_account),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts wrong guesses of strangers in the current hour; a negative number takes some back.
/// Concurrent callers wait for this transaction, so it is the last statement of one.
#[statement]
pub(crate) async fn count_wrong(
    conn: &mut PgConnection,
    guesses: i32,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO sms_spent (hour, sent, wrong) VALUES ($1, 0, $2)
         ON CONFLICT (hour) DO UPDATE SET wrong = sms_spent.wrong + EXCLUDED.wrong",
        hour_of(now),
        guesses,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Wrong guesses of strangers in the hours of a day.
#[statement]
pub(crate) async fn find_wrong(
    conn: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<WrongGuesses> {
    let hour = hour_of(now);
    let wrong = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(wrong), 0) AS "wrong!" FROM sms_spent
           WHERE hour > $1 AND hour <= $2"#,
        hour - DAY,
        hour,
    )
    .fetch_one(conn)
    .await?;
    Ok(WrongGuesses(wrong))
}

/// Deletes hours that no longer count; returns their number.
#[statement]
pub(crate) async fn sweep(
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

/// When an hour of the clock began.
fn hour_of(at: OffsetDateTime) -> OffsetDateTime {
    let second = at.unix_timestamp();
    OffsetDateTime::from_unix_timestamp(second - second.rem_euclid(3_600)).unwrap_or(at)
}
