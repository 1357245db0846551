//! svc-auth with a sandbox of Google and Facebook, and browsers.

use std::time::Duration;

use mesh::{Base, Fault};
use proto::auth::v1::{
    ConfirmOAuthJoinRequest, ExchangeOAuthRequest, FinishOAuthRequest, OAuthProvider, Session,
    StartOAuthJoinRequest, StartOAuthJoinResponse, StartOAuthRequest, StartOAuthResponse,
    finish_o_auth_request::Answer,
};
use reqwest::Url;
use serde_json::{Value, json};
use types::Clock;

use crate::{
    harness::{Service, fault},
    world::Mail,
};

pub(crate) use OAuthProvider::{Facebook, Google};

/// A service and its providers. Its clock starts at the machine's time,
/// because the sandbox's does.
pub(crate) struct Social {
    pub(crate) auth: Service,
    pub(crate) http: reqwest::Client,
    sandbox: sandbox::Running,
}

/// What a browser has when the provider redirects it back.
#[derive(Debug, Clone)]
pub(crate) struct Back {
    pub(crate) provider: OAuthProvider,
    pub(crate) state: String,
    pub(crate) browser_secret: String,
    pub(crate) answer: Option<Answer>,
}

impl Social {
    pub(crate) async fn new() -> Self {
        Self::at(Clock::system().now(), &[]).await
    }

    /// Starts at another time, or with other arguments.
    pub(crate) async fn at(now: time::OffsetDateTime, changed: &[&str]) -> Self {
        let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
        let http = mesh::http::client(Duration::from_secs(10)).unwrap();
        let mut flags = vec![
            // The sandbox redirects browsers there by default.
            "--public-url=http://127.0.0.1:8080".to_owned(),
            format!("--mail-url=smtp://{}", sandbox.mail_addr),
            format!("--google-issuer=http://{}/oidc/google", sandbox.addr),
            "--google-client-id=playon-google".to_owned(),
            "--google-client-secret=playon-google-secret".to_owned(),
            format!("--facebook-dialog-url=http://{}/oidc/facebook/dialog/oauth", sandbox.addr),
            format!("--facebook-graph-url=http://{}/oidc/facebook", sandbox.addr),
            "--facebook-client-id=playon-facebook".to_owned(),
            "--facebook-client-secret=playon-facebook-secret".to_owned(),
        ];
        let name = |flag: &str| flag.split('=').next().map(str::to_owned);
        flags.retain(|flag| changed.iter().all(|other| name(other) != name(flag)));
        flags.extend(changed.iter().map(|&flag| flag.to_owned()));
        let flags: Vec<_> = flags.iter().map(String::as_str).collect();
        let base = Base { clock: Clock::settable(now), ..testkit::base("svc-auth") };
        let database = testkit::database("svc-auth").await;
        let auth = Service::start_on(database, &flags, base).await;
        Self { auth, http, sandbox }
    }

    /// Replaces the service by one without providers, on an empty database.
    pub(crate) async fn without_providers(self) -> Self {
        Self { auth: Service::start().await, ..self }
    }

    /// Creates an account at a provider.
    pub(crate) async fn account(&self, provider: OAuthProvider, key: &str, person: Value) {
        self.control(&format!("accounts/{}/{key}", slug(provider)), person).await;
    }

    /// Calls the sandbox's control API.
    pub(crate) async fn control(&self, path: &str, order: Value) {
        let url = format!("http://{}/control/{path}", self.sandbox.addr);
        let reply = self.http.put(url).json(&order).send().await.unwrap();
        assert!(reply.status().is_success(), "{}", reply.text().await.unwrap());
    }

    /// Rotates Google's signing key.
    pub(crate) async fn rotate(&self) {
        let url = format!("http://{}/control/social/rotate", self.sandbox.addr);
        assert!(self.http.post(url).send().await.unwrap().status().is_success());
    }

    /// Makes one call of a provider fail, once.
    pub(crate) async fn fail_next(&self, provider: &str, call: &str, kind: &str) {
        let order = json!({ "provider": provider, "call": call, "kind": kind, "delayMs": 35_000 });
        self.control("faults", order).await;
    }

    /// The newest mail to an address, once it has arrived.
    pub(crate) async fn mail(&self, to: &str) -> String {
        testkit::eventually("a mail", || async {
            self.mailbox(to).await.into_iter().next().map(|mail| mail.text)
        })
        .await
    }

    /// The mails in a mailbox, newest first.
    pub(crate) async fn mailbox(&self, to: &str) -> Vec<Mail> {
        let url = format!("http://{}/control/mail?to={to}", self.sandbox.addr);
        self.http.get(&url).send().await.unwrap().json().await.unwrap()
    }

