//! Exchanges a one-time code for a session.

use mesh::instrument;
use tracing::{Span, field};

use super::{Cx, SignedIn, session};
use crate::{
    crypto::{ExchangeCode, Proof},
    domain::{Arrival, DeviceId},
    error::{Error, Refused},
    store,
};

/// Opens the session that a code was issued for, once. A retry within the grace period gets the
/// same session. `code` is `None` for a text that is not a code.
#[instrument(name = "auth.exchange_oauth", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn exchange_oauth(
    cx: &Cx,
    code: Option<ExchangeCode>,
    device: Option<DeviceId>,
) -> Result<SignedIn, Error> {
    let code = code.ok_or(Refused::OAuthExpired)?;
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // Lock the player first: a password reset holds that lock when it deletes the code.
    if let Some(player) = store::oauth::find_exchange(&mut tx, &code.hash()).await? {
        store::player::lock(&mut tx, player).await?;
    }
    let first = cx.refresher.first(&Proof::Exchange(&code));
    let signed_in = match store::oauth::take_exchange(&mut tx, &code.hash()).await? {
        Some(exchange) if now < exchange.expires_at => {
            let arrival = if exchange.is_new { Arrival::NewAccount } else { Arrival::SignIn };
            let (player, arrived) = (exchange.player, (device, arrival));
            Some(session::open(&mut tx, cx, player, first, arrived, now).await?)
        }
        Some(_) => None,
        // The code is exchanged already, perhaps a moment ago by the same page.
        None => session::replay(&mut tx, cx, first, device, now).await?,
    };
    let Some(signed_in) = signed_in else {
        let is_unproven = store::provider_join::is_open(&mut tx, &code.hash(), now).await?;
        let refused = if is_unproven { Refused::EmailCodeNeeded } else { Refused::OAuthExpired };
        return Err(refused.into());
    };
    tx.commit().await?;
    Span::current().record("player.id", field::display(signed_in.player));
    Ok(signed_in)
}
