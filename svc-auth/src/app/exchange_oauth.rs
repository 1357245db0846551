//! A one-time code for a session.

use tracing::{Span, field, instrument};

use super::{Cx, SignedIn, session};
use crate::{
    crypto::ExchangeCode,
    error::{Error, Refused},
    store,
};

/// Opens the session that a code stands for. `None` is what was never a code.
#[instrument(name = "auth.exchange_oauth", skip_all, fields(player.id = field::Empty))]
pub(crate) async fn exchange_oauth(cx: &Cx, code: Option<ExchangeCode>) -> Result<SignedIn, Error> {
    let code = code.ok_or(Refused::OAuthExpired)?;
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // The player's lock comes first: whoever takes all ways in away holds it, and finds
    // the code, or we find none.
    let player = store::oauth::exchange_of(&mut tx, &code.hash()).await?;
    store::player::lock(&mut tx, player.ok_or(Refused::OAuthExpired)?).await?;
    let taken = store::oauth::take_exchange(&mut tx, &code.hash()).await?;
    let exchange = taken.filter(|it| now < it.expires_at).ok_or(Refused::OAuthExpired)?;
    Span::current().record("player.id", field::display(exchange.player));
    let signed_in = session::open(&mut tx, cx, exchange.player, now).await?;
    tx.commit().await?;
    Ok(SignedIn { is_new: exchange.is_new, ..signed_in })
}
