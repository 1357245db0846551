//! `email_link`: links that were mailed.

use anyhow::anyhow;
use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::{
    domain::{Email, Link, LinkKind, RESET_MAILS, RESET_WINDOW, TokenHash},
    error::Error,
};

/// Inserts a reset link, unless the address's hourly mail limit is reached. The call can be
/// repeated, so that a retried mail is counted once. False when the limit is reached, or the link
/// was used or voided meanwhile. Callers hold the player's lock, so that concurrent links count
/// each other.
#[statement]
pub(crate) async fn insert_reset(
    conn: &mut PgConnection,
    hash: &TokenHash,
    link: &Link,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    sqlx::query!(
        "INSERT INTO email_link (hash, kind, player_id, email, created_at, expires_at)
         SELECT $1, 'RESET', $2, $3, $4, $5
         WHERE (SELECT count(*) FROM email_link
                WHERE player_id = $2 AND kind = 'RESET' AND created_at > $6 AND email = $3) < $7
         ON CONFLICT (hash) DO NOTHING",
        hash.as_slice(),
        link.player.uuid(),
        link.email.as_str(),
        now,
        link.expires_at,
        now - RESET_WINDOW,
        RESET_MAILS,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM email_link WHERE hash = $1 AND ended_at IS NULL) AS "inserted!""#,
        hash.as_slice(),
    )
    .fetch_one(conn)
    .await
}

/// Inserts a confirmation link. The call can be repeated.
#[statement]
pub(crate) async fn insert_confirmation(
    conn: &mut PgConnection,
    hash: &TokenHash,
    link: &Link,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO email_link (hash, kind, player_id, email, created_at, expires_at)
         VALUES ($1, 'CONFIRMATION', $2, $3, $4, $5)
         ON CONFLICT (hash) DO NOTHING",
        hash.as_slice(),
        link.player.uuid(),
        link.email.as_str(),
        now,
        link.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The link of a token.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    hash: &TokenHash,
    kind: LinkKind,
) -> Result<Option<Link>, Error> {
    sqlx::query_as!(
        Row,
        "SELECT player_id AS player, email, expires_at, ended_at FROM email_link
         WHERE hash = $1 AND kind = $2",
        hash.as_slice(),
        kind.as_str(),
    )
    .fetch_optional(conn)
    .await?
    .map(Link::try_from)
    .transpose()
}

/// Voids all links of a player.
#[statement]
pub(crate) async fn end_all(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE email_link SET ended_at = $2 WHERE player_id = $1 AND ended_at IS NULL",
        player.uuid(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Voids the reset links of a player.
#[statement]
pub(crate) async fn end_resets(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE email_link SET ended_at = $2
         WHERE player_id = $1 AND kind = 'RESET' AND ended_at IS NULL",
        player.uuid(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes expired links that no longer count; returns their number. An unknown link is refused
/// like an expired one.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM email_link WHERE hash IN
           (SELECT hash FROM email_link WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        now - RESET_WINDOW,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

struct Row {
    player: PlayerId,
    email: String,
    expires_at: OffsetDateTime,
    ended_at: Option<OffsetDateTime>,
}

impl TryFrom<Row> for Link {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        // The cause is left out, because it would contain the address.
        let email =
            Email::parse(&row.email).map_err(|_| anyhow!("a stored link has an invalid email"))?;
        Ok(Self { player: row.player, email, expires_at: row.expires_at, ended_at: row.ended_at })
    }
}
