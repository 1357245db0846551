//! Google and Facebook, asked who somebody is: authorization code with PKCE
//! (RFC 6749, RFC 7636), and at Google OpenID Connect on top of it.
//!
//! What a provider says is believed only as far as it is proved: the browser's word
//! by the exchange of the code, an ID token by its signature and all its claims.

mod facebook;
mod google;
mod http;
mod id_token;
mod kept;

use thiserror::Error;

use crate::domain::{Person, Provider};

pub(crate) use facebook::{Facebook, FacebookApp};
pub(crate) use google::{Google, GoogleApp};
pub(crate) use http::Http;

/// The providers that are switched on.
pub(crate) struct Providers {
    google: Option<Google>,
    facebook: Option<Facebook>,
}

/// One attempt to sign in, as the provider gets to know it.
pub(crate) struct Ask {
    pub(crate) redirect_uri: String,
    pub(crate) state: String,
    /// What an ID token must repeat.
    pub(crate) nonce: String,
    /// What the exchange of the code must know.
    pub(crate) verifier: String,
    /// The verifier, as the browser may carry it: its SHA-256.
    pub(crate) challenge: String,
}

/// Why a provider did not say who somebody is. Fit for a log: no code, token, address
/// or name is in it.
#[derive(Debug, Error)]
pub(crate) enum Trouble {
    /// Not configured here.
    #[error("the provider is switched off")]
    Off,
    /// Out of reach, too slow, or in trouble itself: later, perhaps.
    #[error("the provider is away: {0}")]
    Away(String),
    /// It does not confirm the code, or its word cannot be believed.
    #[error("the provider is not believed: {0}")]
    Disbelieved(String),
}

impl Trouble {
    fn disbelieved(why: impl ToString) -> Self {
        Self::Disbelieved(why.to_string())
    }
}

impl Providers {
    pub(crate) fn new(google: Option<Google>, facebook: Option<Facebook>) -> Self {
        Self { google, facebook }
    }

    /// Whether a provider is switched on.
    pub(crate) fn has(&self, provider: Provider) -> bool {
        match provider {
            Provider::Google => self.google.is_some(),
            Provider::Facebook => self.facebook.is_some(),
        }
    }

    /// Where the browser goes.
    pub(crate) async fn authorization_url(
        &self,
        provider: Provider,
        ask: &Ask,
    ) -> Result<String, Trouble> {
        match provider {
            Provider::Google => {
                self.google.as_ref().ok_or(Trouble::Off)?.authorization_url(ask).await
            }
            Provider::Facebook => {
                Ok(self.facebook.as_ref().ok_or(Trouble::Off)?.authorization_url(ask))
            }
        }
    }

    /// Who the code stands for.
    pub(crate) async fn identify(
        &self,
        provider: Provider,
        code: &str,
        ask: &Ask,
    ) -> Result<Person, Trouble> {
        match provider {
            Provider::Google => self.google.as_ref().ok_or(Trouble::Off)?.identify(code, ask).await,
            Provider::Facebook => {
                self.facebook.as_ref().ok_or(Trouble::Off)?.identify(code, ask).await
            }
        }
    }
}
