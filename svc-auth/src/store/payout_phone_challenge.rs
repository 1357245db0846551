//! `payout_phone_challenge`: codes that were sent to phones which players want to prove.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Msisdn, PlayerId};

use crate::domain::PayoutPhoneChallenge;

/// Returns the newest code of a locked player.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Option<PayoutPhoneChallenge>> {
    let found = sqlx::query!(
        "SELECT challenge_id, phone, tries, expires_at, sent FROM payout_phone_challenge
         WHERE player_id = $1",
        player.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = found else { return Ok(None) };
    Ok(Some(PayoutPhoneChallenge {
        challenge: row.challenge_id.into(),
        phone: Msisdn::parse(&row.phone).map_err(|error| sqlx::Error::Decode(error.into()))?,
        tries: row.tries,
        expires_at: row.expires_at,
        sent: row.sent,
    }))
}

/// Stores the newest code of a locked player, in place of the one before it.
#[statement]
pub(crate) async fn replace(
    conn: &mut PgConnection,
    player: PlayerId,
    new: &PayoutPhoneChallenge,
    kept_until: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO payout_phone_challenge
             (player_id, challenge_id, phone, expires_at, sent, kept_until)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (player_id) DO UPDATE
             SET challenge_id = EXCLUDED.challenge_id, phone = EXCLUDED.phone, tries = 0,
                 expires_at = EXCLUDED.expires_at, sent = EXCLUDED.sent,
                 kept_until = EXCLUDED.kept_until",
        player.uuid(),
        new.challenge.uuid(),
        new.phone.e164(),
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
        "UPDATE payout_phone_challenge SET tries = tries + 1 WHERE player_id = $1",
        player.uuid(),
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
        "DELETE FROM payout_phone_challenge WHERE player_id IN
           (SELECT player_id FROM payout_phone_challenge WHERE kept_until <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
