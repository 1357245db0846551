//! Google, by OpenID Connect.

use jsonwebtoken::jwk::JwkSet;
use mesh::instrument;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use types::{Clock, ExposeSecret as _, SecretString};

use super::{
    AuthorizationRequest, Http, ProviderError,
    cached_document::CachedDocument,
    http,
    id_token::{self, Expected, UnverifiedToken},
};
use crate::domain::Person;

/// The client that is registered at Google.
#[derive(Debug, Clone)]
pub(crate) struct GoogleApp {
    /// URL of the issuer, without a trailing slash.
    pub(crate) issuer: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: SecretString,
}

/// A client of Google.
pub(crate) struct Google {
    app: GoogleApp,
    http: Http,
    clock: Clock,
    endpoints: CachedDocument<Endpoints>,
    keys: CachedDocument<JwkSet>,
}

/// The endpoints that are used.
struct Endpoints {
    authorization: Url,
    token: Url,
    keys: Url,
}

/// Google's configuration (OpenID Connect Discovery, section 3).
#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
}

#[derive(Serialize)]
struct TokenRequest<'a> {
    grant_type: &'static str,
    code: &'a str,
    redirect_uri: &'a str,
    client_id: &'a str,
    client_secret: &'a str,
    code_verifier: &'a str,
}

#[derive(Deserialize)]
struct TokenReply {
    id_token: String,
}

impl Google {
    pub(crate) fn new(app: GoogleApp, http: Http, clock: Clock) -> Self {
        let (endpoints, keys) =
            (CachedDocument::new(clock.clone()), CachedDocument::new(clock.clone()));
        Self { app, http, clock, endpoints, keys }
    }

    /// The URL that the browser is sent to.
    pub(super) async fn authorization_url(
        &self,
        request: &AuthorizationRequest,
    ) -> Result<String, ProviderError> {
        let endpoints = self.endpoints.get(|_| true, || self.discover()).await?;
        let mut url = endpoints.authorization.clone();
        url.query_pairs_mut()
            .append_pair("client_id", &self.app.client_id)
            .append_pair("redirect_uri", &request.redirect_uri)
            .append_pair("response_type", "code")
            .append_pair("scope", "openid email profile")
            .append_pair("state", &request.state)
            .append_pair("nonce", &request.nonce)
            .append_pair("code_challenge", &request.challenge)
            .append_pair("code_challenge_method", "S256")
            // Phones are shared, so the account is always asked for.
            .append_pair("prompt", "select_account");
        Ok(url.into())
    }

    /// Exchanges a code and identifies the person.
    pub(super) async fn identify(
        &self,
        code: &str,
        request: &AuthorizationRequest,
    ) -> Result<Person, ProviderError> {
        let endpoints = self.endpoints.get(|_| true, || self.discover()).await?;
        let token = self.exchange(&endpoints, code, request).await?;
        let token = UnverifiedToken::parse(&token)?;
        // An unknown key means that Google rotated its keys, or a forged token: fetch the keys again.
        let keys = self
            .keys
            .get(
                |keys| id_token::find(keys, &token.key_id).is_some(),
                || self.fetch_keys(&endpoints),
            )
            .await?;
        let expected = Expected {
            issuer: &self.app.issuer,
            client_id: &self.app.client_id,
            nonce: &request.nonce,
            now: self.clock.now(),
        };
        token.verify(&keys, &expected)
    }

    #[instrument(name = "google.discover", skip_all, fields(otel.kind = "client"))]
    async fn discover(&self) -> Result<Endpoints, ProviderError> {
        let url = format!("{}/.well-known/openid-configuration", self.app.issuer);
        let found: Discovery = http::send(self.http.client().get(url)).await?;
        if found.issuer.trim_end_matches('/') != self.app.issuer {
            return Err(ProviderError::invalid("the configuration is another issuer's"));
        }
        Ok(Endpoints {
            authorization: self.endpoint(&found.authorization_endpoint)?,
            token: self.endpoint(&found.token_endpoint)?,
            keys: self.endpoint(&found.jwks_uri)?,
        })
    }

    /// Parses an endpoint. With an HTTPS issuer it must be HTTPS, too.
    fn endpoint(&self, text: &str) -> Result<Url, ProviderError> {
        let secure = self.app.issuer.starts_with("https://");
        Url::parse(text)
            .ok()
            .filter(|url| url.scheme() == "https" || (url.scheme() == "http" && !secure))
            .ok_or_else(|| ProviderError::invalid("the configuration has an invalid URL"))
    }

    /// Exchanges a code for an ID token.
    #[instrument(name = "google.exchange", skip_all, fields(otel.kind = "client"))]
    async fn exchange(
        &self,
        endpoints: &Endpoints,
        code: &str,
        request: &AuthorizationRequest,
    ) -> Result<String, ProviderError> {
        let form = TokenRequest {
            grant_type: "authorization_code",
            code,
            redirect_uri: &request.redirect_uri,
            client_id: &self.app.client_id,
            client_secret: self.app.client_secret.expose_secret(),
            code_verifier: &request.verifier,
        };
        let request = self.http.client().post(endpoints.token.clone()).form(&form);
        Ok(http::send::<TokenReply>(request).await?.id_token)
    }

    #[instrument(name = "google.keys", skip_all, fields(otel.kind = "client"))]
    async fn fetch_keys(&self, endpoints: &Endpoints) -> Result<JwkSet, ProviderError> {
        http::send(self.http.client().get(endpoints.keys.clone())).await
    }
}
