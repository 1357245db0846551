//! svc-auth with a sandbox of phones and mailboxes.

use std::time::Duration;

use mesh::{Base, Fault};
use proto::auth::v1::{
    ChangePasswordRequest, ConfirmEmailRequest, ConfirmPasswordResetRequest, RejectEmailRequest,
    RequestPasswordResetRequest, Session, StartPhoneSignInRequest, StartPhoneSignInResponse,
    VerifyPhoneSignInRequest,
};
use serde::Deserialize;
use serde_json::{Value, json};
use testkit::Database;

use crate::harness::{PASSWORD, Service, connect, fault, with_bearer};

pub(crate) const PHONE: &str = "0712345678";

/// A service and its sandbox.
pub(crate) struct World {
    pub(crate) auth: Service,
    sandbox: sandbox::Running,
    http: reqwest::Client,
    changed: Vec<String>,
}

/// A received mail.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Mail {
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
    pub(crate) headers: std::collections::BTreeMap<String, String>,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(&[]).await
    }

    /// Starts with other arguments.
    pub(crate) async fn with(changed: &[&str]) -> Self {
        let sandbox = sandbox::start(sandbox::Options::default()).await.unwrap();
        let http = mesh::http::client(Duration::from_secs(10)).unwrap();
        let changed: Vec<_> = changed.iter().map(|&flag| flag.to_owned()).collect();
        let database = testkit::database("svc-auth").await;
        let flags = flags(&sandbox, &changed);
        let flags: Vec<_> = flags.iter().map(String::as_str).collect();
        let auth = Service::start_on(database, &flags, testkit::base("svc-auth")).await;
        Self { auth, sandbox, http, changed }
    }

    /// Another process on the same database and sandbox, with other arguments:
    /// a replica, or the service after a restart.
    pub(crate) async fn another(&self, changed: &[&str]) -> Service {
        let base = Base { clock: self.auth.clock.clone(), ..testkit::base("svc-auth") };
        self.another_on(self.auth.database.clone(), changed, base).await
    }

    /// Another process with the same sandbox on any database.
    pub(crate) async fn another_on(
        &self,
        database: Database,
        changed: &[&str],
        base: Base,
    ) -> Service {
        let mut all = self.changed.clone();
        all.extend(changed.iter().map(|&flag| flag.to_owned()));
        let flags = flags(&self.sandbox, &all);
        let flags: Vec<_> = flags.iter().map(String::as_str).collect();
        Service::start_on(database, &flags, base).await
    }

    /// Sets what happens to texts for a phone.
    pub(crate) async fn script(&self, phone: &str, sms: &str) {
        self.put(&format!("handsets/{}", international(phone)), json!({ "sms": sms })).await;
    }

    /// Makes one call to a provider fail, once.
    pub(crate) async fn fail_next(&self, provider: &str, kind: &str) {
        let order = json!({ "provider": provider, "kind": kind, "delayMs": 60_000 });
        self.put("faults", order).await;
    }

    async fn put(&self, path: &str, body: Value) {
        let url = format!("http://{}/control/{path}", self.sandbox.addr);
        let reply = self.http.put(url).json(&body).send().await.unwrap();
        assert!(reply.status().is_success(), "{}", reply.text().await.unwrap());
    }

    /// The texts on a phone, newest first.
    pub(crate) async fn texts(&self, phone: &str) -> Vec<String> {
        let texts = self.look(&format!("sms?to=%2B{}", international(phone))).await;
        let text = |sms: &Value| sms["text"].as_str().unwrap().to_owned();
        texts.as_array().unwrap().iter().map(text).collect()
    }

    /// The code in the newest text on a phone.
    pub(crate) async fn code(&self, phone: &str) -> String {
        let texts = self.texts(phone).await;
        texts[0].rsplit_once('#').unwrap().1.to_owned()
    }

    /// The mails to an address, newest first, once there are `count`.
    pub(crate) async fn mails(&self, to: &str, count: usize) -> Vec<Mail> {
        testkit::eventually(&format!("{count} mails"), || async {
            let mails = self.mailbox(to).await;
            (mails.len() >= count).then_some(mails)
        })
        .await
    }

    /// The mails in a mailbox.
    pub(crate) async fn mailbox(&self, to: &str) -> Vec<Mail> {
        let to = to.replace('%', "%25").replace('+', "%2B").replace('&', "%26");
        serde_json::from_value(self.look(&format!("mail?to={to}")).await).unwrap()
    }

    /// The newest mail with a subject, once it has arrived.
    pub(crate) async fn mail(&self, to: &str, subject: &str) -> Mail {
        testkit::eventually(subject, || async {
            self.mailbox(to).await.into_iter().find(|mail| mail.subject == subject)
        })
        .await
    }

    async fn look(&self, path: &str) -> Value {
        let url = format!("http://{}/control/{path}", self.sandbox.addr);
        self.http.get(url).send().await.unwrap().json().await.unwrap()
    }

    /// Signs a player up, and waits for the welcome mail.
    pub(crate) async fn player(&self, name: &str) -> (String, Session) {
        let email = format!("{name}@example.com");
        let session = self.auth.sign_up(&email, PASSWORD).await.unwrap();
        self.mail(&email, WELCOME).await;
        self.settled().await;
        (email, session)
    }

    /// Requests a reset link, and waits for it.
    pub(crate) async fn reset_link(&self, email: &str) -> String {
        let before = self.mailbox(email).await.len();
        self.auth.request_reset(email).await.unwrap();
        let mails = self.mails(email, before + 1).await;
        self.settled().await;
        mails[0].token("https://playon.example/reset-password?token=")
    }

    /// Waits until no mail is pending. A mail that has arrived may be pending for a moment, and
    /// would be given up or sent again if the clock moved then.
    pub(crate) async fn settled(&self) {
        testkit::eventually("no mail is pending", || async {
            let mut conn = connect(&self.auth.database).await;
            let pending: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox")
                .fetch_one(&mut conn)
                .await
                .unwrap();
            (pending == 0).then_some(())
        })
        .await;
    }
}

