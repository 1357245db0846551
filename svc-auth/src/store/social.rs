//! `social_identity`: providers' accounts that players sign in with.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{Email, Provider, ProviderAccount};

/// Locks a provider's account until the transaction ends, so that two concurrent first sign-ins
/// create one player.
#[statement]
pub(crate) async fn lock_subject(
    conn: &mut PgConnection,
    provider: Provider,
    subject: &str,
) -> sqlx::Result<()> {
    // An advisory lock, because there may be no row yet. A hash collision only makes two
    // transactions wait for each other. Lock it before any address or player.
    let name = format!("{}:{subject}", provider.as_str());
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
        .execute(conn)
        .await?;
    Ok(())
}

/// The player of a provider's account, which nothing removes until the transaction ends.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    provider: Provider,
    subject: &str,
) -> sqlx::Result<Option<PlayerId>> {
    let found = sqlx::query_scalar!(
        "SELECT player_id FROM social_identity WHERE provider = $1 AND subject = $2
         FOR KEY SHARE",
        provider.as_str(),
        subject,
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.map(PlayerId::from))
}

/// Links a provider's account with a player.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    player: PlayerId,
    account: ProviderAccount<'_>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO social_identity (provider, subject, player_id, email, proven, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        account.provider.as_str(),
        account.subject,
        player.uuid(),
        account.email.map(Email::as_str),
        account.is_proven,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Clears an address that the provider no longer verifies: it may be another person's by now,
/// who must not get into this account.
#[statement]
pub(crate) async fn clear_stale_email(
    conn: &mut PgConnection,
    account: ProviderAccount<'_>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE social_identity SET email = NULL
         WHERE provider = $1 AND subject = $2 AND email IS NOT NULL
           AND email IS DISTINCT FROM $3",
        account.provider.as_str(),
        account.subject,
        account.email.map(Email::as_str),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes the providers' accounts by which a player has an address without proof of it; false
/// when there is none.
#[statement]
pub(crate) async fn delete_unproven(
    conn: &mut PgConnection,
    player: PlayerId,
    email: &Email,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "DELETE FROM social_identity WHERE player_id = $1 AND email = $2 AND NOT proven",
        player.uuid(),
        email.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() > 0)
}
