//! A player, with the calls that the PWA makes.

use std::time::Duration;

use reqwest::{
    Method, RequestBuilder,
    multipart::{Form, Part},
};
use serde_json::{Value, json};
use types::Money;

use crate::{DEFAULT_TIMEOUT, LiveStream, Mesh, Reply, eventually, within};

/// The password of every player that a journey signs up.
pub const PASSWORD: &str = "jambo-kenya";

/// A player with an account, a session and a phone.
#[derive(Clone)]
pub struct Player {
    mesh: Mesh,
    /// The player's id.
    pub uid: String,
    /// The address of the sign-up; empty for a player without a password.
    pub email: String,
    /// The phone number `07…`, unique to this player.
    pub phone: String,
    /// Valid for 15 minutes.
    pub access_token: String,
    /// Valid for one refresh.
    pub refresh_token: String,
    /// The cookie of the device that the account was created on, by which money leaves the wallet.
    device: Option<String>,
}

impl Player {
    /// Signs up with a unique address and phone.
    pub(crate) async fn sign_up(mesh: &Mesh) -> Self {
        Self::with_email(mesh, &format!("{}@example.com", mesh.unique_id())).await
    }

    /// Signs up with this address and a unique phone.
    pub async fn with_email(mesh: &Mesh, email: &str) -> Self {
        let reply = mesh.sign_up(email, PASSWORD).await;
        assert_eq!(reply.status, 201, "{}", reply.message);
        let player = Self::of(mesh, email, &mesh.new_phone(), &reply.clone().ok());
        Self { device: device_cookie(&reply), ..player }
    }

    /// The player of an existing session. `email` is empty for a player without a password.
    pub fn of(mesh: &Mesh, email: &str, phone: &str, session: &Value) -> Self {
        let mut player = Self {
            mesh: mesh.clone(),
            uid: String::new(),
            email: email.to_owned(),
            phone: phone.to_owned(),
            access_token: String::new(),
            refresh_token: String::new(),
            device: None,
        };
        player.take_session(session);
        player
    }

    /// Signs in again on the same device, and replaces the session.
    pub async fn sign_in(&mut self) {
        let body = json!({"email": self.email, "password": PASSWORD});
        let reply = self.post_on_device("/api/auth/sign-in", &body).await;
        self.take_session(&reply.ok());
    }

    /// Sends a POST with the device's cookie.
    async fn post_on_device(&self, path: &str, body: &Value) -> Reply {
        let call = self.mesh.call(Method::POST, path).json(body);
        Reply::to(match &self.device {
            Some(device) => call.header("cookie", device),
            None => call,
        })
        .await
    }

    /// Signs in with a password, and returns the reply unchecked.
    pub async fn try_password(&self, password: &str) -> Reply {
        let body = json!({"email": self.email, "password": password});
        self.mesh.post("/auth/sign-in", &body).await
    }

    /// The same player with a second session.
    pub async fn on_another_device(&self) -> Self {
        let mut other = Self { device: None, ..self.clone() };
        other.sign_in().await;
        other
    }

    /// Sends the refresh token.
    pub async fn refresh(&self) -> Reply {
        let body = json!({"refreshToken": self.refresh_token});
        self.post_on_device("/api/auth/refresh", &body).await
    }

    /// Replaces the tokens with those of a session.
    pub fn take_session(&mut self, session: &Value) {
        let text = |name: &str| {
            let value = session[name].as_str();
            value.unwrap_or_else(|| panic!("a session has a {name}: {session}")).to_owned()
        };
        self.uid = text("uid");
        self.access_token = text("accessToken");
        self.refresh_token = text("refreshToken");
    }

    /// A request under `/api` with this player's access token.
    pub fn call(&self, method: Method, path: &str) -> RequestBuilder {
        self.mesh.call(method, &format!("/api{path}")).bearer_auth(&self.access_token)
    }

    /// Sends a GET.
    pub async fn get(&self, path: &str) -> Reply {
        Reply::to(self.call(Method::GET, path)).await
    }

