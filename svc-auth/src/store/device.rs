//! `known_device`, `player.money_seen_at`, `device_approval`: devices that each player has signed
//! in on.

use mesh::db::statement;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use types::{Msisdn, PlayerId};
use uuid::Uuid;

use crate::domain::{Confirmable, DeviceId, Email, KnownDevice, REST, Standing};

/// Devices that a player may have: as many as sessions.
const MOST: i64 = 50;

/// How long a device is known that is not used: as long as browsers keep a cookie (RFC 6265bis).
const KEPT: Duration = Duration::days(400);

/// Remembers that a locked player signed in on a device. Above the limit it forgets the devices
/// that were used longest ago. Returns the time from which money may leave by the device, which is
/// `money_from` if the device is new or has rested.
#[statement]
pub(crate) async fn remember(
    conn: &mut PgConnection,
    player: PlayerId,
    device: DeviceId,
    money_from: Option<OffsetDateTime>,
    now: OffsetDateTime,
) -> sqlx::Result<Option<OffsetDateTime>> {
    sqlx::query_scalar!(
        "WITH crowded AS (
             DELETE FROM known_device WHERE player_id = $1 AND device_id = ANY (ARRAY(
                 SELECT device_id FROM known_device WHERE player_id = $1 AND device_id <> $2
                 ORDER BY last_seen_at DESC OFFSET $4))
         )
         INSERT INTO known_device (player_id, device_id, first_seen_at, last_seen_at, money_from)
         VALUES ($1, $2, $3, $3, $5)
         ON CONFLICT (player_id, device_id) DO UPDATE
             SET last_seen_at = EXCLUDED.last_seen_at,
                 money_from = CASE WHEN known_device.last_seen_at > $6
                     THEN known_device.money_from ELSE EXCLUDED.money_from END
         RETURNING money_from",
        player.uuid(),
        device.uuid(),
        now,
        MOST - 1,
        money_from,
        now - REST,
    )
    .fetch_one(conn)
    .await
}

/// Lets money leave by a player's device from now on; false when it may already.
#[statement]
pub(crate) async fn confirm(
    conn: &mut PgConnection,
    player: PlayerId,
    device: DeviceId,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE known_device SET money_from = $3
         WHERE player_id = $1 AND device_id = $2 AND (money_from > $3) IS NOT FALSE",
        player.uuid(),
        device.uuid(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a player is known on other devices, and not on this one.
#[statement]
pub(crate) async fn is_another(
    conn: &mut PgConnection,
    player: PlayerId,
    device: Option<DeviceId>,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT coalesce(bool_and(device_id IS DISTINCT FROM $2), false) AS "another!"
           FROM known_device WHERE player_id = $1"#,
        player.uuid(),
        device.map(DeviceId::uuid),
    )
    .fetch_one(conn)
    .await
}

/// Whether a player is known on a device.
#[statement]
pub(crate) async fn is_known(
    conn: &mut PgConnection,
    player: PlayerId,
    device: DeviceId,
) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM known_device
               WHERE player_id = $1 AND device_id = $2) AS "known!""#,
        player.uuid(),
        device.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// A player's devices, the one used last first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Vec<KnownDevice>> {
    sqlx::query_as!(
        KnownDevice,
        "SELECT device_id AS id, first_seen_at, last_seen_at, money_from FROM known_device
         WHERE player_id = $1 ORDER BY last_seen_at DESC, device_id",
        player.uuid(),
    )
    .fetch_all(conn)
    .await
}

/// An operator's approval of a device.
pub(crate) struct Approval<'a> {
    pub(crate) id: Uuid,
    pub(crate) player: PlayerId,
    pub(crate) device: DeviceId,
    pub(crate) operator: &'a str,
    pub(crate) reason: &'a str,
}

/// Keeps an operator's approval.
#[statement]
pub(crate) async fn insert_approval(
    conn: &mut PgConnection,
    approval: &Approval<'_>,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO device_approval (id, player_id, device_id, operator, reason, at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        approval.id,
        approval.player.uuid(),
        approval.device.uuid(),
        approval.operator,
        approval.reason,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the means by which a player's account can confirm a device.
#[statement]
pub(crate) async fn find_confirmable(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Confirmable> {
    sqlx::query_as!(
        Confirmable,
        r#"SELECT
             EXISTS (SELECT FROM email_identity WHERE player_id = $1)
                 OR EXISTS (SELECT FROM social_identity
                            WHERE player_id = $1 AND email IS NOT NULL) AS "has_address!",
             greatest(
                 (SELECT greatest(money_seen_at, created_at) FROM player WHERE id = $1),
                 (SELECT max(last_seen_at) FROM known_device
                  WHERE player_id = $1 AND money_from IS NOT NULL)) AS seen_at"#,
        player.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Records, once a day, that a player's device is in use. Returns the time from which money may
/// leave by it; `None` also for a device that the player is not known on.
#[statement]
pub(crate) async fn touch(
    conn: &mut PgConnection,
    player: PlayerId,
    device: DeviceId,
    now: OffsetDateTime,
) -> sqlx::Result<Option<OffsetDateTime>> {
    let found = sqlx::query_scalar!(
        "WITH touched AS (
             UPDATE known_device SET last_seen_at = $3
             WHERE player_id = $1 AND device_id = $2 AND last_seen_at < $4
         )
         SELECT money_from FROM known_device WHERE player_id = $1 AND device_id = $2",
        player.uuid(),
        device.uuid(),
        now,
        now - Duration::DAY,
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.flatten())
}

/// Whether a device is known to the account of an email. It is one statement whether or not there
/// is an account, so that its time reveals nothing.
#[statement]
pub(crate) async fn standing_with_email(
    conn: &mut PgConnection,
    email: &Email,
    device: DeviceId,
) -> sqlx::Result<Standing> {
    let is_known = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM known_device
               WHERE device_id = $2 AND player_id = (
                   SELECT player_id FROM email_identity WHERE lower(email) = $1)) AS "known!""#,
        email.as_str(),
        device.uuid(),
    )
    .fetch_one(conn)
    .await?;
    Ok(Standing::of(is_known))
}

/// Whether a device is known to the owner of a phone. It is one statement, too.
#[statement]
pub(crate) async fn standing_with_phone(
    conn: &mut PgConnection,
    phone: &Msisdn,
    device: DeviceId,
) -> sqlx::Result<Standing> {
    let is_known = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM known_device
               WHERE device_id = $2 AND player_id = (
                   SELECT player_id FROM phone_identity WHERE phone = $1)) AS "known!""#,
        phone.e164(),
        device.uuid(),
    )
    .fetch_one(conn)
    .await?;
    Ok(Standing::of(is_known))
}

/// Forgets all devices of a locked player but one.
#[statement]
pub(crate) async fn forget_all(
    conn: &mut PgConnection,
    player: PlayerId,
    kept: Option<DeviceId>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH forgotten AS (
             DELETE FROM known_device WHERE player_id = $1 AND device_id IS DISTINCT FROM $2
             RETURNING last_seen_at, money_from
         )
         UPDATE player SET money_seen_at = greatest(money_seen_at,
             (SELECT max(last_seen_at) FROM forgotten WHERE money_from IS NOT NULL))
         WHERE id = $1",
        player.uuid(),
        kept.map(DeviceId::uuid),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets devices that are no longer used; returns their number.
#[statement]
pub(crate) async fn sweep(
    conn: &mut PgConnection,
    now: OffsetDateTime,
    limit: i64,
) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM known_device WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM known_device WHERE last_seen_at <= $1
           LIMIT $2 FOR UPDATE SKIP LOCKED))",
        now - KEPT,
        limit,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}
