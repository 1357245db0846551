//! `mpesa_balance`, `balance_comparison`: what M-Pesa has, and how it compares with the ledger.

use mesh::db::statement;
use sqlx::PgConnection;
use time::{Date, Duration, OffsetDateTime};
use types::Money;
use uuid::Uuid;

use crate::domain::{Balances, BreakId, HouseAccount};

/// How long queries stay.
const KEPT: Duration = Duration::DAY;

/// Removes the queries of a day ago.
#[statement]
pub(crate) async fn sweep(conn: &mut PgConnection, now: OffsetDateTime) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM mpesa_balance WHERE asked_at < $1", now - KEPT).execute(conn).await?;
    Ok(())
}

/// Stores a balance query.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    round: Uuid,
    short_code: &str,
    secret_hash: &[u8],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO mpesa_balance (round_id, short_code, secret_hash, asked_at)
         VALUES ($1, $2, $3, $4)",
        round,
        short_code,
        secret_hash,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Whether a balance query has this secret.
#[statement]
pub(crate) async fn is_asked(conn: &mut PgConnection, secret_hash: &[u8]) -> sqlx::Result<bool> {
    let found =
        sqlx::query_scalar!("SELECT 1 FROM mpesa_balance WHERE secret_hash = $1", secret_hash)
            .fetch_optional(conn)
            .await?;
    Ok(found.is_some())
}

/// Stores the answer to the query with this secret, and returns its round; `None` when the query
/// has an answer. Answers of one round wait for each other.
#[statement]
pub(crate) async fn answer(
    conn: &mut PgConnection,
    secret_hash: &[u8],
    balance: Money,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query!(
        "SELECT round_id FROM mpesa_balance
         WHERE round_id = (SELECT round_id FROM mpesa_balance WHERE secret_hash = $1)
         ORDER BY short_code FOR UPDATE",
        secret_hash,
    )
    .fetch_all(&mut *conn)
    .await?;
    sqlx::query_scalar!(
        "UPDATE mpesa_balance SET cents = $2 WHERE secret_hash = $1 AND cents IS NULL
         RETURNING round_id",
        secret_hash,
        balance.cents(),
    )
    .fetch_optional(conn)
    .await
}

/// The answers of a round.
#[derive(Debug)]
pub(crate) struct Answers {
    /// The sum of the balances, in cents.
    pub(crate) cents: i64,
    pub(crate) asked_at: OffsetDateTime,
    /// The short codes, sorted and separated by commas.
    pub(crate) short_codes: String,
}

/// Returns the answers of a round; `None` while a query waits for its answer.
#[statement]
pub(crate) async fn answers(conn: &mut PgConnection, round: Uuid) -> sqlx::Result<Option<Answers>> {
    sqlx::query_as!(
        Answers,
        r#"SELECT sum(cents)::bigint AS "cents!", min(asked_at) AS "asked_at!",
                  string_agg(short_code, ',' ORDER BY short_code) AS "short_codes!"
           FROM mpesa_balance WHERE round_id = $1 HAVING count(*) = count(cents)"#,
        round,
    )
    .fetch_optional(conn)
    .await
}

/// The sum of the ledger's movements at M-Pesa since the first comparison, in cents.
#[derive(Debug)]
pub(crate) struct Ours {
    /// Up to now.
    pub(crate) cents: i64,
    /// Up to the posting `seq`, the last one that is proven. Postings after it may still be written
    /// in another order than that of their numbers, so the next comparison begins there.
    pub(crate) proven_cents: i64,
    pub(crate) seq: i64,
}

/// Returns the ledger's side of a comparison.
#[statement]
pub(crate) async fn ours(conn: &mut PgConnection) -> sqlx::Result<Ours> {
    sqlx::query_as!(
        Ours,
        r#"WITH last AS (
               SELECT proven_cents, seq FROM balance_comparison ORDER BY seq DESC LIMIT 1
           ), begin AS (
               SELECT proof.proven_seq, coalesce(last.seq, proof.proven_seq) AS seq,
                      coalesce(last.proven_cents, 0) AS cents
               FROM ledger_proof proof LEFT JOIN last ON true
           )
           SELECT begin.cents - coalesce(sum(line.amount_cents), 0)::bigint AS "cents!",
                  begin.cents - coalesce(sum(line.amount_cents)
                      FILTER (WHERE line.seq <= begin.proven_seq), 0)::bigint AS "proven_cents!",
                  begin.proven_seq AS "seq!"
           FROM begin LEFT JOIN posting line ON line.account_id = $1 AND line.seq > begin.seq
           GROUP BY begin.proven_seq, begin.cents"#,
        HouseAccount::MpesaUtility.id(),
    )
    .fetch_one(conn)
    .await
}

/// Returns the comparison that later ones are compared with; `None` before the first one of these
/// short codes.
#[statement]
pub(crate) async fn base(
    conn: &mut PgConnection,
    short_codes: &str,
) -> sqlx::Result<Option<Balances>> {
    sqlx::query_as!(
        Balances,
        "SELECT theirs_cents AS theirs, ours_cents AS ours FROM balance_comparison
         WHERE short_codes = $1 AND is_base ORDER BY compared_at DESC LIMIT 1",
        short_codes,
    )
    .fetch_optional(conn)
    .await
}

/// Makes the last comparison of a break's day the base of later ones, because an operator has
/// explained the difference. Where the two have come together again since, the base stays.
#[statement]
pub(crate) async fn explain(conn: &mut PgConnection, id: BreakId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE balance_comparison SET is_base = true
         WHERE round_id = (
                 SELECT round_id FROM balance_comparison JOIN recon_break USING (day)
                 WHERE id = $1 AND kind = 'BALANCE' AND is_apart
                 ORDER BY compared_at DESC LIMIT 1)
             AND (SELECT is_apart FROM balance_comparison ORDER BY compared_at DESC LIMIT 1)",
        id.uuid(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A comparison of a round.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) round: Uuid,
    pub(crate) day: Date,
    pub(crate) at: OffsetDateTime,
    pub(crate) short_codes: String,
    pub(crate) theirs: i64,
    pub(crate) ours: Ours,
    pub(crate) is_base: bool,
    pub(crate) is_apart: bool,
}

/// Stores a comparison, and returns how many of its day found the two apart.
#[statement]
pub(crate) async fn insert_comparison(
    conn: &mut PgConnection,
    comparison: &Comparison,
) -> sqlx::Result<i64> {
    sqlx::query!(
        "INSERT INTO balance_comparison (round_id, day, compared_at, short_codes, theirs_cents,
             ours_cents, proven_cents, seq, is_base, is_apart)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        comparison.round,
        comparison.day,
        comparison.at,
        comparison.short_codes,
        comparison.theirs,
        comparison.ours.cents,
        comparison.ours.proven_cents,
        comparison.ours.seq,
        comparison.is_base,
        comparison.is_apart,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM balance_comparison
           WHERE day = $1 AND short_codes = $2 AND is_apart"#,
        comparison.day,
        comparison.short_codes,
    )
    .fetch_one(conn)
    .await
}

/// Whether a break of the balance is open.
#[statement]
pub(crate) async fn has_open_break(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM recon_break
               WHERE kind = 'BALANCE' AND resolved_at IS NULL) AS "is_open!""#
    )
    .fetch_one(conn)
    .await
}
