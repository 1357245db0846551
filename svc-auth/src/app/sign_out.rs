//! Ends a session.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{
    crypto::RefreshToken,
    error::Error,
    store::{self, session::Ending},
};

/// Ends the caller's session whatever the token is, so that a wrong token does not leave it open.
/// Also ends the session of the token, current or used, if it is another session of this player.
#[instrument(name = "auth.sign_out", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn sign_out(
    cx: &Cx,
    caller: Player,
    token: Option<RefreshToken>,
) -> Result<(), Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // Serialises two calls that name each other's sessions.
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
