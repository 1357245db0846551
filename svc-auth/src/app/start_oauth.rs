//! Off to Google or Facebook.

use std::time::Duration;

use tracing::{error, instrument, warn};

use super::Cx;
use crate::{
    clients::oauth::{Ask, Trouble},
    crypto::{BrowserSecret, State, challenge},
    domain::Provider,
    error::{Error, Refused},
    store,
};

/// How long a browser may stay away.
const ATTEMPT_TTL: Duration = Duration::from_mins(10);

/// What a browser takes along.
pub(crate) struct Started {
    pub(crate) authorization_url: String,
    pub(crate) state: State,
    /// To be kept by the browser, out of the reach of scripts.
    pub(crate) browser: BrowserSecret,
}

/// Makes an attempt that one browser may bring to its end, once.
#[instrument(name = "auth.start_oauth", skip_all, fields(provider = provider.slug()))]
pub(crate) async fn start_oauth(cx: &Cx, provider: Provider) -> Result<Started, Error> {
    let (state, browser) = (State::draw(&cx.rng), BrowserSecret::draw(&cx.rng));
    let ask = ask(cx, provider, &state);
    let asked = cx.oauth.providers.authorization_url(provider, &ask).await;
    let authorization_url = asked.map_err(|trouble| match trouble {
        Trouble::Off => Refused::ProviderOff,
        Trouble::Away(_) => {
            warn!(%trouble, "nobody can be sent to the provider");
            Refused::ProviderAway
        }
        Trouble::Disbelieved(_) => {
            error!(%trouble, "nobody can be sent to the provider");
            Refused::ProviderAway
        }
    })?;
    let expires_at = cx.clock.now() + ATTEMPT_TTL;
    let mut conn = cx.db.acquire().await?;
    let (state_hash, browser_hash) = (state.hash(), browser.hash());
    store::oauth::insert_attempt(&mut conn, &state_hash, &browser_hash, provider, expires_at)
        .await?;
    Ok(Started { authorization_url, state, browser })
}

/// An attempt as the provider gets to know it, made of its state again and again.
pub(super) fn ask(cx: &Cx, provider: Provider, state: &State) -> Ask {
    let verifier = cx.oauth.attempts.verifier(state);
    Ask {
        redirect_uri: cx.oauth.redirect_uri(provider),
        state: state.reveal(),
        nonce: cx.oauth.attempts.nonce(state),
        challenge: challenge(&verifier),
        verifier,
    }
}
