//! Table `former_account`.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

/// Records the phone of a player who is being erased, as its HMAC.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    player: PlayerId,
    phone: [u8; 32],
    expires_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO former_account (player_id, phone, expires_at) VALUES ($1, $2, $3)",
        player.uuid(),
        &phone,
        expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes out the erased accounts that had a phone, which belong to its new account from now on.
#[statement]
pub(crate) async fn take(
    conn: &mut PgConnection,
    phone: [u8; 32],
    now: OffsetDateTime,
) -> sqlx::Result<Vec<PlayerId>> {
    let players = sqlx::query_scalar!(
        "DELETE FROM former_account WHERE phone = $1 AND expires_at > $2 RETURNING player_id",
        &phone,
        now,
    )
    .fetch_all(conn)
    .await?;
    Ok(players.into_iter().map(Into::into).collect())
}

/// Deletes rows whose time is over; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM former_account WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM former_account WHERE expires_at <= $1
           LIMIT $2 FOR UPDATE SKIP LOCKED))",
        now,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
