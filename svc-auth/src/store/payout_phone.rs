//! `payout_phone`: phones to which each player's withdrawals may go.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Msisdn, PlayerId};

use crate::domain::PayoutPhone;

/// Returns the phones of a player, the newest first. The phone that the player signs in with is
/// open since it was claimed.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Vec<PayoutPhone>> {
    let rows = sqlx::query!(
        r#"SELECT phone AS "phone!", min(opens_at) AS "opens_at!" FROM (
               SELECT phone, opens_at FROM payout_phone
               WHERE player_id = $1 AND forgotten_at IS NULL
               UNION ALL
               SELECT phone, created_at FROM phone_identity WHERE player_id = $1
           ) AS proven
           GROUP BY phone ORDER BY min(opens_at) DESC, phone"#,
        player.uuid(),
    )
    .fetch_all(conn)
    .await?;
    let decode = |phone: &str| Msisdn::parse(phone).map_err(|e| sqlx::Error::Decode(e.into()));
    rows.into_iter()
        .map(|row| Ok(PayoutPhone { phone: decode(&row.phone)?, opens_at: row.opens_at }))
        .collect()
}

/// Returns how many phones a locked player has proven since a time, but for `except`, whether or not
/// they were forgotten.
#[statement]
pub(crate) async fn count_since(
    conn: &mut PgConnection,
    player: PlayerId,
    except: &Msisdn,
    since: OffsetDateTime,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM payout_phone
           WHERE player_id = $1 AND phone <> $2 AND proven_at > $3"#,
        player.uuid(),
        except.e164(),
        since,
    )
    .fetch_one(conn)
    .await
}

/// Stores a phone that a locked player proves, perhaps after it was forgotten.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    player: PlayerId,
    proven: &PayoutPhone,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO payout_phone (player_id, phone, proven_at, opens_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (player_id, phone) DO UPDATE
             SET proven_at = EXCLUDED.proven_at, opens_at = EXCLUDED.opens_at,
                 forgotten_at = NULL",
        player.uuid(),
        proven.phone.e164(),
        now,
        proven.opens_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets the phones of a locked player: a thief may have added them.
#[statement]
pub(crate) async fn forget_all(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payout_phone SET forgotten_at = $2
         WHERE player_id = $1 AND forgotten_at IS NULL",
        player.uuid(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets the phones of a locked player that are not open yet.
#[statement]
pub(crate) async fn forget_resting(
    conn: &mut PgConnection,
    player: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payout_phone SET forgotten_at = $2
         WHERE player_id = $1 AND opens_at > $2 AND forgotten_at IS NULL",
        player.uuid(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}
