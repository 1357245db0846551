//! `phone_identity`.

use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::instrument;
use types::{Msisdn, PlayerId};

/// Takes a phone for a player who is made later in this transaction, unless it has an
/// owner already; says whose it is now.
#[instrument(name = "db.phone.claim", skip_all, fields(otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn claim(
    conn: &mut PgConnection,
    newcomer: PlayerId,
    phone: &Msisdn,
    now: OffsetDateTime,
) -> sqlx::Result<PlayerId> {
    // DO UPDATE, because DO NOTHING would not return the owner's row.
    let owner = sqlx::query_scalar!(
        "INSERT INTO phone_identity (player_id, phone, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (phone) DO UPDATE SET phone = EXCLUDED.phone
         RETURNING player_id",
        newcomer.uuid(),
        phone.e164(),
        now,
    )
    .fetch_one(conn)
    .await?;
    Ok(PlayerId::from(owner))
}