    /// Sends a POST.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        Reply::to(self.call(Method::POST, path).json(body)).await
    }

    /// Sends a PUT.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        Reply::to(self.call(Method::PUT, path).json(body)).await
    }

    /// Sends a DELETE with a body.
    pub async fn delete(&self, path: &str, body: &Value) -> Reply {
        Reply::to(self.call(Method::DELETE, path).json(body)).await
    }

    /// Downloads the complete copy of the player's data; returns it as JSON.
    pub async fn data_copy(&self) -> Value {
        let file = self.call(Method::GET, "/profile/data-copy/file?format=json");
        let file = file.send().await.expect("a reply").error_for_status().expect("a file");
        file.json().await.expect("a file of JSON")
    }

    /// The player's own profile.
    pub async fn profile(&self) -> Value {
        self.get("/auth/login").await.ok()
    }

    /// Edits the player's own profile.
    pub async fn edit(&self, fields: &Value) -> Reply {
        self.put(&format!("/profile/{}", self.uid), fields).await
    }

    /// Uploads a file with the PWA's form.
    pub async fn upload(&self, kind: &str, name: &str, bytes: &[u8]) -> Reply {
        self.upload_as(&self.uid, kind, name, bytes).await
    }

    /// [`Self::upload`] with any player's id in the form.
    pub async fn upload_as(&self, id: &str, kind: &str, name: &str, bytes: &[u8]) -> Reply {
        let file = Part::bytes(bytes.to_vec()).file_name(name.to_owned());
        let form =
            Form::new().text("id", id.to_owned()).text("type", kind.to_owned()).part("file", file);
        Reply::to(self.call(Method::POST, "/upload").multipart(form)).await
    }

    /// Waits until the access token is refused; a revocation takes up to a second to reach the
    /// gateway, which `cargo xtask bench` measures. Reads a public profile, because the first read
    /// of one's own profile is recorded.
    pub async fn until_signed_out(&self) {
        eventually("the access token is refused", || async {
            let reply = self.get(&format!("/users/public/{}", self.uid)).await;
            (reply.status == 401).then_some(())
        })
        .await;
    }

    /// Sets the script of this player's handset. Without `delayMs` in it the handset
    /// reacts at once.
    pub async fn set_handset(&self, script: Value) {
        let mut whole = json!({"delayMs": 0});
        let script = script.as_object().expect("a script").clone();
        whole.as_object_mut().expect("an object").extend(script);
        self.mesh.sandbox().set_handset(&self.phone, &whole).await;
    }

    /// The body of a top-up by M-Pesa, as the PWA sends it. The amount is any JSON, so
    /// that a test can send an invalid one.
    pub async fn top_up_body(&self, amount: impl Into<Value>) -> Value {
        json!({
            "paymentMethodId": self.mesh.method("MPESA").await,
            "amount": amount.into(),
            "mpesaPhoneNumber": self.phone,
        })
    }

    /// A top-up request with an idempotency key.
    pub fn top_up_call(&self, key: &str, body: &Value) -> RequestBuilder {
        self.call(Method::POST, "/payments/top-up").header("idempotency-key", key).json(body)
    }

    /// Tops up by M-Pesa, in whole shillings, and returns the payment's id.
    pub async fn top_up(&self, shillings: u32) -> String {
        let body = self.top_up_body(shillings).await;
        let payment = Reply::to(self.top_up_call(&self.mesh.unique_id(), &body)).await.ok();
        payment["paymentId"].as_str().expect("a paymentId").to_owned()
    }

    /// Tops up by card, and pays on the card's page; returns once the money is in the wallet.
    pub async fn top_up_by_card(&self, shillings: u32) {
        let method = self.mesh.method("CARD").await;
        let body = json!({"paymentMethodId": method, "amount": shillings});
        let payment = Reply::to(self.top_up_call(&self.mesh.unique_id(), &body)).await.ok();
        let page = payment["txGwSessionUrl"].as_str().expect("a page").to_owned();
        self.mesh.sandbox().pay_on_card_page(&page).await;
        let id = payment["paymentId"].as_str().expect("a paymentId");
        assert_eq!(self.until_final(id).await["status"], "COMPLETED");
    }

    /// Proves that a phone is the player's, by the code of a text message, so that withdrawals may
    /// go to it.
    pub async fn prove_phone(&self, phone: &str) {
        self.post("/payout-phones/start", &json!({"phone": phone})).await.ok();
        let code = self.mesh.sandbox().code_sent_to(phone).await;
        self.post("/payout-phones/confirm", &json!({"code": code})).await.ok();
    }

    /// Withdraws to a phone, in whole shillings.
    pub async fn withdraw(&self, phone: &str, shillings: u32) -> Reply {
        let body = json!({
            "paymentMethodId": self.mesh.method("MPESA").await,
            "amount": shillings,
            "mpesaPhoneNumber": phone,
        });
        let call = self.call(Method::POST, "/wallets/withdraw").json(&body);
        Reply::to(call.header("idempotency-key", self.mesh.unique_id())).await
    }

    /// The mesh that the player plays on.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The current state of a payment.
    pub async fn payment(&self, id: &str) -> Value {
        self.get(&format!("/payments/{id}")).await.ok()
    }

    /// Waits until a payment is final, and returns it.
    pub async fn until_final(&self, id: &str) -> Value {
        self.until_final_within(DEFAULT_TIMEOUT, id).await
    }

    /// [`Self::until_final`] with another limit than [`DEFAULT_TIMEOUT`].
    pub async fn until_final_within(&self, limit: Duration, id: &str) -> Value {
        within(limit, "a final payment", || async {
            let payment = self.payment_if_available(id).await?;
            let is_final = payment["status"] == "COMPLETED" || payment["status"] == "ERROR";
            is_final.then_some(payment)
        })
        .await
    }

    /// Waits until a payment has a status.
    pub async fn until_status(&self, id: &str, status: &str) {
        within(DEFAULT_TIMEOUT, status, || async {
            (self.payment_if_available(id).await?["status"] == status).then_some(())
        })
        .await;
    }

    /// A payment; `None` while the mesh answers 503 or 504.
    async fn payment_if_available(&self, id: &str) -> Option<Value> {
        let reply = self.get(&format!("/payments/{id}")).await;
        (!matches!(reply.status, 503 | 504)).then(|| reply.ok())
    }

    /// The wallet's balance. There are no payouts yet, and so no holds: asserts that
    /// all of it is available.
    pub async fn balance(&self) -> Money {
        let balance = self.get("/wallets/balance").await.ok();
        assert_eq!(balance["balance"], balance["available"]);
        amount(&balance["balance"])
    }

    /// The wallet's history, newest first.
    pub async fn transactions(&self) -> Vec<Value> {
        self.get("/wallets/list").await.ok().as_array().expect("a list").clone()
    }

    /// Opens a live stream on payments.
    pub async fn watch(&self, payments: &[&str]) -> LiveStream {
        LiveStream::open(LiveStream::call(&self.mesh, payments).bearer_auth(&self.access_token))
            .await
    }

    /// The sum that this phone paid according to the sandbox's bank book.
    pub async fn paid_by_phone(&self) -> Money {
        let received = self.mesh.sandbox().received_from(&self.phone).await;
        let cents = received.iter().map(|line| line.amount * 100).sum();
        Money::from_cents(cents)
    }

    /// Asserts that the wallet has the expected balance, that the sandbox's bank book
    /// has the same sum from this phone in as many payments as the history lists, and
    /// that the ledger's proof holds.
    pub async fn reconcile(&self, expected: Money) {
        assert_eq!(self.balance().await, expected, "the wallet's balance");
        assert_eq!(self.paid_by_phone().await, expected, "the bank's book");
        let received = self.mesh.sandbox().received_from(&self.phone).await;
        assert_eq!(self.transactions().await.len(), received.len(), "the history");
        self.mesh.prove().await;
    }
}

/// An amount of KES as the API writes it: a number with at most two decimals.
fn amount(value: &Value) -> Money {
    let number = value.as_number().unwrap_or_else(|| panic!("{value} is no number"));
    Money::parse(&number.to_string()).expect("at most two decimals")
}

/// The device cookie that a reply sets, as a browser sends it back.
fn device_cookie(reply: &Reply) -> Option<String> {
    let cookies =
        reply.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.filter_map(|cookie| cookie.split(';').next());
    pairs.find(|pair| pair.contains("playon-device=")).map(str::to_owned)
}
