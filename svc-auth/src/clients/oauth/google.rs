//! Google, by OpenID Connect.

use jsonwebtoken::jwk::JwkSet;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use tracing::instrument;
use types::{Clock, ExposeSecret as _, SecretString};

use super::{
    Ask, Http, Trouble, http,
    id_token::{self, Expected, Unproved},
    kept::Kept,
};
use crate::domain::Person;

/// The application as Google knows it.
#[derive(Debug, Clone)]
pub(crate) struct GoogleApp {
    /// Without a slash at its end.
    pub(crate) issuer: String,
    pub(crate) client_id: String,
    pub(crate) client_secret: SecretString,
}

/// A client of Google's.
pub(crate) struct Google {
    app: GoogleApp,
    http: Http,
    clock: Clock,
    endpoints: Kept<Endpoints>,
    keys: Kept<JwkSet>,
}

/// Where things are.
struct Endpoints {
    authorization: Url,
    token: Url,
    keys: Url,
}

/// The same as Google publishes it (OpenID Connect Discovery, section 3).
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
        let (endpoints, keys) = (Kept::new(clock.clone()), Kept::new(clock.clone()));
        Self { app, http, clock, endpoints, keys }
    }

    /// Where the browser goes.
    pub(super) async fn authorization_url(&self, ask: &Ask) -> Result<String, Trouble> {
        let endpoints = self.endpoints.get(|_| true, || self.discover()).await?;
        let mut url = endpoints.authorization.clone();
        url.query_pairs_mut()
            .append_pair("client_id", &self.app.client_id)
            .append_pair("redirect_uri", &ask.redirect_uri)
            .append_pair("response_type", "code")
            .append_pair("scope", "openid email profile")
            .append_pair("state", &ask.state)
            .append_pair("nonce", &ask.nonce)
            .append_pair("code_challenge", &ask.challenge)
            .append_pair("code_challenge_method", "S256")
            // Phones are shared: who signs in is asked, not taken for granted.
            .append_pair("prompt", "select_account");
        Ok(url.into())
    }

    /// Who the code stands for.
    pub(super) async fn identify(&self, code: &str, ask: &Ask) -> Result<Person, Trouble> {
        let endpoints = self.endpoints.get(|_| true, || self.discover()).await?;
        let token = self.exchange(&endpoints, code, ask).await?;
        let unproved = Unproved::read(&token)?;
        // A key that was not seen before is a rotation, or a forgery: Google is asked.
        let keys = self
            .keys
            .get(
                |keys| id_token::find(keys, &unproved.key_id).is_some(),
                || self.fetch_keys(&endpoints),
            )
            .await?;
        let expected = Expected {
            issuer: &self.app.issuer,
            client_id: &self.app.client_id,
            nonce: &ask.nonce,
            now: self.clock.now(),
        };
        unproved.prove(&keys, &expected)
    }

    #[instrument(name = "google.discover", skip_all, fields(otel.kind = "client"))]
    async fn discover(&self) -> Result<Endpoints, Trouble> {
        let url = format!("{}/.well-known/openid-configuration", self.app.issuer);
        let found: Discovery = http::ask(self.http.client().get(url)).await?;
        if found.issuer.trim_end_matches('/') != self.app.issuer {
            return Err(Trouble::disbelieved("another issuer's configuration"));
        }
        Ok(Endpoints {
            authorization: self.endpoint(&found.authorization_endpoint)?,
            token: self.endpoint(&found.token_endpoint)?,
            keys: self.endpoint(&found.jwks_uri)?,
        })
    }

    /// An issuer on TLS does not send us off it.
    fn endpoint(&self, text: &str) -> Result<Url, Trouble> {
        let secure = self.app.issuer.starts_with("https://");
        Url::parse(text)
            .ok()
            .filter(|url| url.scheme() == "https" || (url.scheme() == "http" && !secure))
            .ok_or_else(|| Trouble::disbelieved("a configuration with an unusable address"))
    }

    /// The ID token that a code is good for.
    #[instrument(name = "google.exchange", skip_all, fields(otel.kind = "client"))]
    async fn exchange(
        &self,
        endpoints: &Endpoints,
        code: &str,
        ask: &Ask,
    ) -> Result<String, Trouble> {
        let request = TokenRequest {
            grant_type: "authorization_code",
            code,
            redirect_uri: &ask.redirect_uri,
            client_id: &self.app.client_id,
            client_secret: self.app.client_secret.expose_secret(),
            code_verifier: &ask.verifier,
        };
        let request = self.http.client().post(endpoints.token.clone()).form(&request);
        Ok(http::ask::<TokenReply>(request).await?.id_token)
    }

    #[instrument(name = "google.keys", skip_all, fields(otel.kind = "client"))]
    async fn fetch_keys(&self, endpoints: &Endpoints) -> Result<JwkSet, Trouble> {
        http::ask(self.http.client().get(endpoints.keys.clone())).await
    }
}
