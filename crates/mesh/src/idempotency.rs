//! Idempotent writes: every write can be sent twice.
//!
//! A caller names its attempt with a [`RequestId`]. [`claim`] writes a row for it in the
//! transaction of the write; the row keeps a [`Fingerprint`] of the operation and its
//! content, and, after [`Claim::complete`], the reply. The same id with the same content
//! gets the first reply again; with other content it is refused.
//!
//! Rows stay for [`RETENTION`] and are removed by [`sweep`], a job of each service. Each
//! service's migrations create the table with [`TABLE`].

use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, types::Json};
use time::OffsetDateTime;
use tonic::Code;
use types::PlayerId;

use crate::{Fault, jobs::Round};

/// The table, for a service's first migration.
pub const TABLE: &str = include_str!("request.sql");

/// How long the reply to a request is kept.
pub const RETENTION: time::Duration = time::Duration::days(7);

/// Rows that [`sweep`] removes in one statement.
const SWEEP_BATCH: u64 = 1_000;

/// A caller's name for an attempt: 1 to 255 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// Parses an `Idempotency-Key`.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let plain =
            !text.is_empty() && text.len() <= 255 && text.bytes().all(|b| b.is_ascii_graphic());
        if plain {
            Ok(Self(text.to_owned()))
        } else {
            Err(Fault::new(Code::InvalidArgument, "INVALID_IDEMPOTENCY_KEY"))
        }
    }

    /// The value of a `text` column.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A digest of an operation and its content (SHA-256, in hex).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The digest of an operation's name (`wallet.top_up`) and the parts that matter, in
    /// order.
    pub fn of(operation: &str, parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in std::iter::once(&operation).chain(parts) {
            // The length keeps ["ab", "c"] and ["a", "bc"] apart.
            hash.update(part.len().to_be_bytes());
            hash.update(part.as_bytes());
        }
        Self(hex::encode(hash.finalize()))
    }

    /// The value of a `text` column.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Refuses a repeat whose content differs from the first request's.
    pub fn matches(&self, first: &str) -> Result<(), Fault> {
        if self.0 == first {
            Ok(())
        } else {
            Err(Fault::new(Code::FailedPrecondition, "IDEMPOTENCY_KEY_REUSED"))
        }
    }
}

/// The result of claiming a request id.
#[derive(Debug)]
pub enum Claim<R> {
    /// The id is new: do the work in this transaction, then [`Pending::complete`] it.
    New(Pending),
    /// The request was completed before, with this reply.
    Replay(R),
}

/// A claimed request whose reply is not written yet.
#[derive(Debug)]
#[must_use = "a request that is not completed cannot be replayed"]
pub struct Pending {
    player: PlayerId,
    request: RequestId,
}

/// Why a claim failed.
#[derive(Debug)]
pub enum ClaimError {
    /// The id was used with other content.
    Refused(Fault),
    /// The database failed.
    Database(sqlx::Error),
}

impl From<sqlx::Error> for ClaimError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl<R: crate::Refusal> From<ClaimError> for crate::Error<R> {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::Refused(fault) => Self::Fault(fault),
            ClaimError::Database(error) => error.into(),
        }
    }
}

/// Claims a request id for a player. Call it first in the write's transaction: a request
/// that is sent twice at once waits here until the first has committed or failed.
pub async fn claim<R: DeserializeOwned + Send + Unpin + 'static>(
    tx: &mut PgConnection,
    player: PlayerId,
    request: &RequestId,
    fingerprint: &Fingerprint,
    now: OffsetDateTime,
) -> Result<Claim<R>, ClaimError> {
    let claimed = sqlx::query(
        "INSERT INTO request (player_id, request_id, fingerprint, created_at)
         VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    )
    .bind(player.uuid())
    .bind(request.as_str())
    .bind(fingerprint.as_str())
    .bind(now)
    .execute(&mut *tx)
    .await?;
    if claimed.rows_affected() == 1 {
        return Ok(Claim::New(Pending { player, request: request.clone() }));
    }
    let (first, reply): (String, Json<R>) = sqlx::query_as(
        "SELECT fingerprint, reply FROM request WHERE player_id = $1 AND request_id = $2",
    )
    .bind(player.uuid())
    .bind(request.as_str())
    .fetch_one(tx)
    .await?;
    fingerprint.matches(&first).map_err(ClaimError::Refused)?;
    Ok(Claim::Replay(reply.0))
}

impl Pending {
    /// Keeps the reply for repeats. Commit the transaction afterwards.
    pub async fn complete<R: Serialize + Sync>(
        self,
        tx: &mut PgConnection,
        reply: &R,
    ) -> sqlx::Result<()> {
        sqlx::query("UPDATE request SET reply = $3 WHERE player_id = $1 AND request_id = $2")
            .bind(self.player.uuid())
            .bind(self.request.as_str())
            .bind(Json(reply))
            .execute(tx)
            .await?;
        Ok(())
    }
}

/// Removes requests that are older than [`RETENTION`], one batch of them.
pub async fn sweep(conn: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<Round> {
    let removed = sqlx::query(
        "DELETE FROM request WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM request WHERE created_at < $1
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))",
    )
    .bind(now - RETENTION)
    .bind(i64::try_from(SWEEP_BATCH).unwrap_or(1))
    .execute(conn)
    .await?;
    Ok(Round::of_batch(removed.rows_affected(), SWEEP_BATCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_operation_and_content_match() {
        let first = Fingerprint::of("wallet.top_up", &["MPESA", "100"]);
        assert_eq!(first.matches(first.as_str()), Ok(()));
        for other in [
            Fingerprint::of("wallet.top_up", &["MPESA1", "00"]),
            Fingerprint::of("wallet.withdraw", &["MPESA", "100"]),
        ] {
            let refused = other.matches(first.as_str()).unwrap_err();
            assert_eq!(refused.reason, "IDEMPOTENCY_KEY_REUSED");
        }
    }

    #[test]
    fn a_request_id_is_visible_ascii_of_limited_length() {
        assert!(RequestId::parse("0190-7c3e").is_ok());
        for bad in [String::new(), "a b".into(), "é".into(), "x".repeat(256)] {
            assert!(RequestId::parse(&bad).is_err(), "{bad}");
        }
    }
}
