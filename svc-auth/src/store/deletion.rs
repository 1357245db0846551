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

/// A player whose time is over. The default comes before them all.
pub(crate) struct Due {
    pub(crate) player: PlayerId,
    since: OffsetDateTime,
}

impl Default for Due {
    fn default() -> Self {
        Self { player: Uuid::nil().into(), since: OffsetDateTime::UNIX_EPOCH }
    }
}

/// The next player after `last` whose time is over, locked. One whom somebody else holds,
/// be it another replica or a sign-in at the last moment, is passed over.
#[instrument(name = "db.player.lock_due", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn lock_next(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    last: &Due,
) -> sqlx::Result<Option<Due>> {
    sqlx::query_as!(
        Due,
        r#"SELECT id AS player, deletion_due_at AS "since!" FROM player
           WHERE deletion_due_at <= $1 AND erased_at IS NULL AND (deletion_due_at, id) > ($2, $3)
           ORDER BY deletion_due_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED"#,
        now,
        last.since,
        last.player.uuid(),
    )
    .fetch_optional(conn)
    .await
}

/// Takes away all that is known of a locked player but their id and who brought whom.
#[instrument(name = "db.player.erase", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn erase(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // Each of these names a player; a test holds the list against the schema.
    super::oauth::end_exchanges(&mut *conn, player).await?;
    let player = player.uuid();
    sqlx::query!("DELETE FROM social_identity WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM email_link WHERE player_id = $1", player).execute(&mut *conn).await?;
    sqlx::query!("DELETE FROM phone_identity WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM email_identity WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM session WHERE player_id = $1", player).execute(&mut *conn).await?;
    sqlx::query!(
        "UPDATE player SET name = NULL, username = NULL, email = NULL, phone = NULL, dob = NULL,
                gender = NULL, profile_pic = NULL, country_id = NULL, currency_id = NULL,
                first_seen_at = NULL, erased_at = $2, updated_at = $2
         WHERE id = $1",
        player,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}
