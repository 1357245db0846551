//! `session`, `refresh_token`.

use anyhow::Context as _;
use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{PlayerId, SessionId};
use uuid::Uuid;

use crate::domain::{DeviceId, RefreshTokenFamily, TokenHash};

/// A locked row of `session`.
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) player: PlayerId,
    current_hash: Vec<u8>,
    previous_hash: Option<Vec<u8>>,
    rotated_on: Option<Uuid>,
    rotated_at: OffsetDateTime,
    rotations: i32,
    created_at: OffsetDateTime,
    expires_at: OffsetDateTime,
    ended_at: Option<OffsetDateTime>,
    /// Whether the session outlives the browser.
    pub(crate) stay_signed_in: bool,
}

/// Why a session was ended before it expired.
#[derive(Debug, Clone, Copy, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Ending {
    SignedOut,
    SignedOutEverywhere,
    /// A used refresh token was presented again.
    Reused,
    /// The player opened more sessions than the limit.
    Displaced,
    /// The password was changed by another session.
    PasswordChanged,
    /// The password was reset by a mailed link.
    PasswordReset,
    /// A provider verified the address for another person than the one who registered it.
    AccountJoined,
    /// The player requested the deletion of the account.
    AccountDeleted,
}

impl Ending {
    /// The value of a database column.
    fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Session {
    /// Returns the part of the session that decides about the next refresh.
    pub(crate) fn refresh_token_family(&self) -> anyhow::Result<RefreshTokenFamily> {
        let hash = |bytes: &[u8]| -> anyhow::Result<TokenHash> {
            bytes.try_into().context("a stored token hash is not of 32 bytes")
        };
        Ok(RefreshTokenFamily {
            current: hash(&self.current_hash)?,
            previous: self.previous_hash.as_deref().map(hash).transpose()?,
            rotated_on: self.rotated_on.map(DeviceId::from),
            rotated_at: self.rotated_at,
            rotations: self.rotations.try_into().context("a stored rotation count is negative")?,
            created_at: self.created_at,
            expires_at: self.expires_at,
            ended: self.ended_at.is_some(),
        })
    }
}

/// Inserts a session with its first refresh token.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    id: SessionId,
    player: PlayerId,
    token: &TokenHash,
    now: OffsetDateTime,
    expires_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH opened AS (
           INSERT INTO session (id, player_id, current_hash, rotated_at, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $4, $5)
           RETURNING id, current_hash)
         INSERT INTO refresh_token (hash, session_id) SELECT current_hash, id FROM opened",
        id.uuid(),
        player.uuid(),
        token.as_slice(),
        now,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Locks the session of a refresh token. Rotations of one family wait for each other here. Only
/// the locked row decides which token is current, because the row read from `refresh_token` may
/// be older than the lock.
#[statement]
pub(crate) async fn lock_by_token(
    conn: &mut PgConnection,
    token: &TokenHash,
) -> sqlx::Result<Option<Session>> {
    sqlx::query_as!(
        Session,
        "SELECT session.id, player_id AS player, current_hash, previous_hash, rotated_on, rotated_at,
                rotations, created_at, expires_at, ended_at, stay_signed_in
         FROM session JOIN refresh_token ON refresh_token.session_id = session.id
         WHERE refresh_token.hash = $1
         FOR UPDATE OF session",
        token.as_slice(),
    )
    .fetch_optional(conn)
    .await
}

/// Replaces the current token by its successor, for a device.
#[statement]
pub(crate) async fn rotate(
    conn: &mut PgConnection,
    id: SessionId,
    current: &TokenHash,
    successor: &TokenHash,
    device: Option<DeviceId>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH rotated AS (
           UPDATE session SET current_hash = $3, previous_hash = $2, rotated_at = $4,
             rotations = rotations + 1, rotated_on = $5
           WHERE id = $1 AND current_hash = $2
           RETURNING id, current_hash)
         INSERT INTO refresh_token (hash, session_id) SELECT current_hash, id FROM rotated",
        id.uuid(),
        current.as_slice(),
        successor.as_slice(),
        now,
        device.map(DeviceId::uuid),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Sets whether a session outlives the browser.
#[statement]
pub(crate) async fn set_stay_signed_in(
    conn: &mut PgConnection,
    id: SessionId,
    stay_signed_in: bool,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE session SET stay_signed_in = $2 WHERE id = $1",
        id.uuid(),
        stay_signed_in,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends a session, unless it has ended.
#[statement]
pub(crate) async fn end(
    conn: &mut PgConnection,
    id: SessionId,
    because: Ending,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE session SET ended_at = $2, ended_because = $3, end_noted_at = clock_timestamp()
         WHERE id = $1 AND ended_at IS NULL",
        id.uuid(),
        now,
        because.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends all open sessions of a player, except `kept`.
#[statement]
pub(crate) async fn end_all(
    conn: &mut PgConnection,
    player: PlayerId,
    kept: Option<SessionId>,
    because: Ending,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE session SET ended_at = $3, ended_because = $4, end_noted_at = clock_timestamp()
         WHERE player_id = $1 AND ended_at IS NULL AND id IS DISTINCT FROM $2",
        player.uuid(),
        kept.map(SessionId::uuid),
        now,
        because.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends the sessions of a locked player that were used longest ago, so that `kept` stay open.
#[statement]
pub(crate) async fn displace(
    conn: &mut PgConnection,
    player: PlayerId,
    kept: i64,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE session SET ended_at = $3, ended_because = $4, end_noted_at = clock_timestamp()
         WHERE id = ANY (ARRAY(
           SELECT id FROM session WHERE player_id = $1 AND ended_at IS NULL
           ORDER BY rotated_at DESC, id DESC OFFSET $2))
         AND ended_at IS NULL",
        player.uuid(),
        kept,
        now,
        Ending::Displaced.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the given sessions that have neither ended nor expired, and were used after a time.
#[statement]
pub(crate) async fn list_open(
    conn: &mut PgConnection,
    sessions: &[SessionId],
    now: OffsetDateTime,
    used_after: OffsetDateTime,
) -> sqlx::Result<Vec<SessionId>> {
    let ids: Vec<Uuid> = sessions.iter().map(|session| session.uuid()).collect();
    let open = sqlx::query_scalar!(
        "SELECT id FROM session
         WHERE id = ANY ($1) AND ended_at IS NULL AND expires_at > $2 AND rotated_at > $3",
        &ids,
        now,
        used_after,
    )
    .fetch_all(conn)
    .await?;
    Ok(open.into_iter().map(Into::into).collect())
}

/// A session that was ended before it expired.
pub(crate) struct Ended {
    pub(crate) id: SessionId,
    pub(crate) ended_at: OffsetDateTime,
}

/// [`Ended`] sessions, and the database's time at which they were read.
pub(crate) struct EndedRead {
    pub(crate) at: OffsetDateTime,
    pub(crate) sessions: Vec<Ended>,
}

/// Sessions whose end was noted after `since`; without it, in the last `seconds`. All times are the
/// database's. The statement has no span, because it runs four times a second outside of any call.
pub(crate) async fn list_ended_since(
    conn: &mut PgConnection,
    since: Option<OffsetDateTime>,
    seconds: f64,
) -> sqlx::Result<EndedRead> {
    // One row without a session when nothing has ended, so that the time is always returned.
    let rows = sqlx::query!(
        r#"SELECT now() AS "at!", session.id AS "id?", ended_at AS "ended_at?"
           FROM (VALUES (1)) AS always
           LEFT JOIN session
             ON end_noted_at > coalesce($1::timestamptz, now() - $2 * interval '1 second')"#,
        since,
        seconds,
    )
    .fetch_all(conn)
    .await?;
    let at = rows.first().map(|row| row.at).ok_or(sqlx::Error::RowNotFound)?;
    let ended = |id: uuid::Uuid, ended_at| Ended { id: id.into(), ended_at };
    let sessions = rows.into_iter().filter_map(|row| Some(ended(row.id?, row.ended_at?))).collect();
    Ok(EndedRead { at, sessions })
}

/// Deletes the tokens of sessions that have expired or ended before `ended_before`; returns
/// their number. An unknown token is refused like an expired one. Tokens are deleted before
/// their sessions, because a session may have thousands, and deleting all by a cascade could
/// exceed the statement timeout.
#[statement]
pub(crate) async fn sweep_tokens(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    ended_before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        // Arrays, because the planner may scan the table for a join of unknown size.
        "DELETE FROM refresh_token WHERE hash = ANY (ARRAY(
           SELECT hash FROM refresh_token WHERE session_id = ANY (ARRAY(
             (SELECT id FROM session WHERE expires_at <= $1 LIMIT $3)
             UNION (SELECT id FROM session WHERE ended_at <= $2 LIMIT $3)))
           LIMIT $3 FOR UPDATE SKIP LOCKED))",
        now,
        ended_before,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Deletes sessions that have expired or ended before `ended_before`, once they have no tokens
/// left; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    ended_before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM session WHERE id = ANY (ARRAY(
           SELECT id FROM session WHERE id = ANY (ARRAY(
             (SELECT id FROM session WHERE expires_at <= $1 LIMIT $3)
             UNION (SELECT id FROM session WHERE ended_at <= $2 LIMIT $3)))
           AND NOT EXISTS (SELECT FROM refresh_token WHERE session_id = session.id)
           LIMIT $3 FOR UPDATE SKIP LOCKED))",
        now,
        ended_before,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
