//! `provider_join`: accounts at a provider that wait for a mailed code.

use anyhow::anyhow;
use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::{
    domain::{ChallengeId, Email, ProviderJoin, TokenHash},
    error::Error,
};

/// Stores the newest sign-in of a locked account at a provider. A code that was mailed to the same
/// address keeps its guesses; a code that was mailed to another address is void.
#[statement]
pub(crate) async fn replace(
    conn: &mut PgConnection,
    code_hash: &TokenHash,
    join: &ProviderJoin,
    kept_until: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO provider_join AS known
           (provider, subject, player_id, email, code_hash, expires_at, kept_until)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (provider, subject) DO UPDATE
           SET challenge_id = CASE
                 WHEN (known.player_id, known.email) = (EXCLUDED.player_id, EXCLUDED.email)
                 THEN known.challenge_id END,
               player_id = EXCLUDED.player_id, email = EXCLUDED.email,
               code_hash = EXCLUDED.code_hash, expires_at = EXCLUDED.expires_at,
               kept_until = EXCLUDED.kept_until",
        join.provider.as_str(),
        join.subject,
        join.player.uuid(),
        join.email.as_str(),
        code_hash.as_slice(),
        join.expires_at,
        kept_until,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The sign-in with an exchange code.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    code_hash: &TokenHash,
) -> Result<Option<ProviderJoin>, Error> {
    let found = sqlx::query!(
        "SELECT provider, subject, player_id, email, expires_at, challenge_id, tries, sent
         FROM provider_join WHERE code_hash = $1",
        code_hash.as_slice(),
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = found else { return Ok(None) };
    let provider = row.provider.parse().map_err(|_| anyhow!("a stored provider is unknown"))?;
    // The cause is left out, because it would contain the address.
    let email = Email::parse(&row.email).map_err(|_| anyhow!("a stored address is not valid"))?;
    Ok(Some(ProviderJoin {
        provider,
        subject: row.subject,
        player: row.player_id.into(),
        email,
        expires_at: row.expires_at,
        challenge: row.challenge_id.map(ChallengeId::from),
        tries: row.tries,
        sent: row.sent,
    }))
}

/// Whether a sign-in with an exchange code waits for a mailed code.
#[statement]
pub(crate) async fn is_open(
    conn: &mut PgConnection,
    code_hash: &TokenHash,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM provider_join
                          WHERE code_hash = $1 AND expires_at > $2) AS "open!""#,
        code_hash.as_slice(),
        now,
    )
    .fetch_one(conn)
    .await
}

/// Stores the newest mailed code of a locked account at a provider.
#[statement]
pub(crate) async fn set_challenge(
    conn: &mut PgConnection,
    join: &ProviderJoin,
    kept_until: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE provider_join SET challenge_id = $3, tries = 0, sent = $4, kept_until = $5
         WHERE provider = $1 AND subject = $2",
        join.provider.as_str(),
        join.subject,
        join.challenge.map(ChallengeId::uuid),
        &join.sent,
        kept_until,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Counts a guess at the mailed code of a locked account at a provider.
#[statement]
pub(crate) async fn count_guess(conn: &mut PgConnection, join: &ProviderJoin) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE provider_join SET tries = tries + 1 WHERE provider = $1 AND subject = $2",
        join.provider.as_str(),
        join.subject,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the row of a locked account at a provider.
#[statement]
pub(crate) async fn delete(conn: &mut PgConnection, join: &ProviderJoin) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM provider_join WHERE provider = $1 AND subject = $2",
        join.provider.as_str(),
        join.subject,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the rows that would join an account with a player.
#[statement]
pub(crate) async fn delete_of_player(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM provider_join WHERE player_id = $1", player.uuid())
        .execute(conn)
        .await?;
    Ok(())
}

/// Deletes joins without a valid code; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM provider_join WHERE (provider, subject) IN
           (SELECT provider, subject FROM provider_join WHERE kept_until <= $1
            LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
