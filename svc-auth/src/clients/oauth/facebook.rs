//! Facebook, by its OAuth 2.0 flow ("manually build a login flow") and the Graph API.

use hmac::{Hmac, KeyInit as _, Mac as _};
use mesh::instrument;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use types::{ExposeSecret as _, SecretString};

use super::{AuthorizationRequest, Http, ProviderError, http};
use crate::domain::{Email, EmailTrust, Person};

/// The app that is registered at Facebook.
#[derive(Debug, Clone)]
pub(crate) struct FacebookApp {
    /// The login dialog.
    pub(crate) dialog: Url,
    /// Graph's endpoint that exchanges a code for an access token.
    pub(crate) exchange: Url,
    /// Graph's endpoint that returns the person of an access token.
    pub(crate) me: Url,
    pub(crate) client_id: String,
    pub(crate) client_secret: SecretString,
}

/// A client of Facebook.
pub(crate) struct Facebook {
    app: FacebookApp,
    http: Http,
}

#[derive(Serialize)]
struct TokenRequest<'a> {
    client_id: &'a str,
    client_secret: &'a str,
    redirect_uri: &'a str,
    code: &'a str,
    code_verifier: &'a str,
}

#[derive(Deserialize)]
struct TokenReply {
    access_token: String,
}

#[derive(Deserialize)]
struct Me {
    id: String,
    name: Option<String>,
    email: Option<String>,
}

impl Facebook {
    pub(crate) fn new(app: FacebookApp, http: Http) -> Self {
        Self { app, http }
    }

    /// The URL that the browser is sent to.
    pub(super) fn authorization_url(&self, request: &AuthorizationRequest) -> String {
        let mut url = self.app.dialog.clone();
        url.query_pairs_mut()
            .append_pair("client_id", &self.app.client_id)
            .append_pair("redirect_uri", &request.redirect_uri)
            .append_pair("response_type", "code")
            .append_pair("scope", "email,public_profile")
            .append_pair("state", &request.state)
            .append_pair("code_challenge", &request.challenge)
            .append_pair("code_challenge_method", "S256");
        url.into()
    }

    /// Exchanges a code and identifies the person. The access token comes from the exchange, so
    /// it cannot be one that was issued to another app.
    pub(super) async fn identify(
        &self,
        code: &str,
        request: &AuthorizationRequest,
    ) -> Result<Person, ProviderError> {
        let token = self.exchange(code, request).await?;
        let me = self.me(&token).await?;
        if me.id.is_empty() || me.id.len() > Person::MAX_SUBJECT {
            return Err(ProviderError::invalid("Graph returned an invalid id"));
        }
        Ok(Person {
            subject: me.id,
            name: me.name,
            email: me.email.and_then(|email| Email::parse(&email).ok()),
            // Graph leaves out an address that its holder has not confirmed. Facebook runs no
            // mailboxes.
            email_trust: EmailTrust::Verified,
        })
    }

    #[instrument(name = "facebook.exchange", skip_all, fields(otel.kind = "client"))]
    async fn exchange(
        &self,
        code: &str,
        request: &AuthorizationRequest,
    ) -> Result<SecretString, ProviderError> {
        let form = TokenRequest {
            client_id: &self.app.client_id,
            client_secret: self.app.client_secret.expose_secret(),
            redirect_uri: &request.redirect_uri,
            code,
            code_verifier: &request.verifier,
        };
        // Graph also accepts query parameters, but a URL may be logged.
        let request = self.http.client().post(self.app.exchange.clone()).form(&form);
        Ok(http::send::<TokenReply>(request).await?.access_token.into())
    }

    #[instrument(name = "facebook.me", skip_all, fields(otel.kind = "client"))]
    async fn me(&self, token: &SecretString) -> Result<Me, ProviderError> {
        let token = token.expose_secret();
        let proof = proof(self.app.client_secret.expose_secret(), token);
        let mut url = self.app.me.clone();
        url.query_pairs_mut()
            .append_pair("fields", "id,name,email")
            .append_pair("appsecret_proof", &proof);
        http::send(self.http.client().get(url).bearer_auth(token)).await
    }
}

/// Graph's `appsecret_proof`: the token's HMAC under the app's secret, in hex. It stops the use
/// of stolen tokens.
fn proof(secret: &str, token: &str) -> String {
    // HMAC takes keys of every length, so this never fails.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return String::new();
    };
    mac.update(token.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proof_is_an_hmac_in_hex() {
        // RFC 4231, test case 2.
        assert_eq!(
            proof("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
