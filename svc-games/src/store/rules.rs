//! Table `rules`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::domain::RulesHash;

/// Inserts a module; does nothing if it is stored already.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    hash: RulesHash,
    module: &[u8],
    [ticks_per_second, inputs]: [i32; 2],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO rules (sha256, module, ticks_per_second, inputs, created_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (sha256) DO NOTHING",
        &hash.0[..],
        module,
        ticks_per_second,
        inputs,
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The bytes of a module.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    hash: RulesHash,
) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!("SELECT module FROM rules WHERE sha256 = $1", &hash.0[..])
        .fetch_optional(conn)
        .await
}

/// Whether a module is stored.
#[statement]
pub(crate) async fn exists(conn: &mut PgConnection, hash: RulesHash) -> sqlx::Result<bool> {
    let found =
        sqlx::query_scalar!("SELECT EXISTS (SELECT FROM rules WHERE sha256 = $1)", &hash.0[..])
            .fetch_one(conn)
            .await?;
    Ok(found.unwrap_or(false))
}
