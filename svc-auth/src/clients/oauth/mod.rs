//! Google and Facebook as identity providers: the authorization code flow with PKCE
//! (RFC 6749, RFC 7636), with OpenID Connect at Google.
//!
//! Nothing from the browser is trusted: the code is exchanged with the provider, and an ID
//! token's signature and claims are verified.

mod cached_document;
mod facebook;
mod google;
mod http;
mod id_token;

use thiserror::Error;

use crate::domain::{Person, Provider};

pub(crate) use facebook::{Facebook, FacebookApp};
pub(crate) use google::{Google, GoogleApp};
pub(crate) use http::Http;

/// The providers that are configured.
pub(crate) struct Providers {
    google: Option<Google>,
    facebook: Option<Facebook>,
}

/// The parameters of one attempt to sign in.
pub(crate) struct AuthorizationRequest {
    pub(crate) redirect_uri: String,
    pub(crate) state: String,
    /// Returned in the ID token.
    pub(crate) nonce: String,
    /// PKCE's verifier, sent with the code.
    pub(crate) verifier: String,
    /// PKCE's challenge, the verifier's SHA-256, sent by the browser.
    pub(crate) challenge: String,
}

/// Why a provider did not identify a person. It contains no code, token, address or name, so
/// it can be logged.
#[derive(Debug, Error)]
pub(crate) enum ProviderError {
    /// It is not configured.
    #[error("the provider is switched off")]
    Disabled,
    /// It cannot be reached, is too slow, or replied with a server error.
    #[error("the provider is unavailable: {0}")]
    Unavailable(String),
    /// It refused the code, or its reply is not valid.
    #[error("the provider's reply is not valid: {0}")]
    Invalid(String),
}

impl ProviderError {
    fn invalid(why: impl ToString) -> Self {
        Self::Invalid(why.to_string())
    }
}

impl Providers {
    pub(crate) fn new(google: Option<Google>, facebook: Option<Facebook>) -> Self {
        Self { google, facebook }
    }

    /// Whether a provider is configured.
    pub(crate) fn has(&self, provider: Provider) -> bool {
        match provider {
            Provider::Google => self.google.is_some(),
            Provider::Facebook => self.facebook.is_some(),
        }
    }

    /// The URL that the browser is sent to.
    pub(crate) async fn authorization_url(
        &self,
        provider: Provider,
        request: &AuthorizationRequest,
    ) -> Result<String, ProviderError> {
        match provider {
            Provider::Google => {
                self.google
                    .as_ref()
                    .ok_or(ProviderError::Disabled)?
                    .authorization_url(request)
                    .await
            }
            Provider::Facebook => Ok(self
                .facebook
                .as_ref()
                .ok_or(ProviderError::Disabled)?
                .authorization_url(request)),
        }
    }

    /// Exchanges a code and identifies the person.
    pub(crate) async fn identify(
        &self,
        provider: Provider,
        code: &str,
        request: &AuthorizationRequest,
    ) -> Result<Person, ProviderError> {
        match provider {
            Provider::Google => {
                self.google.as_ref().ok_or(ProviderError::Disabled)?.identify(code, request).await
            }
            Provider::Facebook => {
                self.facebook.as_ref().ok_or(ProviderError::Disabled)?.identify(code, request).await
            }
        }
    }
}
