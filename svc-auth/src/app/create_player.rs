//! Creates a player, for every way of signing in.

use anyhow::anyhow;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::ReferralCode,
    error::Error,
    store::{self, player::NewPlayer},
};

/// Inserts the player with a referral code of their own.
pub(super) async fn create_player(
    conn: &mut PgConnection,
    cx: &Cx,
    id: PlayerId,
    player: &NewPlayer,
    now: OffsetDateTime,
) -> Result<(), Error> {
    // Among a million players one code in a million collides. Three collisions in a row
    // mean a broken random number generator.
    for _ in 0..3 {
        let code = ReferralCode::generate(&cx.rng);
        if store::player::insert(conn, id, player, &code, now).await? {
            return Ok(());
        }
    }
    Err(anyhow!("three referral codes in a row were taken").into())
}
