//! Google and Facebook as identity providers: the authorization code flow with PKCE
//! (RFC 6749, RFC 7636), with OpenID Connect at Google.
//!
//! Nothing from the browser is trusted: the code is exchanged with the provider, and an ID
//! token's signature and claims are verified.

mod cached_document;
mod error;
mod facebook;
mod google;
mod http;
mod id_token;
mod request;

use crate::domain::{Person, Provider};

pub(crate) use error::ProviderError;
pub(crate) use facebook::{Facebook, FacebookApp};
pub(crate) use google::{Google, GoogleApp};
pub(crate) use http::Http;
pub(crate) use request::AuthorizationRequest;

/// The providers that are configured.
pub(crate) struct Providers {
    google: Option<Google>,
    facebook: Option<Facebook>,
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
