//! Proof that an address is its player's.

use tracing::{Span, field, instrument};

use super::Cx;
use crate::{
    crypto::LinkToken,
    domain::LinkKind,
    error::{Error, Refused},
    store,
};

/// Confirms the address that a link was mailed to. Opening it again comes to the same.
/// `None` is what was never a token.
#[instrument(name = "auth.confirm_email", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn confirm_email(cx: &Cx, token: Option<LinkToken>) -> Result<(), Error> {
    let hash = token.ok_or(Refused::LinkExpired)?.hash();
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let found = store::link::find(&mut tx, &hash, LinkKind::Confirmation).await?;
    let link = found.filter(|link| link.is_in_time(now)).ok_or(Refused::LinkExpired)?;
    Span::current().record("player.id", field::display(link.player));
    let confirmed = if link.ended_at.is_some() {
        // Void, so it proves nothing any more; but a proof that stands is told.
        store::identity::is_proved(&mut tx, &link).await?
    } else {
        store::identity::prove(&mut tx, &link, now).await?
    };
    if !confirmed {
        return Err(Refused::LinkExpired.into());
    }
    tx.commit().await?;
    Ok(())
}
