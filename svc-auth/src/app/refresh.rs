//! Exchanges a refresh token for its successor.

use mesh::instrument;
use tracing::{Span, field};

use super::{Cx, SignedIn};
use crate::{
    crypto::RefreshToken,
    domain::RefreshDecision,
    error::{Error, Refused},
    store::{self, session::Ending},
};

/// Exchanges a refresh token for its successor and a new access token. `None` is a text that
/// is not a token.
#[instrument(name = "auth.refresh", skip_all, fields(player.id = field::Empty, session.id = field::Empty))]
pub(crate) async fn refresh(cx: &Cx, token: Option<RefreshToken>) -> Result<SignedIn, Error> {
    let token = token.ok_or(Refused::SessionRevoked)?;
    let (presented, successor) = (token.hash(), cx.refresher.successor(&token));
    let now = cx.clock.now();

    let mut tx = cx.db.begin().await?;
    let found = store::session::lock_by_token(&mut tx, &presented).await?;
    let session = found.ok_or(Refused::SessionRevoked)?;
    Span::current().record("player.id", field::display(session.player));
    Span::current().record("session.id", field::display(session.id));
    let family = session.refresh_token_family()?;
    match family.decide(&presented, &successor.hash(), now, cx.rotation_policy) {
        RefreshDecision::Rotate => {
            store::session::rotate(&mut tx, session.id, &presented, &successor.hash(), now).await?;
        }
        RefreshDecision::Repeat => {}
        RefreshDecision::Wait(wait) => return Err(Refused::TooManyRotations(wait).into()),
        RefreshDecision::Reuse => {
            store::session::end(&mut tx, session.id, Ending::Reused, now).await?;
            tx.commit().await?;
            return Err(Refused::SessionRevoked.into());
        }
        RefreshDecision::Ended => return Err(Refused::SessionRevoked.into()),
    }
    tx.commit().await?;

    Ok(SignedIn {
        player: session.player,
        access: cx.access.issue(session.player, session.id, now)?,
        refresh: successor,
        is_new: false,
    })
}
