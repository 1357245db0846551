//! `player.deletion_due_at`, `player.erased_at`, and all that an erasure takes away.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::PlayerId;
use uuid::Uuid;

/// Notes that a player wants to be forgotten, and from when on nobody can undo it.
#[instrument(name = "db.player.mark_leaving", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn mark(
    conn: &mut PgConnection,
    player: PlayerId,
    due_at: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE player SET deletion_due_at = $2 WHERE id = $1 AND deletion_due_at IS NULL",
        player.uuid(),
        due_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes that a locked player came back.
#[instrument(name = "db.player.mark_staying", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn unmark(conn: &mut PgConnection, player: PlayerId) -> sqlx::Result<()> {
    sqlx::query!("UPDATE player SET deletion_due_at = NULL WHERE id = $1", player.uuid())
        .execute(conn)
        .await?;
    Ok(())
}

/// Players whose time is over, locked. Those that somebody else holds, be it another
/// replica or a sign-in at the last moment, are passed over.
#[instrument(name = "db.player.lock_due", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn lock_due(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM player WHERE deletion_due_at <= $1 AND erased_at IS NULL
         ORDER BY deletion_due_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED",
        now,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Takes away all that is known of locked players but their ids and who brought whom.
#[instrument(name = "db.player.erase", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn erase(
    conn: &mut PgConnection,
    players: &[Uuid],
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // Each of these names a player; a test holds the list against the schema.
    // One that is being traded now waits for the player, whom we hold: it is passed over,
    // opens nothing, and goes with its minute.
    sqlx::query!(
        "DELETE FROM oauth_exchange WHERE code_hash IN
           (SELECT code_hash FROM oauth_exchange WHERE player_id = ANY($1)
            FOR UPDATE SKIP LOCKED)",
        players,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!("DELETE FROM social_identity WHERE player_id = ANY($1)", players)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM email_link WHERE player_id = ANY($1)", players)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM phone_identity WHERE player_id = ANY($1)", players)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM email_identity WHERE player_id = ANY($1)", players)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM session WHERE player_id = ANY($1)", players)
        .execute(&mut *conn)
        .await?;
    sqlx::query!(
        "UPDATE player SET name = NULL, username = NULL, email = NULL, phone = NULL, dob = NULL,
                gender = NULL, profile_pic = NULL, country_id = NULL, currency_id = NULL,
                first_seen_at = NULL, erased_at = $2, updated_at = $2
         WHERE id = ANY($1)",
        players,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}
