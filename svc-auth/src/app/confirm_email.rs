//! Confirms a player's address.

use mesh::instrument;
use tracing::{Span, field};

use super::Cx;
use crate::{
    crypto::LinkToken,
    domain::LinkKind,
    error::{Error, Refused},
    store,
};

/// Confirms the address that a link was mailed to. It can be repeated. `None` is a text that
/// is not a token.
#[instrument(name = "auth.confirm_email", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn confirm_email(cx: &Cx, token: Option<LinkToken>) -> Result<(), Error> {
    let hash = token.ok_or(Refused::LinkExpired)?.hash();
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let found = store::link::find(&mut tx, &hash, LinkKind::Confirmation).await?;
    let link = found.filter(|link| !link.is_expired(now)).ok_or(Refused::LinkExpired)?;
    Span::current().record("player.id", field::display(link.player));
    let confirmed = if link.ended_at.is_some() {
        // A voided link confirms nothing, but an address may be confirmed already.
        store::identity::is_verified(&mut tx, &link).await?
    } else {
        store::identity::mark_verified(&mut tx, &link, now).await?
    };
    if !confirmed {
        return Err(Refused::LinkExpired.into());
    }
    tx.commit().await?;
    Ok(())
}
