//! `phone_identity`: phones that players sign in with.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::{Msisdn, PlayerId};

/// The player of a phone. It locks nothing: an erasure locks the player before the phone, so
/// that locking the phone first could deadlock.
#[statement]
pub(crate) async fn find_owner(
    conn: &mut PgConnection,
    phone: &Msisdn,
) -> sqlx::Result<Option<PlayerId>> {
    let owner =
        sqlx::query_scalar!("SELECT player_id FROM phone_identity WHERE phone = $1", phone.e164(),)
            .fetch_optional(conn)
            .await?;
    Ok(owner.map(PlayerId::from))
}

/// The phone that a player signs in with.
#[statement]
pub(crate) async fn find_of(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Option<Msisdn>> {
    let phone = sqlx::query_scalar!(
        "SELECT phone FROM phone_identity WHERE player_id = $1",
        player.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    phone
        .map(|phone| Msisdn::parse(&phone).map_err(|error| sqlx::Error::Decode(error.into())))
        .transpose()
}

/// Claims a phone for a player who is inserted later in this transaction; false when it is
/// another player's.
#[statement]
pub(crate) async fn claim(
    conn: &mut PgConnection,
    player: PlayerId,
    phone: &Msisdn,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO phone_identity (player_id, phone, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (phone) DO NOTHING",
        player.uuid(),
        phone.e164(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
