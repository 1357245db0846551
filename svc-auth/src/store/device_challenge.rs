//! `device_challenge`: codes that were mailed to confirm a device.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{ChallengeId, DeviceChallenge, DeviceId};

/// The newest code of a locked player.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Option<DeviceChallenge>> {
    let found = sqlx::query!(
        "SELECT challenge_id, tries, used_by, expires_at, sent FROM device_challenge
         WHERE player_id = $1",
        player.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.map(|row| DeviceChallenge {
        challenge: row.challenge_id.into(),
        tries: row.tries,
        used_by: row.used_by.map(DeviceId::from),
        expires_at: row.expires_at,
        sent: row.sent,
    }))
}

/// Stores the newest code of a locked player, in place of the one before it.
#[statement]
pub(crate) async fn replace(
    conn: &mut PgConnection,
    player: PlayerId,
    new: &DeviceChallenge,
    kept_until: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO device_challenge (player_id, challenge_id, expires_at, sent, kept_until)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (player_id) DO UPDATE
             SET challenge_id = EXCLUDED.challenge_id, tries = 0, used_by = NULL,
                 expires_at = EXCLUDED.expires_at, sent = EXCLUDED.sent,
                 kept_until = EXCLUDED.kept_until",
        player.uuid(),
        new.challenge.uuid(),
        new.expires_at,
        &new.sent,
        kept_until,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts a guess of a locked player.
#[statement]
pub(crate) async fn count_guess(conn: &mut PgConnection, player: PlayerId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE device_challenge SET tries = tries + 1 WHERE player_id = $1",
        player.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Records the device that a code has confirmed.
#[statement]
pub(crate) async fn set_used(
    conn: &mut PgConnection,
    player: PlayerId,
    challenge: ChallengeId,
    device: DeviceId,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE device_challenge SET used_by = $3 WHERE player_id = $1 AND challenge_id = $2",
        player.uuid(),
        challenge.uuid(),
        device.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the rows of players whose codes no longer count; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM device_challenge WHERE player_id IN
           (SELECT player_id FROM device_challenge WHERE kept_until <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
