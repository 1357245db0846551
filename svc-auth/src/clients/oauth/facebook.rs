//! Facebook, by its own OAuth 2.0 ("manual flow") and Graph.

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit as _, Mac as _};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use tracing::instrument;
use types::{ExposeSecret as _, SecretString};

use super::{Ask, Http, Trouble, http};
use crate::domain::{Email, Person};

/// The app as Facebook knows it.
#[derive(Debug, Clone)]
pub(crate) struct FacebookApp {
    /// The page where a person says yes.
    pub(crate) dialog: Url,
    /// Graph: its exchange of codes, and the person behind a token.
    pub(crate) exchange: Url,
    pub(crate) me: Url,
    pub(crate) client_id: String,
    pub(crate) client_secret: SecretString,
}

/// A client of Facebook's.
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

    /// Where the browser goes.
    pub(super) fn authorization_url(&self, ask: &Ask) -> String {
        let mut url = self.app.dialog.clone();
        url.query_pairs_mut()
            .append_pair("client_id", &self.app.client_id)
            .append_pair("redirect_uri", &ask.redirect_uri)
            .append_pair("response_type", "code")
            .append_pair("scope", "email,public_profile")
            .append_pair("state", &ask.state)
            .append_pair("code_challenge", &ask.challenge)
            .append_pair("code_challenge_method", "S256");
        url.into()
    }

    /// Who the code stands for. The token comes from the exchange itself and is used
    /// once, so it cannot be one that was made for another app.
    pub(super) async fn identify(&self, code: &str, ask: &Ask) -> Result<Person, Trouble> {
        let token = self.exchange(code, ask).await?;
        let me = self.me(&token).await?;
        if me.id.is_empty() || me.id.len() > Person::MAX_SUBJECT {
            return Err(Trouble::disbelieved("Graph names nobody"));
        }
        Ok(Person {
            subject: me.id,
            name: me.name,
            email: me.email.and_then(|email| Email::parse(&email).ok()),
            // Graph leaves out an address that its holder has not confirmed.
            email_vouched: true,
        })
    }

    #[instrument(name = "facebook.exchange", skip_all, fields(otel.kind = "client"))]
    async fn exchange(&self, code: &str, ask: &Ask) -> Result<SecretString, Trouble> {
        let request = TokenRequest {
            client_id: &self.app.client_id,
            client_secret: self.app.client_secret.expose_secret(),
            redirect_uri: &ask.redirect_uri,
            code,
            code_verifier: &ask.verifier,
        };
        // Graph takes it in the address as well, where logs would have it.
        let request = self.http.client().post(self.app.exchange.clone()).form(&request);
        Ok(http::ask::<TokenReply>(request).await?.access_token.into())
    }

    #[instrument(name = "facebook.me", skip_all, fields(otel.kind = "client"))]
    async fn me(&self, token: &SecretString) -> Result<Me, Trouble> {
        let token = token.expose_secret();
        let proof = proof(self.app.client_secret.expose_secret(), token);
        let mut url = self.app.me.clone();
        url.query_pairs_mut()
            .append_pair("fields", "id,name,email")
            .append_pair("appsecret_proof", &proof);
        http::ask(self.http.client().get(url).bearer_auth(token)).await
    }
}

/// Shows Graph that who holds the token is the app and not a thief: its HMAC under the
/// app's secret, in hex.
fn proof(secret: &str, token: &str) -> String {
    // HMAC takes keys of every length; this one never fails.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return String::new();
    };
    mac.update(token.as_bytes());
    mac.finalize().into_bytes().iter().fold(String::new(), |mut hex, byte| {
        // Writing into a string cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
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
