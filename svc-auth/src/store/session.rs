//! `session`, `refresh_token`.

use anyhow::Context as _;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::{PlayerId, SessionId};

use crate::domain::{Lineage, TokenHash};

/// A session as its row has it, locked.
pub(crate) struct Session {
    pub(crate) id: SessionId,
    pub(crate) player: PlayerId,
    current_hash: Vec<u8>,
    previous_hash: Option<Vec<u8>>,
    rotated_at: OffsetDateTime,
    trades: i32,
    created_at: OffsetDateTime,
    expires_at: OffsetDateTime,
    ended_at: Option<OffsetDateTime>,
}

/// Why a session ended before its time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ending {
    /// Its player said so.
    SignedOut,
    /// Its player said so of all.
    SignedOutEverywhere,
    /// A token that was used up came again.
    Reused,
    /// Its player has begun more sessions than they may have.
    Displaced,
    /// Its player changed the password, on another device.
    PasswordChanged,
    /// The holder of the address set a new password.
    PasswordReset,
    /// Somebody proved that the address is theirs, and not of whoever had typed it in.
    AccountJoined,
    /// Its player asked to be forgotten.
    AccountDeleted,
}

impl Ending {
    const fn as_str(self) -> &'static str {
        match self {
            Self::SignedOut => "SIGNED_OUT",
            Self::SignedOutEverywhere => "SIGNED_OUT_EVERYWHERE",
            Self::Reused => "REUSED",
            Self::Displaced => "DISPLACED",
            Self::PasswordChanged => "PASSWORD_CHANGED",
            Self::PasswordReset => "PASSWORD_RESET",
            Self::AccountJoined => "ACCOUNT_JOINED",
            Self::AccountDeleted => "ACCOUNT_DELETED",
        }
    }
}

impl Session {
    /// What judges the next refresh.
    pub(crate) fn lineage(&self) -> anyhow::Result<Lineage> {
        let hash = |bytes: &[u8]| -> anyhow::Result<TokenHash> {
            bytes
                .try_into()
                .context("a token hash of the wrong length, although a CHECK forbids it")
        };
        Ok(Lineage {
            current: hash(&self.current_hash)?,
            previous: self.previous_hash.as_deref().map(hash).transpose()?,
            rotated_at: self.rotated_at,
            trades: self.trades.try_into().context("trades below none, despite a CHECK")?,
            created_at: self.created_at,
            expires_at: self.expires_at,
            ended: self.ended_at.is_some(),
        })
    }
}

/// A new session with its first token.
#[instrument(name = "db.session.insert", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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

/// The session that a token belongs to, locked: trades of one family line up
/// here. Which token is which stands in the locked row alone, because what is
/// read of the other table may be older than the lock.
#[instrument(name = "db.session.lock", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn lock_by_token(
    conn: &mut PgConnection,
    token: &TokenHash,
) -> sqlx::Result<Option<Session>> {
    sqlx::query_as!(
        Session,
        "SELECT session.id, player_id AS player, current_hash, previous_hash, rotated_at,
                trades, created_at, expires_at, ended_at
         FROM session JOIN refresh_token ON refresh_token.session_id = session.id
         WHERE refresh_token.hash = $1
         FOR UPDATE OF session",
        token.as_slice(),
    )
    .fetch_optional(conn)
    .await
}

/// Puts the successor into the place of the token that was traded.
#[instrument(name = "db.session.rotate", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn rotate(
    conn: &mut PgConnection,
    id: SessionId,
    traded: &TokenHash,
    successor: &TokenHash,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH rotated AS (
           UPDATE session SET current_hash = $3, previous_hash = $2, rotated_at = $4,
             trades = trades + 1
           WHERE id = $1 AND current_hash = $2
           RETURNING id, current_hash)
         INSERT INTO refresh_token (hash, session_id) SELECT current_hash, id FROM rotated",
        id.uuid(),
        traded.as_slice(),
        successor.as_slice(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Ends a session. The first ending is the one that is kept.
#[instrument(name = "db.session.end", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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

/// Ends all sessions of a player that stand, but for one that is to be kept.
#[instrument(name = "db.session.end_all", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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

/// Ends the sessions of a locked player that were used longest ago, so that `kept` of them
/// still stand.
#[instrument(name = "db.session.displace", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
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

/// A session that ended before its time.
pub(crate) struct Ended {
    pub(crate) id: SessionId,
    pub(crate) ended_at: OffsetDateTime,
}

/// What was read of [`Ended`] sessions, and when.
pub(crate) struct EndedRead {
    pub(crate) at: OffsetDateTime,
    pub(crate) sessions: Vec<Ended>,
}

/// Sessions whose end was noted after a moment; without one, in the last `seconds`. All of
/// these times are by Postgres' clock. No span: it is asked all the time, and belongs to
/// nobody's call.
pub(crate) async fn ended_since(
    conn: &mut PgConnection,
    moment: Option<OffsetDateTime>,
    seconds: f64,
) -> sqlx::Result<EndedRead> {
    // One row without a session when nothing has ended: the time is always told.
    let rows = sqlx::query!(
        r#"SELECT now() AS "at!", session.id AS "id?", ended_at AS "ended_at?"
           FROM (VALUES (1)) AS always
           LEFT JOIN session
             ON end_noted_at > coalesce($1::timestamptz, now() - $2 * interval '1 second')"#,
        moment,
        seconds,
    )
    .fetch_all(conn)
    .await?;
    let at = rows.first().map(|row| row.at).ok_or(sqlx::Error::RowNotFound)?;
    let ended = |id: uuid::Uuid, ended_at| Ended { id: id.into(), ended_at };
    let sessions = rows.into_iter().filter_map(|row| Some(ended(row.id?, row.ended_at?))).collect();
    Ok(EndedRead { at, sessions })
}

/// Forgets tokens of sessions that are over, or that ended before everybody who judges
/// tokens may forget it (`told`); says how many. An unknown token is refused as a dead
/// one is. They go before their sessions, because a session may have had thousands, and
/// a statement that takes them all along is one that is never done in time.
#[instrument(name = "db.refresh_token.sweep", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn sweep_tokens(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    told: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        // Arrays, because joins to a set of unknown size may be made by reading the table.
        "DELETE FROM refresh_token WHERE hash = ANY (ARRAY(
           SELECT hash FROM refresh_token WHERE session_id = ANY (ARRAY(
             (SELECT id FROM session WHERE expires_at <= $1 LIMIT $3)
             UNION (SELECT id FROM session WHERE ended_at <= $2 LIMIT $3)))
           LIMIT $3 FOR UPDATE SKIP LOCKED))",
        now,
        told,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Forgets the same sessions once they have no tokens left; says how many.
#[instrument(name = "db.session.sweep", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    told: OffsetDateTime,
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
        told,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
