//! Ends a session.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{
    crypto::RefreshToken,
    error::Error,
    store::{self, session::Ending},
};

/// Ends the caller's session whatever token it names, so that no mistake about the token
/// leaves it open; and the token's, current or used, if that is another one of this player.
#[instrument(name = "auth.sign_out", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn sign_out(
    cx: &Cx,
    caller: Player,
    token: Option<RefreshToken>,
) -> Result<(), Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // Two calls that name each other's sessions wait here.
    store::player::lock(&mut tx, caller.id).await?;
    store::session::end(&mut tx, caller.session, Ending::SignedOut, now).await?;
    if let Some(token) = token {
        let named = store::session::lock_by_token(&mut tx, &token.hash()).await?;
        if let Some(named) = named.filter(|named| named.player == caller.id) {
            store::session::end(&mut tx, named.id, Ending::SignedOut, now).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}