    /// Starts a sign-in with a provider.
    pub(crate) async fn start(&self, provider: OAuthProvider) -> Result<StartOAuthResponse, Fault> {
        let request = StartOAuthRequest { provider: provider.into() };
        Ok(self.auth.auth.clone().start_o_auth(request).await.map_err(fault)?.into_inner())
    }

    /// Signs in at the provider, or declines, and is redirected back.
    pub(crate) async fn decide(&self, started: &StartOAuthResponse, form: Value) -> Back {
        let reply = self.http.post(&started.authorization_url).form(&form).send().await.unwrap();
        let location = reply.headers().get("location").map(|at| at.to_str().unwrap().to_owned());
        let location = Url::parse(&location.unwrap()).unwrap();
        let param = |name: &str| {
            location.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
        };
        let provider = if location.path().contains("google") { Google } else { Facebook };
        assert_eq!(location.path(), format!("/api/auth/oauth/{}/callback", slug(provider)));
        Back {
            provider,
            state: param("state").unwrap(),
            browser_secret: started.browser_secret.clone(),
            answer: param("code").map(Answer::Code).or(param("error").map(Answer::Error)),
        }
    }

    /// Starts a sign-in and signs in at the provider, but does not finish.
    pub(crate) async fn come_back(&self, provider: OAuthProvider, account: &str) -> Back {
        let started = self.start(provider).await.unwrap();
        self.decide(&started, json!({ "account": account })).await
    }

    /// A whole sign-in.
    pub(crate) async fn sign_in(
        &self,
        provider: OAuthProvider,
        account: &str,
    ) -> Result<Session, Fault> {
        let back = self.come_back(provider, account).await;
        let code = self.finish(back).await?;
        self.exchange(&code).await
    }

    pub(crate) async fn finish(&self, back: Back) -> Result<String, Fault> {
        let request = FinishOAuthRequest {
            provider: back.provider.into(),
            state: back.state,
            browser_secret: back.browser_secret,
            answer: back.answer,
        };
        let reply = self.auth.auth.clone().finish_o_auth(request).await.map_err(fault)?;
        Ok(reply.into_inner().exchange_code)
    }

    /// A whole sign-in with an address that another account has, with the code of the mail.
    pub(crate) async fn join(
        &self,
        provider: OAuthProvider,
        account: &str,
    ) -> Result<Session, Fault> {
        let back = self.come_back(provider, account).await;
        let exchange = self.finish(back).await?;
        let code = self.mail_join_code(&exchange, account).await?;
        self.confirm_join(&exchange, &code).await
    }

    /// Has a code mailed.
    pub(crate) async fn start_join(&self, exchange: &str) -> Result<StartOAuthJoinResponse, Fault> {
        let request = StartOAuthJoinRequest { exchange_code: exchange.to_owned() };
        Ok(self.auth.auth.clone().start_o_auth_join(request).await.map_err(fault)?.into_inner())
    }

    /// Has a code mailed, and returns it once it has arrived.
    pub(crate) async fn mail_join_code(&self, exchange: &str, to: &str) -> Result<String, Fault> {
        let before = self.join_codes(to).await.len();
        self.start_join(exchange).await?;
        let code = testkit::eventually("another code", || async {
            let codes = self.join_codes(to).await;
            (codes.len() > before).then(|| codes[0].clone())
        })
        .await;
        Ok(code)
    }

    /// The codes that were mailed, newest first.
    async fn join_codes(&self, to: &str) -> Vec<String> {
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|b| b.is_ascii_digit());
        let mails = self.mailbox(to).await.into_iter();
        let mails = mails.filter(|mail| mail.text.contains("wants to sign in"));
        mails
            .filter_map(|mail| mail.text.lines().map(str::trim).find(is_code).map(str::to_owned))
            .collect()
    }

    pub(crate) async fn confirm_join(&self, exchange: &str, code: &str) -> Result<Session, Fault> {
        let request = ConfirmOAuthJoinRequest {
            exchange_code: exchange.to_owned(),
            code: code.to_owned(),
            ..Default::default()
        };
        let reply = self.auth.auth.clone().confirm_o_auth_join(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }

    pub(crate) async fn exchange(&self, code: &str) -> Result<Session, Fault> {
        let request = ExchangeOAuthRequest { exchange_code: code.to_owned(), ..Default::default() };
        let reply = self.auth.auth.clone().exchange_o_auth(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }
}

pub(crate) fn slug(provider: OAuthProvider) -> &'static str {
    match provider {
        Google => "google",
        Facebook => "facebook",
        OAuthProvider::Unspecified => "",
    }
}
