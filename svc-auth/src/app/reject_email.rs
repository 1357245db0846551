//! Removes an address from an account that its owner did not make.

use mesh::instrument;
use tracing::{Span, field};

use super::Cx;
use crate::{
    crypto::LinkToken,
    domain::LinkKind,
    error::{Error, Refused},
    store,
};

/// Removes the address that a confirmation link was mailed to, unless it is confirmed; the password
/// and all links go with it. The account's sessions stay: it may be that of a player who mistyped
/// an address. The call can be repeated. `token` is `None` for a text that is not a token.
#[instrument(name = "auth.reject_email", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn reject_email(cx: &Cx, token: Option<LinkToken>) -> Result<(), Error> {
    let hash = token.ok_or(Refused::LinkExpired)?.hash();
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let found = store::link::find(&mut tx, &hash, LinkKind::Confirmation).await?;
    let link = found.filter(|link| !link.is_expired(now)).ok_or(Refused::LinkExpired)?;
    Span::current().record("player.id", field::display(link.player));
    // A concurrent sign-in by the password commits before this or fails.
    store::player::lock(&mut tx, link.player).await?;
    if store::identity::delete_unverified(&mut tx, link.player, &link.email).await? {
        store::player::remove_email(&mut tx, link.player, &link.email).await?;
        store::link::end_all(&mut tx, link.player, now).await?;
    } else if store::identity::find_owner(&mut tx, &link.email).await?.is_some() {
        // The address was confirmed meanwhile, or is another account's.
        return Err(Refused::LinkExpired.into());
    }
    tx.commit().await?;
    Ok(())
}
