//! The browser of a person who signs in.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode, Url};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::Harness;

pub(crate) const REDIRECT: &str = "http://127.0.0.1:8080/api/auth/oauth/callback?x=1";
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const MARY: &str = "mary@playon.test";

pub(crate) fn challenge() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))
}

/// A browser that does not follow redirects.
pub(crate) struct Browser<'b> {
    pub(crate) sandbox: &'b Harness,
    pub(crate) http: Client,
    /// Path of the provider's page.
    page: &'static str,
    query: Vec<(&'static str, String)>,
}

impl<'b> Browser<'b> {
    pub(crate) fn at_google(sandbox: &'b Harness) -> Self {
        let query = [
            ("client_id", "playon-google"),
            ("redirect_uri", REDIRECT),
            ("response_type", "code"),
            ("scope", "openid email profile"),
            ("state", "the state"),
            ("nonce", "the-nonce"),
            ("code_challenge", &challenge()),
            ("code_challenge_method", "S256"),
        ];
        Self::at(sandbox, "/oidc/google/authorize", &query)
    }

    pub(crate) fn at_facebook(sandbox: &'b Harness) -> Self {
        let query = [
            ("client_id", "playon-facebook"),
            ("redirect_uri", REDIRECT),
            ("scope", "email,public_profile"),
            ("state", "the state"),
        ];
        Self::at(sandbox, "/oidc/facebook/dialog/oauth", &query)
    }

    fn at(sandbox: &'b Harness, page: &'static str, query: &[(&'static str, &str)]) -> Self {
        let http = Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
        let query = query.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Self { sandbox, http, page, query }
    }

    /// The same request with another value, or without the parameter.
    pub(crate) fn with(mut self, name: &'static str, value: Option<&str>) -> Self {
        self.query.retain(|(known, _)| *known != name);
        self.query.extend(value.map(|value| (name, value.to_owned())));
        self
    }

    pub(crate) async fn open(&self) -> Response {
        let url = self.sandbox.url(self.page);
        self.http.get(url).query(&self.query).send().await.unwrap()
    }

    /// Submits the page's form.
    pub(crate) async fn submit(&self, form: &[(&str, &str)]) -> Response {
        let url = self.sandbox.url(self.page);
        self.http.post(url).query(&self.query).form(form).send().await.unwrap()
    }

    /// Signs in with this account and returns the code.
    pub(crate) async fn code_for(&self, account: &str) -> String {
        let back = redirect(&self.submit(&[("account", account)]).await);
        query_param(&back, "code").unwrap_or_else(|| panic!("no code in {back}"))
    }
}

/// The redirect's target.
pub(crate) fn redirect(reply: &Response) -> Url {
    assert_eq!(reply.status(), StatusCode::FOUND);
    let url: Url = reply.headers()["location"].to_str().unwrap().parse().unwrap();
    assert!(url.as_str().starts_with(REDIRECT), "{url}");
    assert_eq!(query_param(&url, "state").as_deref(), Some("the state"));
    url
}

pub(crate) fn query_param(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

/// A sandbox in which Mary has an account.
pub(crate) async fn with_mary(provider: &str) -> Harness {
    let sandbox = Harness::start().await;
    put_mary(&sandbox, provider).await;
    sandbox
}

/// Creates Mary's account.
pub(crate) async fn put_mary(sandbox: &Harness, provider: &str) -> Value {
    let person = json!({"name": "Mary Wanjiku", "emailVerified": true});
    put_account(sandbox, provider, MARY, person).await
}

pub(crate) async fn put_account(
    sandbox: &Harness,
    provider: &str,
    key: &str,
    body: Value,
) -> Value {
    let path = format!("/accounts/{provider}/{key}");
    let (status, account) = sandbox.control(Method::PUT, &path, body).await;
    assert_eq!(status, StatusCode::OK, "{account}");
    account
}

pub(crate) async fn order(sandbox: &Harness, orders: Value) {
    let (status, reply) = sandbox.control(Method::PUT, "/social", orders).await;
    assert_eq!(status, StatusCode::OK, "{reply}");
}
