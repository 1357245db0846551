//! Ends a session.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{
    crypto::RefreshToken,
    error::{Error, Refused},
    store::{self, session::Ending},
};

/// Ends the session of a refresh token, whether the token is current or used. An unknown
/// token has no session left to end.
#[instrument(name = "auth.sign_out", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn sign_out(
    cx: &Cx,
    caller: Player,
    token: Option<RefreshToken>,
) -> Result<(), Error> {
    let Some(token) = token else {
        return Ok(());
    };
    let mut tx = cx.db.begin().await?;
    let Some(session) = store::session::lock_by_token(&mut tx, &token.hash()).await? else {
        return Ok(());
    };
    if session.player != caller.id {
        return Err(Refused::ForeignSession.into());
    }
    store::session::end(&mut tx, session.id, Ending::SignedOut, cx.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}
