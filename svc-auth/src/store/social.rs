//! `social_identity`.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::PlayerId;

use crate::domain::{Email, Person, Provider};

/// An account at a provider, waited for by all who ask for the same: two first
/// sign-ins at once make one player. Held until the transaction ends.
#[instrument(name = "db.social.lock_subject", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn lock_subject(
    conn: &mut PgConnection,
    provider: Provider,
    subject: &str,
) -> sqlx::Result<()> {
    // There may be no row yet to lock. Two names with one hash only wait for each other.
    let name = format!("{}:{subject}", provider.as_str());
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whose account at a provider this is.
#[instrument(name = "db.social.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn player(
    conn: &mut PgConnection,
    provider: Provider,
    subject: &str,
) -> sqlx::Result<Option<PlayerId>> {
    let found = sqlx::query_scalar!(
        "SELECT player_id FROM social_identity WHERE provider = $1 AND subject = $2",
        provider.as_str(),
        subject,
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.map(PlayerId::from))
}

/// Makes an account at a provider a player's way in.
#[instrument(name = "db.social.insert", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    player: PlayerId,
    provider: Provider,
    person: &Person,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO social_identity (provider, subject, player_id, email, created_at)
         VALUES ($1, $2, $3, $4, $5)",
        provider.as_str(),
        person.subject,
        player.uuid(),
        person.proved_email().map(Email::as_str),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets an address that the provider does not vouch for any more: it may be
/// somebody else's by now, and must not bring them here.
#[instrument(name = "db.social.drop_stale_email", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn drop_stale_email(
    conn: &mut PgConnection,
    provider: Provider,
    person: &Person,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE social_identity SET email = NULL
         WHERE provider = $1 AND subject = $2 AND email IS NOT NULL
           AND email IS DISTINCT FROM $3",
        provider.as_str(),
        person.subject,
        person.proved_email().map(Email::as_str),
    )
    .execute(conn)
    .await?;
    Ok(())
}
