//! `operator_act`: the audit of operators.

use anyhow::Context as _;
use mesh::{
    auth::{Act, ActHash},
    db::statement,
};
use sqlx::PgConnection;

use crate::domain::Serial;

/// Lets one transaction at a time add to the audit, and returns the last act's number and hash; 0
/// and zeros before the first.
#[statement]
pub(crate) async fn lock_last(conn: &mut PgConnection) -> anyhow::Result<(i64, ActHash)> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtext('operator_act'))")
        .fetch_one(&mut *conn)
        .await?;
    let last = sqlx::query!("SELECT number, hash FROM operator_act ORDER BY number DESC LIMIT 1")
        .fetch_optional(conn)
        .await?;
    let Some(last) = last else { return Ok((0, ActHash::default())) };
    let hash = last.hash.try_into().ok().context("a stored hash is not of 32 bytes")?;
    Ok((last.number, hash))
}

/// Adds an act to the audit, with the hash after it.
#[statement]
pub(crate) async fn insert(conn: &mut PgConnection, act: &Act, hash: &ActHash) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO operator_act (number, at, operator, serial, rpc, outcome, trace_id, hash)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        act.number,
        act.at,
        act.operator,
        act.serial,
        act.rpc,
        act.outcome,
        act.trace_id,
        hash.as_slice(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the operator of the last call with a certificate, if there was one.
#[statement]
pub(crate) async fn find_operator(
    conn: &mut PgConnection,
    serial: &Serial,
) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "SELECT operator FROM operator_act WHERE serial = $1 ORDER BY number DESC LIMIT 1",
        serial.as_str(),
    )
    .fetch_optional(conn)
    .await
}

/// Returns the acts after a number with the hash after each, the oldest first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    after_number: i64,
    limit: usize,
) -> sqlx::Result<Vec<(Act, Vec<u8>)>> {
    let rows = sqlx::query!(
        "SELECT number, at, operator, serial, rpc, outcome, trace_id, hash FROM operator_act
         WHERE number > $1 ORDER BY number LIMIT $2",
        after_number,
        i64::try_from(limit).unwrap_or(i64::MAX),
    )
    .fetch_all(conn)
    .await?;
    let acts = rows.into_iter().map(|row| {
        let act = Act {
            number: row.number,
            at: row.at,
            operator: row.operator,
            serial: row.serial,
            rpc: row.rpc,
            outcome: row.outcome,
            trace_id: row.trace_id,
        };
        (act, row.hash)
    });
    Ok(acts.collect())
}
