//! `ledger_proof`: how far the ledger is proven, and the proof itself.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

/// The proof of the whole ledger. `cargo xtask prove` runs it too.
const WHOLE: &str = include_str!("../../proof.sql");

/// A violation that the proof found.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Violation {
    pub(crate) broken: String,
    /// Identifies the journal, wallet or payment.
    pub(crate) what: String,
    pub(crate) how: Option<String>,
}

/// How far the ledger is proven.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The number up to which all postings are proven.
    pub(crate) proven: i64,
    /// The number up to which no transaction can add a posting any more.
    pub(crate) settled: i64,
    pub(crate) whole_at: Option<OffsetDateTime>,
}

/// Locks the progress until the transaction ends; `None` while another replica has it.
pub(crate) async fn lock(conn: &mut PgConnection) -> sqlx::Result<Option<Progress>> {
    sqlx::query_as!(
        Progress,
        r#"SELECT proven_seq AS proven, whole_at,
                  CASE WHEN pg_snapshot_xmin(pg_current_snapshot()) >= next_xid
                       THEN next_seq ELSE proven_seq END AS "settled!"
           FROM ledger_proof FOR UPDATE SKIP LOCKED"#
    )
    .fetch_optional(conn)
    .await
}

/// Proves the postings after `from` up to `to`: their journals balance, each balance of a wallet is
/// the one before plus the amount, and the last balance is the wallet's.
#[statement]
pub(crate) async fn prove_range(
    conn: &mut PgConnection,
    from: i64,
    to: i64,
) -> sqlx::Result<Vec<Violation>> {
    sqlx::query_as!(
        Violation,
        r#"WITH fresh AS MATERIALIZED (
               SELECT journal_id, account_id, seq, amount_cents, balance_after_cents
               FROM posting WHERE seq > $1 AND seq <= $2
           )
           SELECT 'journal does not balance' AS "broken!", p.journal_id::text AS "what!",
                  sum(p.amount_cents)::text AS how
           FROM (SELECT DISTINCT journal_id FROM fresh) f
           JOIN posting p ON p.journal_id = f.journal_id
           GROUP BY p.journal_id HAVING sum(p.amount_cents) <> 0 OR count(*) < 2
           UNION ALL
           SELECT 'balance is not the one before plus the amount', f.account_id::text,
                  f.balance_after_cents || ' <> ' || coalesce(before.balance_after_cents, 0)
                      || ' + ' || f.amount_cents
           FROM fresh f
           LEFT JOIN LATERAL (
               SELECT p.balance_after_cents FROM posting p
               WHERE p.account_id = f.account_id AND p.seq < f.seq ORDER BY p.seq DESC LIMIT 1
           ) before ON true
           WHERE f.balance_after_cents <> coalesce(before.balance_after_cents, 0) + f.amount_cents
           UNION ALL
           SELECT 'last balance differs from the wallet', f.account_id::text,
                  last.balance_after_cents || ' <> ' || coalesce(w.posted_cents, 0)
           FROM (SELECT DISTINCT account_id FROM fresh WHERE balance_after_cents IS NOT NULL) f
           LEFT JOIN wallet w ON w.player_id = f.account_id
           CROSS JOIN LATERAL (
               SELECT p.balance_after_cents FROM posting p
               WHERE p.account_id = f.account_id ORDER BY p.seq DESC LIMIT 1
           ) last
           WHERE last.balance_after_cents <> coalesce(w.posted_cents, 0)"#,
        from,
        to
    )
    .fetch_all(conn)
    .await
}

/// Stores that the postings up to `proven` are proven.
#[statement]
pub(crate) async fn set_proven(
    conn: &mut PgConnection,
    proven: i64,
    at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!("UPDATE ledger_proof SET proven_seq = $1, proven_at = $2", proven, at)
        .execute(conn)
        .await?;
    Ok(())
}

/// Plans the next proof: up to the newest posting, once the transactions that run now have ended.
pub(crate) async fn plan(conn: &mut PgConnection) -> sqlx::Result<()> {
    // Read the posting number before the transaction id, in a separate statement: a transaction
    // that took a number up to this one has an id by then.
    let newest = sqlx::query_scalar!(
        "SELECT last_value FROM pg_sequences
         WHERE schemaname = 'public' AND sequencename = 'posting_seq_seq'"
    )
    .fetch_one(&mut *conn)
    .await?;
    sqlx::query!(
        "UPDATE ledger_proof SET next_seq = $1, next_xid = pg_snapshot_xmax(pg_current_snapshot())
         WHERE next_seq < $1",
        newest.unwrap_or_default()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Proves the whole ledger. It reads every row, and takes minutes on a large ledger.
#[statement]
pub(crate) async fn prove_whole(
    conn: &mut PgConnection,
    at: OffsetDateTime,
) -> sqlx::Result<Vec<Violation>> {
    sqlx::query!("UPDATE ledger_proof SET whole_at = $1", at).execute(&mut *conn).await?;
    sqlx::query("SET LOCAL statement_timeout = '1h'").execute(&mut *conn).await?;
    sqlx::query_as(WHOLE).fetch_all(conn).await
}
