//! `spending_limit`: the limits that players set on their own spending.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Money, PlayerId};

use super::parse;
use crate::domain::{LimitChange, SpendingLimit};

/// Returns the limits of a player, those that ended among them.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Vec<SpendingLimit>> {
    let rows = sqlx::query!(
        "SELECT kind, period, limit_cents, next_cents, next_begins_at
         FROM spending_limit WHERE player_id = $1",
        player.uuid()
    )
    .fetch_all(conn)
    .await?;
    let limits = rows.into_iter().map(|row| {
        Ok(SpendingLimit {
            kind: parse("spending_limit.kind", &row.kind)?,
            period: parse("spending_limit.period", &row.period)?,
            limit: row.limit_cents.map(Money::from_cents),
            change: row.next_begins_at.map(|begins_at| LimitChange {
                limit: row.next_cents.map(Money::from_cents),
                begins_at,
            }),
        })
    });
    limits.collect()
}

/// Stores a limit of a player in place of the one before.
#[statement]
pub(crate) async fn put(
    conn: &mut PgConnection,
    player: PlayerId,
    limit: &SpendingLimit,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO spending_limit
             (player_id, kind, period, limit_cents, next_cents, next_begins_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (player_id, kind, period) DO UPDATE
         SET limit_cents = $4, next_cents = $5, next_begins_at = $6, updated_at = $7",
        player.uuid(),
        <&str>::from(limit.kind),
        <&str>::from(limit.period),
        limit.limit.map(Money::cents),
        limit.change.and_then(|change| change.limit).map(Money::cents),
        limit.change.map(|change| change.begins_at),
        now
    )
    .execute(conn)
    .await?;
    Ok(())
}
