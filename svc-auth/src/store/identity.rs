//! `email_identity`.

use anyhow::anyhow;
use mesh::auth::Player;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::{PlayerId, SessionId};

use crate::{
    domain::{Email, Link},
    error::Error,
};

/// Who signs in with an email, and what their password is measured by.
pub(crate) struct EmailIdentity {
    pub(crate) player: PlayerId,
    /// A PHC string.
    pub(crate) password_hash: String,
}

/// What a player signs in with.
pub(crate) struct Login {
    pub(crate) email: Email,
    /// A PHC string.
    pub(crate) password_hash: String,
    /// Which session changed it last, and when.
    pub(crate) changed: Option<(SessionId, OffsetDateTime)>,
}

/// Takes a locked email for a player who is made later in this transaction; false
/// when it is taken, be it by the word of a provider.
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
         SELECT $1, $2, $3, $4
         WHERE NOT EXISTS (SELECT FROM social_identity WHERE email = $2)
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

/// An address, waited for by all who would make it somebody's: whether a sign-up, a link
/// or a provider comes first, the others find it taken. Held until the transaction
/// ends, and taken before any player's lock.
#[instrument(name = "db.identity.lock_email", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn lock_email(conn: &mut PgConnection, email: &Email) -> sqlx::Result<()> {
    // There may be no row yet to lock. Two names with one hash only wait for each other.
    let name = format!("EMAIL:{}", email.as_str());
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
        .execute(conn)
        .await?;
    Ok(())
}

/// Whose an address is: the one place that knows every way in by which it may be
/// somebody's.
#[instrument(name = "db.identity.owner", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn owner_of(
    conn: &mut PgConnection,
    email: &Email,
) -> sqlx::Result<Option<PlayerId>> {
    let owner = sqlx::query_scalar!(
        r#"SELECT player_id AS "player_id!" FROM email_identity WHERE lower(email) = $1
           UNION SELECT player_id FROM social_identity WHERE email = $1"#,
        email.as_str(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(owner.map(PlayerId::from))
}

/// What a player signs in with, if that is a password.
#[instrument(name = "db.identity.of_player", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn of_player(
    conn: &mut PgConnection,
    player: PlayerId,
) -> Result<Option<Login>, Error> {
    let found = sqlx::query!(
        "SELECT email, password_hash, changed_by, changed_at
         FROM email_identity WHERE player_id = $1",
        player.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    let Some(row) = found else { return Ok(None) };
    // The cause would quote the address.
    let email =
        Email::parse(&row.email).map_err(|_| anyhow!("an identity by what is no address"))?;
    let changed = row.changed_by.map(SessionId::from).zip(row.changed_at);
    Ok(Some(Login { email, password_hash: row.password_hash, changed }))
}

/// Puts another hash into the place of one that was just verified; false when it is not
/// there any more.
#[instrument(name = "db.identity.replace", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn replace_password(
    conn: &mut PgConnection,
    player: PlayerId,
    old: &str,
    new: &str,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE email_identity SET password_hash = $3 WHERE player_id = $1 AND password_hash = $2",
        player.uuid(),
        old,
        new,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The same by a session of the player's, which is remembered.
#[instrument(name = "db.identity.change", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn change_password(
    conn: &mut PgConnection,
    caller: Player,
    old: &str,
    new: &str,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE email_identity SET password_hash = $3, changed_by = $4, changed_at = $5
         WHERE player_id = $1 AND password_hash = $2",
        caller.id.uuid(),
        old,
        new,
        caller.session.uuid(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Sets the password of whoever proved a locked address by a link, which is what they
/// sign in with from now on; false when the address has become another player's.
#[instrument(name = "db.identity.set", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn set_password(
    conn: &mut PgConnection,
    link: &Link,
    password_hash: &str,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO email_identity (player_id, email, password_hash, created_at, verified_at)
         SELECT $1, $2, $3, $4, $4
         WHERE NOT EXISTS (SELECT FROM social_identity WHERE email = $2 AND player_id <> $1)
         ON CONFLICT (player_id) DO UPDATE SET email = EXCLUDED.email,
           password_hash = EXCLUDED.password_hash, verified_at = EXCLUDED.verified_at",
        link.player.uuid(),
        link.email.as_str(),
        password_hash,
        now,
    )
    .execute(conn)
    .await;
    match done {
        Ok(done) => Ok(done.rows_affected() == 1),
        Err(error) if mesh::db::violated(&error) == Some("email_identity_email_key") => Ok(false),
        Err(error) => Err(error),
    }
}

/// Notes that the address of a link is its player's; false when the player signs in
/// with another one, or none.
#[instrument(name = "db.identity.prove", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn prove(
    conn: &mut PgConnection,
    link: &Link,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE email_identity SET verified_at = coalesce(verified_at, $3)
         WHERE player_id = $1 AND lower(email) = $2",
        link.player.uuid(),
        link.email.as_str(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether the address of a link was proved to be its player's.
#[instrument(name = "db.identity.is_proved", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn is_proved(conn: &mut PgConnection, link: &Link) -> sqlx::Result<bool> {
    verified(conn, link.player, &link.email).await.map(|verified| verified == Some(true))
}

/// Whether a player signs in with an address that nobody has proved yet.
#[instrument(name = "db.identity.awaits_proof", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn awaits_proof(
    conn: &mut PgConnection,
    player: PlayerId,
    email: &Email,
) -> sqlx::Result<bool> {
    verified(conn, player, email).await.map(|verified| verified == Some(false))
}

async fn verified(
    conn: &mut PgConnection,
    player: PlayerId,
    email: &Email,
) -> sqlx::Result<Option<bool>> {
    sqlx::query_scalar!(
        r#"SELECT verified_at IS NOT NULL AS "verified!" FROM email_identity
           WHERE player_id = $1 AND lower(email) = $2"#,
        player.uuid(),
        email.as_str(),
    )
    .fetch_optional(conn)
    .await
}
/// Whether the password of an identity is still what it was when it was read.
#[instrument(name = "db.identity.check", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn stands(
    conn: &mut PgConnection,
    identity: &EmailIdentity,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM email_identity
                          WHERE player_id = $1 AND password_hash = $2) AS "stands!""#,
        identity.player.uuid(),
        identity.password_hash,
    )
    .fetch_one(conn)
    .await
}

/// Takes away an identity by an address that nobody ever proved; false when there is
/// none.
#[instrument(name = "db.identity.drop_unproved", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn drop_unproved(
    conn: &mut PgConnection,
    player: PlayerId,
    email: &Email,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "DELETE FROM email_identity
         WHERE player_id = $1 AND lower(email) = $2 AND verified_at IS NULL",
        player.uuid(),
        email.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
