//! Starts a sign-in with Google or Facebook.

use std::time::Duration;

use mesh::instrument;
use tracing::{error, warn};

use super::Cx;
use crate::{
    clients::oauth::{AuthorizationRequest, ProviderError},
    crypto::{BrowserSecret, State, challenge},
    domain::Provider,
    error::{Error, Refused},
    store,
};

/// How long the player has to sign in at the provider.
const ATTEMPT_TTL: Duration = Duration::from_mins(10);

/// An attempt that was started.
pub(crate) struct Started {
    pub(crate) authorization_url: String,
    pub(crate) state: State,
    /// Secret for a cookie that scripts cannot read.
    pub(crate) browser: BrowserSecret,
}

/// Creates an attempt that one browser can finish, once.
#[instrument(name = "auth.start_oauth", skip_all, fields(provider = provider.slug()))]
pub(crate) async fn start_oauth(cx: &Cx, provider: Provider) -> Result<Started, Error> {
    let (state, browser) = (State::generate(&cx.rng), BrowserSecret::generate(&cx.rng));
    let request = authorization_request(cx, provider, &state);
    let url = cx.oauth.providers.authorization_url(provider, &request).await;
    let authorization_url = url.map_err(|error| match error {
        ProviderError::Disabled => Refused::ProviderOff,
        ProviderError::Unavailable(_) => {
            warn!(%error, "cannot start a sign-in with the provider");
            Refused::ProviderUnavailable
        }
        ProviderError::Invalid(_) => {
            error!(%error, "cannot start a sign-in with the provider");
            Refused::ProviderUnavailable
        }
    })?;
    let expires_at = cx.clock.now() + ATTEMPT_TTL;
    let mut conn = cx.db.acquire().await?;
    let (state_hash, browser_hash) = (state.hash(), browser.hash());
    store::oauth::insert_attempt(&mut conn, &state_hash, &browser_hash, provider, expires_at)
        .await?;
    Ok(Started { authorization_url, state, browser })
}

/// The parameters of an attempt, derived from its state.
pub(super) fn authorization_request(
    cx: &Cx,
    provider: Provider,
    state: &State,
) -> AuthorizationRequest {
    let verifier = cx.oauth.secrets.verifier(state);
    AuthorizationRequest {
        redirect_uri: cx.oauth.redirect_uri(provider),
        state: state.expose(),
        nonce: cx.oauth.secrets.nonce(state),
        challenge: challenge(&verifier),
        verifier,
    }
}
