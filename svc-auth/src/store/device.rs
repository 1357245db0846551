//! `known_device`: devices that each player has signed in on.

use mesh::db::statement;
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};
use types::{Msisdn, PlayerId};

use crate::domain::{DeviceId, Email, Standing};

/// Devices that a player may have: as many as sessions.
const MOST: i64 = 50;

/// How long a device is known that is not used: as long as browsers keep a cookie (RFC 6265bis).
const KEPT: Duration = Duration::days(400);

/// Remembers that a player signed in on a device. Above the limit it forgets the devices
/// that were used longest ago.
#[statement]
pub(crate) async fn remember(
    conn: &mut PgConnection,
    player: PlayerId,
    device: DeviceId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH crowded AS (
             DELETE FROM known_device WHERE player_id = $1 AND device_id = ANY (ARRAY(
                 SELECT device_id FROM known_device WHERE player_id = $1 AND device_id <> $2
                 ORDER BY last_seen_at DESC OFFSET $4))
         )
         INSERT INTO known_device (player_id, device_id, first_seen_at, last_seen_at)
         VALUES ($1, $2, $3, $3)
         ON CONFLICT (player_id, device_id) DO UPDATE SET last_seen_at = EXCLUDED.last_seen_at",
        player.uuid(),
        device.uuid(),
        now,
        MOST - 1,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes that a player's device is in use, once a day.
#[statement]
pub(crate) async fn touch(
    conn: &mut PgConnection,
    player: PlayerId,
    device: DeviceId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE known_device SET last_seen_at = $3
         WHERE player_id = $1 AND device_id = $2 AND last_seen_at < $4",
        player.uuid(),
        device.uuid(),
        now,
        now - Duration::DAY,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// What a device is to the account of an email. One statement whether or not there is an
/// account, so that its time reveals nothing.
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

/// What a device is to the owner of a phone, in one statement too.
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
        "DELETE FROM known_device WHERE player_id = $1 AND device_id IS DISTINCT FROM $2",
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
