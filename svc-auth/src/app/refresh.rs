//! Exchanges a refresh token for its successor.

use mesh::instrument;
use tracing::{Span, field};

use super::{Cx, SignedIn};
use crate::{
    crypto::{AccessRules, RefreshToken},
    domain::{DeviceId, RefreshDecision},
    error::{Error, Refused},
    store::{self, session::Ending},
};

/// The refresh tokens that a browser sends.
pub(crate) struct BrowserTokens {
    /// The token of the window that asks.
    pub(crate) window: Option<RefreshToken>,
    /// The token of the cookie, which all windows share.
    pub(crate) cookie: Option<RefreshToken>,
}

/// Exchanges the newer of the browser's tokens for its successor and a new access token: a
/// window may have slept while another one refreshed their session. `stay_signed_in` changes
/// whether the session outlives the browser.
#[instrument(name = "auth.refresh", skip_all, fields(player.id = field::Empty, session.id = field::Empty))]
pub(crate) async fn refresh(
    cx: &Cx,
    tokens: BrowserTokens,
    stay_signed_in: Option<bool>,
    device: Option<DeviceId>,
) -> Result<SignedIn, Error> {
    let BrowserTokens { window, cookie } = tokens;
    // A window never changes to another window's session, whose player may be another.
    let (first, second) = if window.is_some() { (window, cookie) } else { (cookie, None) };
    let first = first.ok_or(Refused::SessionRevoked)?;
    let now = cx.clock.now();

    let mut tx = cx.db.begin().await?;
    let found = store::session::lock_by_token(&mut tx, &first.hash()).await?;
    let session = found.ok_or(Refused::SessionRevoked)?;
    Span::current().record("player.id", field::display(session.player));
    Span::current().record("session.id", field::display(session.id));
    let family = session.refresh_token_family()?;
    let second = second.filter(|second| family.is_newer(&second.hash(), &first.hash()));
    let token = second.unwrap_or(first);
    let (presented, successor) = (token.hash(), cx.refresher.successor(&token));
    let next = successor.hash();
    match family.decide(&presented, &next, device, now, cx.rotation_policy) {
        RefreshDecision::Rotate => {
            store::session::rotate(&mut tx, session.id, &presented, &next, device, now).await?;
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
    let stay = stay_signed_in.unwrap_or(session.stay_signed_in);
    if stay != session.stay_signed_in {
        store::session::set_stay_signed_in(&mut tx, session.id, stay).await?;
    }
    // A refresh makes no device known, and lets no money leave by an unknown device.
    let money_from = match device {
        Some(device) => store::device::touch(&mut tx, session.player, device, now).await?,
        None => None,
    };
    let break_until = store::player::find_break(&mut tx, session.player).await?;
    tx.commit().await?;

    let rules = AccessRules { money_from, break_until };
    Ok(SignedIn {
        player: session.player,
        access: cx.access.issue(session.player, session.id, rules, now)?,
        refresh: cx.refresher.expose(&successor),
        is_new: false,
        stays: stay,
        device: device.map(|device| cx.devices.issue(device.uuid())),
    })
}
