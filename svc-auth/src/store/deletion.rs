//! `player.deletion_due_at`, `player.erased_at`, and the rows that an erasure deletes.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;
use uuid::Uuid;

use crate::domain::Erased;

/// Schedules a player's erasure, unless it is scheduled already.
#[statement]
pub(crate) async fn schedule(
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

/// Cancels the scheduled erasure of a locked player.
#[statement]
pub(crate) async fn cancel(conn: &mut PgConnection, player: PlayerId) -> sqlx::Result<()> {
    sqlx::query!("UPDATE player SET deletion_due_at = NULL WHERE id = $1", player.uuid())
        .execute(conn)
        .await?;
    Ok(())
}

/// A player whose erasure is due. The default sorts before all of them.
pub(crate) struct Due {
    pub(crate) player: PlayerId,
    since: OffsetDateTime,
}

impl Default for Due {
    fn default() -> Self {
        Self { player: Uuid::nil().into(), since: OffsetDateTime::UNIX_EPOCH }
    }
}

/// Locks the next player after `last` whose erasure is due. Skips players that another
/// transaction has locked: another replica's erasure, or a sign-in at the last moment.
#[statement]
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

/// The first `limit` players after `after` who were erased until a time, in the order of their
/// erasure.
#[statement]
pub(crate) async fn list_erased(
    conn: &mut PgConnection,
    after: &Erased,
    until: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<Vec<Erased>> {
    sqlx::query_as!(
        Erased,
        r#"SELECT id AS player, erased_at AS "at!" FROM player
           WHERE erased_at <= $1 AND (erased_at, id) > ($2, $3)
           ORDER BY erased_at, id LIMIT $4"#,
        until,
        after.at,
        after.player.uuid(),
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Deletes everything about a locked player except their id, referrals and the end of a break.
#[statement]
pub(crate) async fn erase(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    // All tables that refer to a player; a test compares this list with the schema.
    super::oauth::delete_exchanges(&mut *conn, player).await?;
    super::provider_join::delete_of_player(&mut *conn, player).await?;
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
    sqlx::query!("DELETE FROM known_device WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM device_challenge WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM payout_phone WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM payout_phone_challenge WHERE player_id = $1", player)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM data_copy WHERE player_id = $1", player).execute(&mut *conn).await?;
    sqlx::query!(
        "UPDATE player SET name = NULL, username = NULL, email = NULL, phone = NULL, dob = NULL,
                gender = NULL, profile_pic = NULL, country_id = NULL, currency_id = NULL,
                first_seen_at = NULL, money_seen_at = NULL, erased_at = $2, updated_at = $2
         WHERE id = $1",
        player,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}
