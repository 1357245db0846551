//! Devices and phones that players share, and breaks: `known_device`, `payout_phone`,
//! `phone_identity`, `player`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{IdentityKind, SharedIdentity};

/// Returns the devices on which two or more of the players have signed in.
#[statement]
pub(crate) async fn shared_devices(
    conn: &mut PgConnection,
    players: &[PlayerId],
) -> sqlx::Result<Vec<SharedIdentity>> {
    let shared = sqlx::query_scalar!(
        r#"SELECT array_agg(player_id) AS "players!" FROM known_device
           WHERE player_id = ANY ($1) GROUP BY device_id HAVING count(*) > 1"#,
        &uuids(players)
    )
    .fetch_all(conn)
    .await?;
    Ok(shared.into_iter().map(|players| identity(IdentityKind::Device, players)).collect())
}

/// Returns the phones that two or more of the players sign in with or have proven, perhaps before
/// they were forgotten.
#[statement]
pub(crate) async fn shared_phones(
    conn: &mut PgConnection,
    players: &[PlayerId],
) -> sqlx::Result<Vec<SharedIdentity>> {
    let shared = sqlx::query_scalar!(
        r#"SELECT array_agg(player_id) AS "players!" FROM (
               SELECT player_id, phone FROM payout_phone WHERE player_id = ANY ($1)
               UNION
               SELECT player_id, phone FROM phone_identity WHERE player_id = ANY ($1)
           ) AS proven
           GROUP BY phone HAVING count(*) > 1"#,
        &uuids(players)
    )
    .fetch_all(conn)
    .await?;
    Ok(shared.into_iter().map(|players| identity(IdentityKind::Phone, players)).collect())
}

/// Returns those of the players who have no phone that their withdrawals may go to.
#[statement]
pub(crate) async fn without_phone(
    conn: &mut PgConnection,
    players: &[PlayerId],
) -> sqlx::Result<Vec<PlayerId>> {
    let players = sqlx::query_scalar!(
        r#"SELECT id AS "id!" FROM unnest($1::uuid[]) AS id
           WHERE NOT EXISTS (
                   SELECT FROM payout_phone WHERE player_id = id AND forgotten_at IS NULL)
               AND NOT EXISTS (SELECT FROM phone_identity WHERE player_id = id)"#,
        &uuids(players)
    )
    .fetch_all(conn)
    .await?;
    Ok(players.into_iter().map(Into::into).collect())
}

/// Returns those of the players who are on a break at a time.
#[statement]
pub(crate) async fn on_break(
    conn: &mut PgConnection,
    players: &[PlayerId],
    now: OffsetDateTime,
) -> sqlx::Result<Vec<PlayerId>> {
    let players = sqlx::query_scalar!(
        "SELECT id FROM player WHERE id = ANY ($1) AND break_until > $2",
        &uuids(players),
        now
    )
    .fetch_all(conn)
    .await?;
    Ok(players.into_iter().map(Into::into).collect())
}

fn identity(kind: IdentityKind, players: Vec<Uuid>) -> SharedIdentity {
    SharedIdentity { kind, players: players.into_iter().map(Into::into).collect() }
}

fn uuids(players: &[PlayerId]) -> Vec<Uuid> {
    players.iter().map(|player| player.uuid()).collect()
}