pub(crate) const WELCOME: &str = "Confirm your email for PlayOn";
pub(crate) const RESET: &str = "Reset your PlayOn password";
pub(crate) const CHANGED: &str = "Your PlayOn password was changed";

impl Mail {
    /// Returns the token of the link, which both parts of the mail contain.
    pub(crate) fn token(&self, page: &str) -> String {
        let (_, rest) = self.text.split_once(page).unwrap();
        let token = rest.split_whitespace().next().unwrap().to_owned();
        assert!(self.html.contains(&format!("href=\"{page}{token}\"")), "{}", self.html);
        token
    }
}

impl Service {
    /// Requests a code with a new captcha.
    pub(crate) async fn start_phone(&self, phone: &str) -> Result<StartPhoneSignInResponse, Fault> {
        let captcha = self.captcha().await;
        self.start_phone_with(phone, captcha).await
    }

    pub(crate) async fn start_phone_with(
        &self,
        phone: &str,
        captcha: String,
    ) -> Result<StartPhoneSignInResponse, Fault> {
        let request =
            StartPhoneSignInRequest { phone: phone.to_owned(), captcha, ..Default::default() };
        Ok(self.auth.clone().start_phone_sign_in(request).await.map_err(fault)?.into_inner())
    }

    pub(crate) async fn verify_phone(
        &self,
        challenge_id: &str,
        code: &str,
    ) -> Result<Session, Fault> {
        let request = VerifyPhoneSignInRequest {
            challenge_id: challenge_id.to_owned(),
            code: code.to_owned(),
            ..Default::default()
        };
        let reply = self.auth.clone().verify_phone_sign_in(request).await.map_err(fault)?;
        Ok(reply.into_inner().session.unwrap())
    }

    pub(crate) async fn request_reset(&self, email: &str) -> Result<(), Fault> {
        let request = RequestPasswordResetRequest { email: email.to_owned() };
        self.auth.clone().request_password_reset(request).await.map_err(fault)?;
        Ok(())
    }

    pub(crate) async fn confirm_reset(&self, token: &str, password: &str) -> Result<(), Fault> {
        let request = ConfirmPasswordResetRequest {
            token: token.to_owned(),
            new_password: password.to_owned(),
            ..Default::default()
        };
        self.auth.clone().confirm_password_reset(request).await.map_err(fault)?;
        Ok(())
    }

    pub(crate) async fn change_password(
        &self,
        bearer: &str,
        email: &str,
        old: &str,
        new: &str,
    ) -> Result<(), Fault> {
        let request = ChangePasswordRequest {
            email: email.to_owned(),
            old_password: old.to_owned(),
            new_password: new.to_owned(),
            ..Default::default()
        };
        self.auth.clone().change_password(with_bearer(request, bearer)).await.map_err(fault)?;
        Ok(())
    }

    /// Confirms the email of an account by its password.
    pub(crate) async fn confirm_email(&self, token: &str, password: &str) -> Result<(), Fault> {
        let request = ConfirmEmailRequest {
            token: token.to_owned(),
            password: Some(password.to_owned()),
            ..Default::default()
        };
        self.auth.clone().confirm_email(request).await.map_err(fault)?;
        Ok(())
    }

    /// Confirms the email of an account by a session.
    pub(crate) async fn confirm_email_as(&self, token: &str, bearer: &str) -> Result<(), Fault> {
        let request = ConfirmEmailRequest { token: token.to_owned(), ..Default::default() };
        self.auth.clone().confirm_email(with_bearer(request, bearer)).await.map_err(fault)?;
        Ok(())
    }

    pub(crate) async fn reject_email(&self, token: &str) -> Result<(), Fault> {
        let request = RejectEmailRequest { token: token.to_owned() };
        self.auth.clone().reject_email(request).await.map_err(fault)?;
        Ok(())
    }
}

/// The sandbox's development credentials, overridden by `changed`.
fn flags(sandbox: &sandbox::Running, changed: &[String]) -> Vec<String> {
    let world = [
        format!("--sms-base-url=http://{}/sms", sandbox.addr),
        "--sms-username=sandbox".to_owned(),
        "--sms-api-key=playon-dev-sms".to_owned(),
        format!("--mail-url=smtp://{}", sandbox.mail_addr),
    ];
    let name = |flag: &str| flag.split('=').next().map(str::to_owned);
    let kept = world.into_iter().filter(|flag| changed.iter().all(|it| name(it) != name(flag)));
    kept.chain(changed.iter().cloned()).collect()
}

fn international(phone: &str) -> String {
    types::Msisdn::parse(phone).unwrap().digits().to_owned()
}
