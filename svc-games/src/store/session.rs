//! Table `play_session`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use super::{decoded, proof, round};
use crate::domain::{
    Inputs, PieceKey, Pieces, PlaySession, PlaySessionId, RunOutcome, TournamentId, Unusable,
};

/// A session that was claimed for a submission.
pub(crate) struct Claimed {
    pub(crate) session: PlaySession,
    pub(crate) submitted_at: OffsetDateTime,
    pub(crate) outcome: Option<RunOutcome>,
}

#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    session: &PlaySession,
    secret: &[u8; 32],
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO play_session
             (id, player_id, game_id, rules_sha256, score_key, secret_sha256, seed, level, started_at,
             begun_at, expires_at, tournament_id, round, ends_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
        session.id.uuid(),
        session.player.uuid(),
        session.game.uuid(),
        session.proof.rules().map(|rules| rules.0.to_vec()),
        session.proof.key().map(|key| key.0.to_vec()),
        secret,
        session.seed,
        session.level,
        session.started_at,
        session.begun_at,
        session.expires_at,
        session.tournament.map(|round| round.tournament.uuid()),
        session.tournament.map(|round| round.round),
        session.tournament.map(|round| round.ends_at)
    )
    .execute(conn)
    .await?;
    Ok(())
}

struct Row {
    player_id: Uuid,
    game_id: Uuid,
    rules_sha256: Option<Vec<u8>>,
    score_key: Option<Vec<u8>>,
    tournament_id: Option<Uuid>,
    round: Option<i32>,
    ends_at: Option<OffsetDateTime>,
    seed: i64,
    level: i32,
    piece_key: Option<Vec<u8>>,
    pieces: Vec<Vec<u8>>,
    started_at: OffsetDateTime,
    begun_at: Option<OffsetDateTime>,
    expires_at: OffsetDateTime,
    submitted_at: Option<OffsetDateTime>,
    points: Option<i32>,
    trust: Option<String>,
    refusal: Option<String>,
}

impl Row {
    fn session(self, id: PlaySessionId) -> sqlx::Result<PlaySession> {
        let key = self.piece_key.map(|key| decoded(key.as_slice().try_into())).transpose()?;
        Ok(PlaySession {
            id,
            player: self.player_id.into(),
            game: self.game_id.into(),
            proof: proof(self.rules_sha256, self.score_key)?,
            tournament: round(self.tournament_id, self.round, self.ends_at),
            seed: self.seed,
            level: self.level,
            pieces: key.map(|key| Pieces { key: PieceKey(key), committed: self.pieces }),
            started_at: self.started_at,
            begun_at: self.begun_at,
            expires_at: self.expires_at,
        })
    }

    fn claimed(mut self, id: PlaySessionId) -> sqlx::Result<Option<Claimed>> {
        let Some(submitted_at) = self.submitted_at else { return Ok(None) };
        let outcome = outcome_of(self.points, self.trust.take(), self.refusal.take())?;
        Ok(Some(Claimed { session: self.session(id)?, submitted_at, outcome }))
    }
}

fn outcome_of(
    points: Option<i32>,
    trust: Option<String>,
    refusal: Option<String>,
) -> sqlx::Result<Option<RunOutcome>> {
    Ok(match (points, trust, refusal) {
        (Some(points), Some(trust), _) => {
            Some(RunOutcome::Scored { points, trust: decoded(trust.parse())? })
        }
        (_, _, Some(refusal)) => Some(RunOutcome::Refused(decoded(refusal.parse())?)),
        _ => None,
    })
}

/// Returns a session that takes a run now.
#[statement]
pub(crate) async fn find_open(
    conn: &mut PgConnection,
    id: PlaySessionId,
    secret: &[u8; 32],
    now: OffsetDateTime,
) -> sqlx::Result<Result<PlaySession, Unusable>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT player_id, game_id, rules_sha256, score_key, tournament_id, round, ends_at, seed,
             level, piece_key, pieces, started_at, begun_at, expires_at, submitted_at, points,
             trust, refusal
         FROM play_session WHERE id = $1 AND secret_sha256 = $2",
        id.uuid(),
        secret
    )
    .fetch_optional(conn)
    .await?;
    Ok(match row {
        None => Err(Unusable::Unknown),
        Some(row) if row.submitted_at.is_some() => Err(Unusable::Used),
        Some(row) if row.expires_at <= now => Err(Unusable::Expired),
        Some(row) => Ok(row.session(id)?),
    })
}

/// Whether a run that the player began in the tournament can still be submitted.
#[statement]
pub(crate) async fn has_open_run(
    conn: &mut PgConnection,
    player: PlayerId,
    tournament: TournamentId,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!(
        "SELECT EXISTS (
             SELECT FROM play_session
             WHERE player_id = $1 AND tournament_id = $2 AND begun_at IS NOT NULL
                 AND submission IS NULL AND expires_at > $3)",
        player.uuid(),
        tournament.uuid(),
        now
    )
    .fetch_one(conn)
    .await?;
    Ok(found.unwrap_or(false))
}

