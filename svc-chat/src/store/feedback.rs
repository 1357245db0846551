//! Table `feedback`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Email;

use crate::domain::{Feedback, FeedbackId};

/// The number of recent feedbacks, for the limits.
pub(crate) struct Written {
    /// The feedbacks of one day by the player, or for a guest, by guests with the same email
    /// address. Anyone can give another's address, so guests' feedback never limits a player.
    pub(crate) writer: i64,
    /// The feedbacks of one hour by all players, or by all guests.
    pub(crate) total: i64,
}

/// Lets one transaction at a time count and store, so that the limits hold.
#[statement]
pub(crate) async fn lock(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtext('feedback'))").execute(conn).await?;
    Ok(())
}

/// Counts the feedbacks since these times.
#[statement]
pub(crate) async fn count_since(
    conn: &mut PgConnection,
    feedback: &Feedback,
    day: OffsetDateTime,
    hour: OffsetDateTime,
) -> sqlx::Result<Written> {
    sqlx::query_as!(
        Written,
        r#"SELECT
             CASE WHEN $1::uuid IS NULL
                 THEN (SELECT count(*) FROM feedback
                       WHERE email = $2 AND player_id IS NULL AND created_at > $3)
                 ELSE (SELECT count(*) FROM feedback WHERE player_id = $1 AND created_at > $3)
             END AS "writer!",
             (SELECT count(*) FROM feedback
              WHERE (player_id IS NULL) = ($1 IS NULL) AND created_at > $4) AS "total!""#,
        feedback.player.map(types::PlayerId::uuid),
        feedback.email.as_str(),
        day,
        hour
    )
    .fetch_one(conn)
    .await
}

#[statement]
pub(crate) async fn insert(conn: &mut PgConnection, feedback: &Feedback) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO feedback (id, player_id, email, subject, message, trace, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        feedback.id.uuid(),
        feedback.player.map(types::PlayerId::uuid),
        feedback.email.as_str(),
        feedback.subject,
        feedback.message,
        feedback.trace,
        feedback.created_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A stored feedback, also one that was mailed.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    id: FeedbackId,
) -> sqlx::Result<Option<Feedback>> {
    let row = sqlx::query!(
        "SELECT player_id, email, subject, message, trace, created_at FROM feedback WHERE id = $1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| {
        let email = Email::parse(&row.email);
        Ok(Feedback {
            id,
            player: row.player_id.map(Into::into),
            email: email.map_err(|_| sqlx::Error::Decode("an invalid email".into()))?,
            subject: row.subject,
            message: row.message,
            trace: row.trace,
            created_at: row.created_at,
        })
    })
    .transpose()
}

#[statement]
pub(crate) async fn set_mailed(
    conn: &mut PgConnection,
    id: FeedbackId,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE feedback SET mailed_at = $2 WHERE id = $1", id.uuid(), at)
        .execute(conn)
        .await?;
    Ok(())
}

/// Removes a batch of feedback that is older than a time.
#[statement]
pub(crate) async fn delete_old(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    batch: u32,
) -> sqlx::Result<u64> {
    let deleted = sqlx::query!(
        "DELETE FROM feedback WHERE id IN (
             SELECT id FROM feedback WHERE created_at < $1 ORDER BY created_at LIMIT $2)",
        before,
        i64::from(batch)
    )
    .execute(conn)
    .await?;
    Ok(deleted.rows_affected())
}
