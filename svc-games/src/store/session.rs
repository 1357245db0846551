//! Table `play_session`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;

use super::decoded;
use crate::domain::{Outcome, PlaySession, PlaySessionId, RulesHash};

/// A session with what was submitted to it.
pub(crate) struct Claimed {
    pub(crate) session: PlaySession,
    pub(crate) submitted_at: OffsetDateTime,
    pub(crate) outcome: Option<Outcome>,
}

/// Why a session cannot be claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unclaimed {
    Unknown,
    Expired,
    Used,
}

#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    session: &PlaySession,
    secret: &[u8; 32],
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO play_session
             (id, player_id, game_id, rules_sha256, secret_sha256, seed, level, started_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        session.id.uuid(),
        session.player.uuid(),
        session.game.uuid(),
        &session.rules.0[..],
        secret,
        session.seed,
        session.level,
        session.started_at,
        session.expires_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

struct Row {
    player_id: Uuid,
    game_id: Uuid,
    rules_sha256: Vec<u8>,
    seed: i64,
    level: i32,
    started_at: OffsetDateTime,
    expires_at: OffsetDateTime,
    submitted_at: Option<OffsetDateTime>,
    points: Option<i32>,
    trust: Option<String>,
    refusal: Option<String>,
}

impl Row {
    fn claimed(self, id: PlaySessionId) -> sqlx::Result<Option<Claimed>> {
        let Some(submitted_at) = self.submitted_at else { return Ok(None) };
        let outcome = match (self.points, self.trust, self.refusal) {
            (Some(points), Some(trust), _) => {
                Some(Outcome::Scored { points, trust: decoded(trust.parse())? })
            }
            (_, _, Some(refusal)) => Some(Outcome::Refused(decoded(refusal.parse())?)),
            _ => None,
        };
        let rules = decoded(self.rules_sha256.as_slice().try_into())?;
        let session = PlaySession {
            id,
            player: self.player_id.into(),
            game: self.game_id.into(),
            rules: RulesHash(rules),
            seed: self.seed,
            level: self.level,
            started_at: self.started_at,
            expires_at: self.expires_at,
        };
        Ok(Some(Claimed { session, submitted_at, outcome }))
    }
}

/// Claims a session for a submission. A repeat of the same submission gets the same claim,
/// with the time of the first one.
#[statement]
pub(crate) async fn claim(
    conn: &mut PgConnection,
    id: PlaySessionId,
    secret: &[u8; 32],
    submission: &[u8; 32],
    now: OffsetDateTime,
) -> sqlx::Result<Result<Claimed, Unclaimed>> {
    let row = sqlx::query_as!(
        Row,
        "UPDATE play_session
         SET submission = $3, submitted_at = COALESCE(submitted_at, $4)
         WHERE id = $1 AND secret_sha256 = $2
             AND (submission = $3 OR submission IS NULL AND expires_at > $4)
         RETURNING player_id, game_id, rules_sha256, seed, level, started_at, expires_at,
             submitted_at, points, trust, refusal",
        id.uuid(),
        secret,
        submission,
        now
    )
    .fetch_optional(&mut *conn)
    .await?;
    if let Some(row) = row {
        return Ok(row.claimed(id)?.ok_or(Unclaimed::Unknown));
    }
    let used = sqlx::query_scalar!(
        "SELECT submission IS NOT NULL FROM play_session WHERE id = $1 AND secret_sha256 = $2",
        id.uuid(),
        secret
    )
    .fetch_optional(conn)
    .await?;
    Ok(Err(match used.flatten() {
        None => Unclaimed::Unknown,
        Some(true) => Unclaimed::Used,
        Some(false) => Unclaimed::Expired,
    }))
}

/// Writes the outcome; nothing if the session has one.
#[statement]
pub(crate) async fn finish(
    conn: &mut PgConnection,
    id: PlaySessionId,
    outcome: Outcome,
) -> sqlx::Result<()> {
    let (points, trust, refusal) = match outcome {
        Outcome::Scored { points, trust } => (Some(points), Some(trust.to_string()), None),
        Outcome::Refused(refusal) => (None, None, Some(refusal.to_string())),
    };
    sqlx::query!(
        "UPDATE play_session SET points = $2, trust = $3, refusal = $4
         WHERE id = $1 AND points IS NULL AND refusal IS NULL",
        id.uuid(),
        points,
        trust,
        refusal
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Removes at most `limit` sessions that expired before a time; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    before: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let removed = sqlx::query!(
        "DELETE FROM play_session WHERE id = ANY (ARRAY(
             SELECT id FROM play_session WHERE expires_at < $1
             ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
        before,
        limit
    )
    .execute(conn)
    .await?;
    Ok(removed.rows_affected())
}
