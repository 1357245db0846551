//! Content that operators apply: the audit of its changes, and proposals that a second operator
//! confirms. Both are rows of the table `content_change`, which each service's migrations create.

use serde_json::Value;
use sqlx::PgConnection;
use time::Duration;
use types::{Change, Clock, Rng};

use crate::{auth::Operator, db::statement};

/// How long a second operator can confirm a proposal.
pub const PROPOSED_FOR: Duration = Duration::days(7);

/// A row of `content_change` for a proposal; the other rows have the texts of [`Change`].
const PROPOSED: &str = "Proposed";

/// The operator who applies content, and whether the call is a dry run.
#[derive(Debug)]
pub struct Application {
    /// The operator whom the audit names.
    pub operator: Operator,
    /// Whether the call only validates and compares, and changes nothing.
    pub dry_run: bool,
}

/// The content that a call changes, as the audit stores it.
#[derive(Debug)]
pub struct Audited<'a> {
    /// The kind of the manifest.
    pub kind: &'a str,
    /// The manifest's key.
    pub key: &'a str,
    /// The manifest after the change; `None` for a removal.
    pub manifest: Option<Value>,
}

/// Lets one transaction at a time change content, until its end.
#[statement]
pub async fn lock(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtext('content'))").execute(conn).await?;
    Ok(())
}

/// Writes a change to the audit.
pub async fn audit(
    conn: &mut PgConnection,
    clock: &Clock,
    rng: &Rng,
    by: &Application,
    change: Change,
    audited: &Audited<'_>,
) -> sqlx::Result<()> {
    insert(conn, clock, rng, by, &change.to_string(), audited).await
}

/// Whether another operator proposed the same manifest, as the last change of its key, in the last
/// seven days. If not, the manifest becomes the proposal of this operator: commit the transaction,
/// and refuse the call. Only the proposal that is last can be confirmed.
pub async fn confirm_or_propose(
    conn: &mut PgConnection,
    clock: &Clock,
    rng: &Rng,
    by: &Application,
    audited: &Audited<'_>,
) -> sqlx::Result<bool> {
    if is_proposed(conn, clock, by, audited).await? {
        return Ok(true);
    }
    propose(conn, clock, rng, by, audited).await?;
    Ok(false)
}

/// Stores a manifest as the proposal of an operator, in place of an earlier one of its key.
pub async fn propose(
    conn: &mut PgConnection,
    clock: &Clock,
    rng: &Rng,
    by: &Application,
    audited: &Audited<'_>,
) -> sqlx::Result<()> {
    insert(conn, clock, rng, by, PROPOSED, audited).await
}

#[statement]
async fn is_proposed(
    conn: &mut PgConnection,
    clock: &Clock,
    by: &Application,
    audited: &Audited<'_>,
) -> sqlx::Result<bool> {
    let is_proposed = sqlx::query_scalar(
        "SELECT change = $3 AND content = $4 AND operator <> $5 AND changed_at > $6
         FROM content_change WHERE kind = $1 AND key = $2
         ORDER BY changed_at DESC, id DESC LIMIT 1",
    )
    .bind(audited.kind)
    .bind(audited.key)
    .bind(PROPOSED)
    .bind(&audited.manifest)
    .bind(by.operator.name())
    .bind(clock.now() - PROPOSED_FOR)
    .fetch_optional(conn)
    .await?;
    Ok(is_proposed.unwrap_or(false))
}

#[statement]
async fn insert(
    conn: &mut PgConnection,
    clock: &Clock,
    rng: &Rng,
    by: &Application,
    change: &str,
    audited: &Audited<'_>,
) -> sqlx::Result<()> {
    let now = clock.now();
    sqlx::query(
        "INSERT INTO content_change (id, operator, kind, key, change, content, changed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(rng.uuid_v7(now))
    .bind(by.operator.name())
    .bind(audited.kind)
    .bind(audited.key)
    .bind(change)
    .bind(&audited.manifest)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(())
}
