//! Confirms a player's address.

use mesh::{auth::Player, instrument};
use tracing::{Span, field};

use super::{Cx, sign_in::find_player_by_password};
use crate::{
    crypto::LinkToken,
    domain::{DeviceId, LinkKind, Password},
    error::{Error, Refused},
    store,
};

/// A request to confirm an address. `token` is `None` for a text that is not a token.
pub(crate) struct ConfirmEmail {
    pub(crate) token: Option<LinkToken>,
    pub(crate) password: Option<Password>,
}

/// Confirms the address that a link was mailed to, for a caller who is signed in to the account or
/// has its password: the owner of the address may not be the one who made the account with it. The
/// call can be repeated.
#[instrument(name = "auth.confirm_email", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn confirm_email(
    cx: &Cx,
    command: ConfirmEmail,
    caller: Option<Player>,
    device: Option<DeviceId>,
) -> Result<(), Error> {
    let hash = command.token.ok_or(Refused::LinkExpired)?.hash();
    let now = cx.clock.now();
    let mut conn = cx.db.acquire().await?;
    let found = store::link::find(&mut conn, &hash, LinkKind::Confirmation).await?;
    let link = found.filter(|link| !link.is_expired(now)).ok_or(Refused::LinkExpired)?;
    Span::current().record("player.id", field::display(link.player));
    let is_verified = store::identity::is_verified(&mut conn, &link).await?;
    drop(conn);
    if link.ended_at.is_some() && !is_verified {
        return Err(Refused::LinkExpired.into());
    }
    if caller.is_none_or(|caller| caller.id != link.player) {
        let password = command.password.ok_or(Refused::PasswordNeeded)?;
        let permit = cx.hasher.acquire()?;
        let owner = find_player_by_password(cx, permit, &link.email, password, device).await?;
        if owner != Some(link.player) {
            return Err(Refused::BadCredentials.into());
        }
    }
    let mut conn = cx.db.acquire().await?;
    if is_verified || store::identity::mark_verified(&mut conn, &link, now).await? {
        Ok(())
    } else {
        Err(Refused::LinkExpired.into())
    }
}