/// Writes that the session's run has begun, with its round, seed and level; false if it had begun
/// before. The row stays locked until the transaction ends.
#[statement]
pub(crate) async fn begin(conn: &mut PgConnection, session: &PlaySession) -> sqlx::Result<bool> {
    let begun = sqlx::query!(
        "UPDATE play_session
         SET begun_at = $2, expires_at = $3, seed = $4, level = $5, round = $6, ends_at = $7,
             piece_key = $8
         WHERE id = $1 AND begun_at IS NULL",
        session.id.uuid(),
        session.begun_at,
        session.expires_at,
        session.seed,
        session.level,
        session.tournament.map(|round| round.round),
        session.tournament.map(|round| round.ends_at),
        session.pieces.as_ref().map(|pieces| pieces.key.0.to_vec())
    )
    .execute(conn)
    .await?;
    Ok(begun.rows_affected() == 1)
}

/// Has the time of a run begin at `now`; false if it has begun again, has a piece or was submitted
/// meanwhile.
#[statement]
pub(crate) async fn begin_again(
    conn: &mut PgConnection,
    session: &PlaySession,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let begun = sqlx::query!(
        "UPDATE play_session SET begun_at = $3
         WHERE id = $1 AND begun_at = $2 AND submission IS NULL AND cardinality(pieces) = 0",
        session.id.uuid(),
        session.begun_at,
        now
    )
    .execute(conn)
    .await?;
    Ok(begun.rows_affected() == 1)
}

/// Stores the next piece of a run; false if the run has it already, or was submitted.
#[statement]
pub(crate) async fn commit_piece(
    conn: &mut PgConnection,
    id: PlaySessionId,
    index: usize,
    inputs: &Inputs,
) -> sqlx::Result<bool> {
    let committed = sqlx::query!(
        "UPDATE play_session SET pieces = array_append(pieces, $3)
         WHERE id = $1 AND submission IS NULL AND cardinality(pieces) = $2",
        id.uuid(),
        i32::try_from(index).unwrap_or(i32::MAX),
        inputs.bytes()
    )
    .execute(conn)
    .await?;
    Ok(committed.rows_affected() == 1)
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
) -> sqlx::Result<Result<Claimed, Unusable>> {
    let row = sqlx::query_as!(
        Row,
        "UPDATE play_session
         SET submission = $3, submitted_at = COALESCE(submitted_at, $4)
         WHERE id = $1 AND secret_sha256 = $2
             AND (submission = $3
                 OR submission IS NULL AND begun_at IS NOT NULL AND expires_at > $4)
         RETURNING player_id, game_id, rules_sha256, score_key, tournament_id, round, ends_at, seed,
             level, piece_key, pieces, started_at, begun_at, expires_at, submitted_at, points,
             trust, refusal",
        id.uuid(),
        secret,
        submission,
        now
    )
    .fetch_optional(&mut *conn)
    .await?;
    if let Some(row) = row {
        return Ok(row.claimed(id)?.ok_or(Unusable::Unknown));
    }
    Ok(Err(match find_open(conn, id, secret, now).await? {
        Err(unusable) => unusable,
        Ok(_) => Unusable::NotBegun,
    }))
}

/// Writes the outcome; false if the session already has one.
#[statement]
pub(crate) async fn finish(
    conn: &mut PgConnection,
    id: PlaySessionId,
    outcome: RunOutcome,
) -> sqlx::Result<bool> {
    let (points, trust, refusal) = match outcome {
        RunOutcome::Scored { points, trust } => (Some(points), Some(trust.to_string()), None),
        RunOutcome::Refused(refusal) => (None, None, Some(refusal.to_string())),
    };
    let finished = sqlx::query!(
        "UPDATE play_session SET points = $2, trust = $3, refusal = $4
         WHERE id = $1 AND points IS NULL AND refusal IS NULL",
        id.uuid(),
        points,
        trust,
        refusal
    )
    .execute(conn)
    .await?;
    Ok(finished.rows_affected() == 1)
}

/// Returns the session's outcome; `None` until it has one.
#[statement]
pub(crate) async fn outcome(
    conn: &mut PgConnection,
    id: PlaySessionId,
) -> sqlx::Result<Option<RunOutcome>> {
    let row =
        sqlx::query!("SELECT points, trust, refusal FROM play_session WHERE id = $1", id.uuid())
            .fetch_optional(conn)
            .await?;
    Ok(row.map(|row| outcome_of(row.points, row.trust, row.refusal)).transpose()?.flatten())
}

/// Marks a released run as proven, so that a repeat of its submission gets that reply.
#[statement]
pub(crate) async fn release(conn: &mut PgConnection, id: PlaySessionId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE play_session SET trust = 'Proven' WHERE id = $1 AND trust = 'Held'",
        id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// How many scores of the tournament may still reach its board: runs that have begun and have no
/// outcome, which were submitted after `submitted_after` or expire after `expires_after`, and outbox
/// rows of `topic`.
#[statement]
pub(crate) async fn count_unfinished(
    conn: &mut PgConnection,
    tournament: TournamentId,
    (submitted_after, expires_after): (OffsetDateTime, OffsetDateTime),
    topic: &str,
) -> sqlx::Result<i64> {
    // One statement, because an outcome and its outbox row are committed together.
    let count = sqlx::query_scalar!(
        "SELECT
             (SELECT count(*) FROM play_session
              WHERE tournament_id = $1 AND points IS NULL AND refusal IS NULL
                  AND (submitted_at > $2
                      OR submitted_at IS NULL AND begun_at IS NOT NULL AND expires_at > $3))
             + (SELECT count(*) FROM outbox
                WHERE topic = $4 AND payload->>'tournament' = $5)",
        tournament.uuid(),
        submitted_after,
        expires_after,
        topic,
        tournament.to_string()
    )
    .fetch_one(conn)
    .await?;
    Ok(count.unwrap_or(0))
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
