//! `email_identity`: emails and passwords that players sign in with.

use anyhow::anyhow;
use mesh::{auth::Player, db::statement};
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{PlayerId, SessionId};

use crate::{
    domain::{Email, Link},
    error::Error,
};

/// The player who signs in with an email.
pub(crate) struct EmailIdentity {
    pub(crate) player: PlayerId,
    /// A PHC string.
    pub(crate) password_hash: String,
}

/// A player's email and password.
pub(crate) struct Login {
    pub(crate) email: Email,
    /// A PHC string.
    pub(crate) password_hash: String,
    /// The session that changed the password last, and when.
    pub(crate) changed: Option<(SessionId, OffsetDateTime)>,
}

/// Claims a locked email for a player who is inserted later in this transaction; false when another
/// player signs in with it, by a password or by a provider's account.
#[statement]
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

/// The identity of an email.
#[statement]
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

/// Locks an address until the transaction ends. A sign-up, a reset link and a provider that
/// would claim it wait for each other here. Lock it before any player.
#[statement]
pub(crate) async fn lock_email(conn: &mut PgConnection, email: &Email) -> sqlx::Result<()> {
    // An advisory lock, because there may be no row yet. A hash collision only makes two
    // transactions wait for each other.
    let name = format!("EMAIL:{}", email.as_str());
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
        .execute(conn)
        .await?;
    Ok(())
}

/// The player who signs in with an address, by a password or a provider's account.
#[statement]
pub(crate) async fn find_owner(
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

/// A player's email and password, if they have one.
#[statement]
pub(crate) async fn find_of_player(
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
    // The cause is left out, because it would contain the address.
    let email =
        Email::parse(&row.email).map_err(|_| anyhow!("a stored identity has an invalid email"))?;
    let changed = row.changed_by.map(SessionId::from).zip(row.changed_at);
    Ok(Some(Login { email, password_hash: row.password_hash, changed }))
}

/// Replaces a hash that was just verified; false when it has changed since.
#[statement]
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

/// Replaces a hash that was just verified, and records the session that did; false when it has
/// changed since.
#[statement]
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

/// Sets the password and the verified, locked address of a link's player; false when the
/// address has become another player's.
#[statement]
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

/// Records that a link's player has verified its address; false when the player signs in with
/// another address or none.
#[statement]
pub(crate) async fn mark_verified(
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

/// Whether a link's player has verified its address.
#[statement]
pub(crate) async fn is_verified(conn: &mut PgConnection, link: &Link) -> sqlx::Result<bool> {
    verified(conn, link.player, &link.email).await.map(|verified| verified == Some(true))
}

/// Whether a player signs in with this address and has not verified it.
#[statement]
pub(crate) async fn is_unverified(
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

/// Whether the password of an identity is the same as when it was read.
#[statement]
pub(crate) async fn password_unchanged(
    conn: &mut PgConnection,
    identity: &EmailIdentity,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM email_identity
                          WHERE player_id = $1 AND password_hash = $2) AS "unchanged!""#,
        identity.player.uuid(),
        identity.password_hash,
    )
    .fetch_one(conn)
    .await
}

/// Deletes a player's identity by an address that was not verified; false when there is none.
#[statement]
pub(crate) async fn delete_unverified(
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

/// The address that a player signs in with, by password or by a provider's account.
#[statement]
pub(crate) async fn find_address(
    conn: &mut PgConnection,
    player: PlayerId,
) -> Result<Option<Email>, Error> {
    let found = sqlx::query_scalar!(
        r#"SELECT coalesce(
             (SELECT email FROM email_identity WHERE player_id = $1),
             (SELECT min(email) FROM social_identity WHERE player_id = $1)) AS email"#,
        player.uuid(),
    )
    .fetch_one(conn)
    .await?;
    let address = found.map(|email| Email::parse(&email)).transpose();
    Ok(address.map_err(|_| anyhow!("a stored address is not valid"))?)
}
