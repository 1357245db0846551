//! `payout_pause`: whether payouts are paused.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::domain::{BegunPause, PayoutPause};

/// Locks the row until the transaction ends, so that pausing and resuming happen one after the
/// other, and after the claims that read the row before ([`read_shared`]).
#[statement]
pub(crate) async fn lock(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT FROM payout_pause FOR UPDATE").execute(conn).await?;
    Ok(())
}

/// [`read`], for a transaction that sends something or gives it back: a pause begins after it.
#[statement]
pub(crate) async fn read_shared(conn: &mut PgConnection) -> sqlx::Result<PayoutPause> {
    sqlx::query!("SELECT FROM payout_pause FOR SHARE").execute(&mut *conn).await?;
    read(conn).await
}

/// Reads whether payouts are paused. The timeline is the first eight hexadecimal digits of the name
/// of a file of the write-ahead log.
#[statement]
pub(crate) async fn read(conn: &mut PgConnection) -> sqlx::Result<PayoutPause> {
    let row = sqlx::query!(
        r#"SELECT timeline AS known_timeline, begun_by, reason, resume_requested_by,
               resume_requested_on, resumed_at,
               ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer
                   AS "timeline!",
               (SELECT count(*) FROM recon_break WHERE kind = 'LOST' AND resolved_at IS NULL)
                   AS "lost!"
           FROM payout_pause"#
    )
    .fetch_one(conn)
    .await?;
    let begun = row.begun_by.zip(row.reason);
    Ok(PayoutPause {
        begun: begun.map(|(by, reason)| BegunPause { by, reason }),
        known_timeline: row.known_timeline,
        timeline: row.timeline,
        lost: row.lost,
        resume_requested: row.resume_requested_by.zip(row.resume_requested_on),
        resumed_at: row.resumed_at,
    })
}

/// Begins a pause, or gives it another reason. An earlier request to resume is void.
#[statement]
pub(crate) async fn begin(
    conn: &mut PgConnection,
    by: &str,
    reason: &str,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payout_pause SET begun_at = $1, begun_by = $2, reason = $3,
             resume_requested_by = NULL, resume_requested_on = NULL",
        at,
        by,
        reason
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Stores an operator's request to resume on a timeline.
#[statement]
pub(crate) async fn request_to_resume(
    conn: &mut PgConnection,
    by: &str,
    timeline: i32,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payout_pause SET resume_requested_by = $1, resume_requested_on = $2",
        by,
        timeline
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the pause, and stores the timeline that operators know of.
#[statement]
pub(crate) async fn resume(
    conn: &mut PgConnection,
    timeline: i32,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payout_pause SET timeline = $1, resumed_at = $2, begun_at = NULL, begun_by = NULL,
             reason = NULL, resume_requested_by = NULL, resume_requested_on = NULL",
        timeline,
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}
