//! `email_identity`.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::PlayerId;

use crate::domain::Email;

/// Who signs in with an email, and what their password is measured by.
pub(crate) struct EmailIdentity {
    pub(crate) player: PlayerId,
    /// A PHC string.
    pub(crate) password_hash: String,
}

/// Takes an email for a player who is made later in this transaction; false
/// when it is taken. A sign-up that is under way with the same email is waited
/// for.
#[instrument(name = "db.identity.insert", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn claim(
    conn: &mut PgConnection,
    player: PlayerId,
    email: &Email,
    password_hash: &str,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO email_identity (player_id, email, password_hash, created_at)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT ((lower(email))) DO NOTHING",
        player.uuid(),
        email.as_str(),
        password_hash,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The identity of an email, compared without case.
#[instrument(name = "db.identity.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn find(
    conn: &mut PgConnection,
    email: &Email,
) -> sqlx::Result<Option<EmailIdentity>> {
    sqlx::query_as!(
        EmailIdentity,
        "SELECT player_id AS player, password_hash FROM email_identity WHERE lower(email) = $1",
        email.as_str(),
    )
    .fetch_optional(conn)
    .await
}
