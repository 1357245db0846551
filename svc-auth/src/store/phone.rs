//! `phone_identity`.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::{Msisdn, PlayerId};

/// Whose phone it is. Nothing is locked: an erasure holds the player while it waits for
/// the phone, so nobody may hold the phone while they wait for the player.
#[instrument(name = "db.phone.find", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn owner(
    conn: &mut PgConnection,
    phone: &Msisdn,
) -> sqlx::Result<Option<PlayerId>> {
    let owner =
        sqlx::query_scalar!("SELECT player_id FROM phone_identity WHERE phone = $1", phone.e164(),)
            .fetch_optional(conn)
            .await?;
    Ok(owner.map(PlayerId::from))
}

/// Takes a phone for a player who is made later in this transaction; false when it is
/// taken.
#[instrument(name = "db.phone.claim", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn claim(
    conn: &mut PgConnection,
    newcomer: PlayerId,
    phone: &Msisdn,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO phone_identity (player_id, phone, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (phone) DO NOTHING",
        newcomer.uuid(),
        phone.e164(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
