//! A browser that signs in by Google or Facebook: it keeps its cookie, and its
//! owner decides on the provider's page.

use reqwest::{Method, Url, header::SET_COOKIE};
use serde_json::{Value, json};

use crate::{Answer, Mesh, Reply};

/// Of one person, with cookies of its own.
#[derive(Clone)]
pub struct Browser {
    mesh: Mesh,
    cookies: Vec<(String, String)>,
}

/// Somebody whom a provider knows.
#[derive(Debug, Clone)]
pub struct Account {
    /// As the provider has it.
    pub name: String,
    /// Empty: none, as with some people of Facebook.
    pub email: String,
    /// Whether the provider vouches for the address.
    pub verified: bool,
}

/// What the owner decides on the provider's page.
#[derive(Debug, Clone, Copy)]
pub enum Consent<'a> {
    /// Comes with an account that the provider makes for it.
    First(&'a Account),
    /// Comes with the account of this address once more.
    Again(&'a str),
    /// Says no.
    Deny,
}

impl Account {
    /// A verified one that nobody had before.
    pub fn new(mesh: &Mesh) -> Self {
        let email = format!("{}@example.com", mesh.new_name());
        Self { name: "Achieng Otieno".to_owned(), email, verified: true }
    }

    /// A verified one of an address.
    pub fn of(email: &str) -> Self {
        Self { name: "Achieng Otieno".to_owned(), email: email.to_owned(), verified: true }
    }
}

impl Browser {
    /// One without cookies.
    pub fn new(mesh: &Mesh) -> Self {
        Self { mesh: mesh.clone(), cookies: Vec::new() }
    }

    /// Asks to be sent to a provider. `query` is what follows the path.
    pub async fn ask(&mut self, provider: &str, query: &str) -> Answer {
        let path = format!("/api/auth/oauth/{provider}/start{query}");
        let answer = Answer::to(self.mesh.call(Method::GET, &path)).await;
        for line in answer.headers.get_all(SET_COOKIE) {
            let line = line.to_str().expect("a cookie is text");
            let pair = line.split(';').next().and_then(|pair| pair.split_once('='));
            let (name, value) = pair.expect("a cookie has a name");
            self.cookies.retain(|(known, _)| known != name);
            self.cookies.push((name.to_owned(), value.to_owned()));
        }
        answer
    }

    /// [`Self::ask`] for the redirect mode, and where it leads to.
    pub async fn start(&mut self, provider: &str) -> Url {
        let answer = self.ask(provider, "?redirect=/login").await;
        location(&answer)
    }

    /// Decides on the provider's page, and gives the address to come back to.
    pub async fn decide(&self, page: &Url, consent: Consent<'_>) -> Url {
        let form = match consent {
            Consent::First(account) => {
                let mut form = vec![("name", account.name.as_str()), ("email", &account.email)];
                if account.verified {
                    form.push(("verified", "on"));
                }
                form
            }
            Consent::Again(email) => vec![("account", email)],
            Consent::Deny => vec![("deny", "1")],
        };
        let back = self.mesh.sandbox().post_form(page.clone(), &form).await;
        assert!(back.as_str().starts_with(self.mesh.url()), "sent back to {back}");
        back
    }

    /// Comes back to the gateway with what the provider gave, and the cookies.
    pub async fn come_back(&self, to: &Url) -> Answer {
        let query = to.query().unwrap_or_default();
        let path = format!("{}?{query}", to.path());
        let mut call = self.mesh.call(Method::GET, &path);
        if !self.cookies.is_empty() {
            let pairs: Vec<String> =
                self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            call = call.header("cookie", pairs.join("; "));
        }
        Answer::to(call).await
    }

    /// All of it in redirect mode: the one-time code, or the word for why not.
    pub async fn sign_in(
        &mut self,
        provider: &str,
        consent: Consent<'_>,
    ) -> Result<String, String> {
        let page = self.start(provider).await;
        let back = self.decide(&page, consent).await;
        outcome(&self.come_back(&back).await)
    }

    /// All of it, up to the session.
    pub async fn session(&mut self, provider: &str, consent: Consent<'_>) -> Value {
        let code = self.sign_in(provider, consent).await;
        let code = code.unwrap_or_else(|why| panic!("{provider} did not let us in: {why}"));
        self.exchange(&code).await.ok()
    }

    /// Trades a one-time code.
    pub async fn exchange(&self, code: &str) -> Reply {
        self.mesh.post("/auth/oauth/exchange", &json!({"code": code})).await
    }

    /// Every cookie's value.
    pub fn secrets(&self) -> Vec<String> {
        self.cookies.iter().map(|(_, value)| value.clone()).collect()
    }
}

/// Where a redirect leads.
pub fn location(answer: &Answer) -> Url {
    assert!(matches!(answer.status, 302 | 303), "{}: {}", answer.status, answer.text());
    let location = answer.header("location").expect("a redirect leads somewhere");
    Url::parse(location).unwrap_or_else(|error| panic!("{location}: {error}"))
}

/// What the fragment of a redirect back into the app says.
pub fn outcome(answer: &Answer) -> Result<String, String> {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let location = answer.header("location").expect("a redirect leads somewhere");
    if let Some(code) = location.strip_prefix("/login#oauth=") {
        return Ok(code.to_owned());
    }
    let word = location.strip_prefix("/login#oauth_error=");
    Err(word.unwrap_or_else(|| panic!("sent to {location}")).to_owned())
}
