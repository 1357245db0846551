//! Making a player, whichever way they came in.

use anyhow::anyhow;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::ReferralCode,
    error::Error,
    store::{self, player::Newcomer},
};

/// Inserts the player under a referral code that nobody has.
pub(super) async fn make(
    conn: &mut PgConnection,
    cx: &Cx,
    player: PlayerId,
    newcomer: &Newcomer,
    now: OffsetDateTime,
) -> Result<(), Error> {
    // With a million players a draw collides once in a million; three in a row
    // are a broken source of rng, not bad luck.
    for _ in 0..3 {
        let code = ReferralCode::draw(&cx.rng);
        if store::player::insert(conn, player, newcomer, &code, now).await? {
            return Ok(());
        }
    }
    Err(anyhow!("no referral code is free").into())
}
