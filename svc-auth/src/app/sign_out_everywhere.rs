//! Ends all sessions of a player.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{
    error::Error,
    store::{self, session::Ending},
};

/// Ends all of the caller's sessions, the current one included, and forgets their devices
/// and payout phones.
#[instrument(name = "auth.sign_out_everywhere", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn sign_out_everywhere(cx: &Cx, caller: Player) -> Result<(), Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // A concurrent sign-in commits before this and is ended, or opens its session after it.
    store::player::lock(&mut tx, caller.id).await?;
    store::session::end_all(&mut tx, caller.id, None, Ending::SignedOutEverywhere, now).await?;
    store::device::forget_all(&mut tx, caller.id, None).await?;
    store::payout_phone::forget_all(&mut tx, caller.id, now).await?;
    tx.commit().await?;
    Ok(())
}
