//! Reads the caller's referral code.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{
    domain::Referral,
    error::{Error, Refused},
    store,
};

/// The caller's own code, and how many players entered it.
#[instrument(name = "auth.get_referral", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn get_referral(cx: &Cx, caller: Player) -> Result<Referral, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::referral::find(&mut conn, caller.id).await?.ok_or(Refused::PlayerGone)?)
}
