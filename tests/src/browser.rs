//! A browser that signs in with Google or Facebook: it keeps cookies, and answers
//! the provider's consent page.

use reqwest::{Method, Url, header::SET_COOKIE};
use serde_json::{Value, json};

use crate::{Mesh, RawReply, Reply};

/// A browser with its own cookies.
#[derive(Clone)]
pub struct Browser {
    mesh: Mesh,
    cookies: Vec<(String, String)>,
}

/// An account at Google or Facebook.
#[derive(Debug, Clone)]
pub struct Account {
    /// The name that the provider reports.
    pub name: String,
    /// The account's email address; empty without one, as for some Facebook accounts.
    pub email: String,
    /// Whether the provider reports the address as verified.
    pub verified: bool,
}

/// The player's choice on the provider's consent page.
#[derive(Debug, Clone, Copy)]
pub enum Consent<'a> {
    /// Signs in with an account that the provider creates now.
    NewAccount(&'a Account),
    /// Signs in with the existing account of this address.
    ExistingAccount(&'a str),
    /// Declines.
    Deny,
}

impl Account {
    /// A new account with a unique, verified address.
    pub fn new(mesh: &Mesh) -> Self {
        let email = format!("{}@example.com", mesh.unique_id());
        Self { name: "Achieng Otieno".to_owned(), email, verified: true }
    }

    /// A new account with this address, verified.
    pub fn of(email: &str) -> Self {
        Self { name: "Achieng Otieno".to_owned(), email: email.to_owned(), verified: true }
    }
}

impl Browser {
    /// A browser without cookies.
    pub fn new(mesh: &Mesh) -> Self {
        Self { mesh: mesh.clone(), cookies: Vec::new() }
    }

    /// Requests the redirect to a provider, and keeps the cookies of the reply. `query`
    /// begins with `?` or is empty.
    pub async fn request_sign_in(&mut self, provider: &str, query: &str) -> RawReply {
        let path = format!("/api/auth/oauth/{provider}/start{query}");
        let answer = RawReply::to(self.mesh.call(Method::GET, &path)).await;
        for line in answer.headers.get_all(SET_COOKIE) {
            let line = line.to_str().expect("a cookie is text");
            let pair = line.split(';').next().and_then(|pair| pair.split_once('='));
            let (name, value) = pair.expect("a cookie has a name");
            self.cookies.retain(|(known, _)| known != name);
            self.cookies.push((name.to_owned(), value.to_owned()));
        }
        answer
    }

    /// Starts a sign-in in redirect mode, and returns the address of the consent page.
    pub async fn start(&mut self, provider: &str) -> Url {
        let answer = self.request_sign_in(provider, "?redirect=/login").await;
        location(&answer)
    }

    /// Submits the consent page, and returns the callback address it redirects to.
    pub async fn answer_consent(&self, page: &Url, consent: Consent<'_>) -> Url {
        let form = match consent {
            Consent::NewAccount(account) => {
                let mut form = vec![("name", account.name.as_str()), ("email", &account.email)];
                if account.verified {
                    form.push(("verified", "on"));
                }
                form
            }
            Consent::ExistingAccount(email) => vec![("account", email)],
            Consent::Deny => vec![("deny", "1")],
        };
        let back = self.mesh.sandbox().post_form(page.clone(), &form).await;
        assert!(back.as_str().starts_with(self.mesh.url()), "redirected to {back}");
        back
    }

    /// Requests the gateway's callback address with the browser's cookies.
    pub async fn follow_callback(&self, to: &Url) -> RawReply {
        let query = to.query().unwrap_or_default();
        let path = format!("{}?{query}", to.path());
        let mut call = self.mesh.call(Method::GET, &path);
        if !self.cookies.is_empty() {
            let pairs: Vec<String> =
                self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            call = call.header("cookie", pairs.join("; "));
        }
        RawReply::to(call).await
    }

    /// Signs in in redirect mode; returns the one-time code, or the REASON of the refusal.
    pub async fn sign_in(
        &mut self,
        provider: &str,
        consent: Consent<'_>,
    ) -> Result<String, String> {
        let page = self.start(provider).await;
        let back = self.answer_consent(&page, consent).await;
        outcome(&self.follow_callback(&back).await)
    }

    /// Signs in, and exchanges the one-time code for a session.
    pub async fn session(&mut self, provider: &str, consent: Consent<'_>) -> Value {
        let code = self.sign_in(provider, consent).await;
        let code = code.unwrap_or_else(|reason| panic!("sign-in with {provider} failed: {reason}"));
        self.exchange(&code).await.ok()
    }

    /// Exchanges a one-time code for a session.
    pub async fn exchange(&self, code: &str) -> Reply {
        self.mesh.post("/auth/oauth/exchange", &json!({"code": code})).await
    }

    /// The values of all cookies.
    pub fn secrets(&self) -> Vec<String> {
        self.cookies.iter().map(|(_, value)| value.clone()).collect()
    }
}

/// The target of a redirect.
pub fn location(answer: &RawReply) -> Url {
    assert!(matches!(answer.status, 302 | 303), "{}: {}", answer.status, answer.text());
    let location = answer.header("location").expect("a redirect has a location");
    Url::parse(location).unwrap_or_else(|error| panic!("{location}: {error}"))
}

/// The result in the fragment of the redirect into the app: the one-time code, or
/// the REASON of the refusal.
pub fn outcome(answer: &RawReply) -> Result<String, String> {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let location = answer.header("location").expect("a redirect has a location");
    if let Some(code) = location.strip_prefix("/login#oauth=") {
        return Ok(code.to_owned());
    }
    let reason = location.strip_prefix("/login#oauth_error=");
    Err(reason.unwrap_or_else(|| panic!("redirected to {location}")).to_owned())
}
