//! `referral`: whose code a player entered.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use crate::domain::{Referral, ReferralCode};

/// The active player with a code.
#[statement]
pub(crate) async fn find_owner(
    conn: &mut PgConnection,
    code: &ReferralCode,
) -> sqlx::Result<Option<PlayerId>> {
    let found = sqlx::query_scalar!(
        "SELECT id FROM player WHERE referral_code = $1 AND deletion_due_at IS NULL",
        code.as_str(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(found.map(PlayerId::from))
}

/// Records whose code a player entered; false when they entered one before.
#[statement]
pub(crate) async fn insert(
    conn: &mut PgConnection,
    player: PlayerId,
    inviter: PlayerId,
    now: OffsetDateTime,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO referral (invitee_id, inviter_id, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (invitee_id) DO NOTHING",
        player.uuid(),
        inviter.uuid(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// A player's own code and its use.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Option<Referral>> {
    sqlx::query_as!(
        Referral,
        r#"SELECT referral_code AS code,
                  EXISTS (SELECT FROM referral WHERE invitee_id = $1) AS "redeemed!",
                  (SELECT count(*) FROM referral WHERE inviter_id = $1) AS "invited!"
           FROM player WHERE id = $1"#,
        player.uuid(),
    )
    .fetch_optional(conn)
    .await
}
