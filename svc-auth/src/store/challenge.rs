//! `phone_challenge`: codes that were sent.

use anyhow::Context as _;
use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Msisdn;

use crate::{
    domain::{ChallengeId, CodeLength, SentCode, Standing},
    error::Error,
};

/// A code that is about to be sent.
pub(crate) struct NewChallenge<'a> {
    pub(crate) id: ChallengeId,
    pub(crate) phone: &'a Msisdn,
    /// The code's HMAC.
    pub(crate) mac: &'a [u8; 32],
    pub(crate) length: CodeLength,
    /// Whether the device that asked for the code is known to the phone's owner.
    pub(crate) standing: Standing,
    pub(crate) expires_at: OffsetDateTime,
}

/// Inserts a new code for a phone and voids the one before it that devices of the same standing
/// asked for. Callers hold the phone's lock in [`code_rate_limit`](super::code_rate_limit).
#[statement]
pub(crate) async fn replace(
    conn: &mut PgConnection,
    new: &NewChallenge<'_>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    let by_known_device = new.standing == Standing::Known;
    sqlx::query!(
        "UPDATE phone_challenge SET ended_at = $3
         WHERE phone = $1 AND by_known_device = $2 AND ended_at IS NULL",
        new.phone.e164(),
        by_known_device,
        now,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "INSERT INTO phone_challenge
             (id, phone, code_mac, by_known_device, created_at, expires_at, long)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        new.id.uuid(),
        new.phone.e164(),
        new.mac.as_slice(),
        by_known_device,
        now,
        new.expires_at,
        new.length == CodeLength::Nine,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Locks a challenge. Guesses at one code wait for each other here.
#[statement]
pub(crate) async fn lock(
    conn: &mut PgConnection,
    id: ChallengeId,
) -> Result<Option<SentCode>, Error> {
    let found = sqlx::query!(
        "SELECT phone, code_mac, long, by_known_device, tries, expires_at, ended_at
         FROM phone_challenge WHERE id = $1 FOR UPDATE",
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = found else { return Ok(None) };
    let mac = row.code_mac.try_into().ok().context("a stored code HMAC is not of 32 bytes")?;
    Ok(Some(SentCode {
        phone: Msisdn::parse(&row.phone).context("a stored phone number is not valid")?,
        mac,
        length: if row.long { CodeLength::Nine } else { CodeLength::Six },
        standing: Standing::of(row.by_known_device),
        tries: row.tries,
        expires_at: row.expires_at,
        ended: row.ended_at.is_some(),
    }))
}

/// Counts a guess at a locked challenge.
#[statement]
pub(crate) async fn count_guess(conn: &mut PgConnection, id: ChallengeId) -> sqlx::Result<()> {
    sqlx::query!("UPDATE phone_challenge SET tries = tries + 1 WHERE id = $1", id.uuid())
        .execute(conn)
        .await?;
    Ok(())
}

/// Ends a challenge: its code opens no more sessions.
#[statement]
pub(crate) async fn end(
    conn: &mut PgConnection,
    id: ChallengeId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE phone_challenge SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL",
        id.uuid(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes expired challenges; returns their number. An unknown challenge is refused like an
/// expired one.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM phone_challenge WHERE id IN
           (SELECT id FROM phone_challenge WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
