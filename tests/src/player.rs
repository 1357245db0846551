//! A player, and what the PWA does for one.

use std::time::Duration;

use reqwest::{
    Method, RequestBuilder,
    multipart::{Form, Part},
};
use serde_json::{Value, json};
use types::Money;

use crate::{Live, Mesh, Reply, SOON, eventually, within};

/// Every newcomer's.
pub(crate) const PASSWORD: &str = "jambo-kenya";

/// Somebody with an account, a session and a phone.
#[derive(Clone)]
pub struct Player {
    mesh: Mesh,
    /// The one id.
    pub uid: String,
    /// As signed up with.
    pub email: String,
    /// `07…`; nobody else's.
    pub phone: String,
    /// Good for a quarter of an hour.
    pub access_token: String,
    /// Good once.
    pub refresh_token: String,
}

impl Player {
    /// Signs up with an address and a phone that nobody had before.
    pub(crate) async fn sign_up(mesh: &Mesh) -> Self {
        let email = format!("{}@example.com", mesh.new_name());
        let reply = mesh.sign_up(&email, PASSWORD).await;
        assert_eq!(reply.status, 201, "{}", reply.message);
        Self::of(mesh, &email, &mesh.new_phone(), &reply.ok())
    }

    /// Whoever a session was given to. Without an address they have no password.
    pub fn of(mesh: &Mesh, email: &str, phone: &str, session: &Value) -> Self {
        let mut player = Self {
            mesh: mesh.clone(),
            uid: String::new(),
            email: email.to_owned(),
            phone: phone.to_owned(),
            access_token: String::new(),
            refresh_token: String::new(),
        };
        player.take_session(session);
        player
    }

    /// Signs in anew, as on another device.
    pub async fn sign_in(&mut self) {
        let reply = self.try_password(PASSWORD).await;
        self.take_session(&reply.ok());
    }

    /// Tries a password.
    pub async fn try_password(&self, password: &str) -> Reply {
        let body = json!({"email": self.email, "password": password});
        self.mesh.post("/auth/sign-in", &body).await
    }

    /// The same player on another device.
    pub async fn on_another_device(&self) -> Self {
        let mut other = self.clone();
        other.sign_in().await;
        other
    }

    /// Trades the refresh token.
    pub async fn refresh(&self) -> Reply {
        self.mesh.post("/auth/refresh", &json!({"refreshToken": self.refresh_token})).await
    }

    /// Goes on with a session that was given.
    pub fn take_session(&mut self, session: &Value) {
        let text = |name: &str| {
            let value = session[name].as_str();
            value.unwrap_or_else(|| panic!("a session has a {name}: {session}")).to_owned()
        };
        self.uid = text("uid");
        self.access_token = text("accessToken");
        self.refresh_token = text("refreshToken");
    }

    /// A call under `/api` in this player's name.
    pub fn call(&self, method: Method, path: &str) -> RequestBuilder {
        self.mesh.call(method, &format!("/api{path}")).bearer_auth(&self.access_token)
    }

    /// Reads.
    pub async fn get(&self, path: &str) -> Reply {
        Reply::to(self.call(Method::GET, path)).await
    }

    /// Posts.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        Reply::to(self.call(Method::POST, path).json(body)).await
    }

    /// Puts.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        Reply::to(self.call(Method::PUT, path).json(body)).await
    }

    /// Deletes, with a body.
    pub async fn delete(&self, path: &str, body: &Value) -> Reply {
        Reply::to(self.call(Method::DELETE, path).json(body)).await
    }

    /// The player's own profile.
    pub async fn profile(&self) -> Value {
        self.get("/auth/login").await.ok()
    }

    /// Edits the player's own profile.
    pub async fn edit(&self, fields: &Value) -> Reply {
        self.put(&format!("/profile/{}", self.uid), fields).await
    }

    /// Sends a file as the PWA's form does.
    pub async fn upload(&self, kind: &str, name: &str, bytes: &[u8]) -> Reply {
        self.upload_as(&self.uid, kind, name, bytes).await
    }

    /// [`Self::upload`], under an id that may be somebody else's.
    pub async fn upload_as(&self, id: &str, kind: &str, name: &str, bytes: &[u8]) -> Reply {
        let file = Part::bytes(bytes.to_vec()).file_name(name.to_owned());
        let form =
            Form::new().text("id", id.to_owned()).text("type", kind.to_owned()).part("file", file);
        Reply::to(self.call(Method::POST, "/upload").multipart(form)).await
    }

    /// Waits until the access token is refused: the end of a session travels. How
    /// long it may is for `cargo xtask bench` to show. A public profile is asked for,
    /// because asking for one's own is a first visit, which happens once.
    pub async fn until_signed_out(&self) {
        eventually("the access token is refused", || async {
            let reply = self.get(&format!("/users/public/{}", self.uid)).await;
            (reply.status == 401).then_some(())
        })
        .await;
    }

    /// Sets what this player does when the phone asks; at once, unless it says
    /// otherwise.
    pub async fn habit(&self, script: Value) {
        let mut whole = json!({"delayMs": 0});
        let script = script.as_object().expect("a script").clone();
        whole.as_object_mut().expect("an object").extend(script);
        self.mesh.sandbox().set_handset(&self.phone, &whole).await;
    }

    /// A top-up by M-Pesa as the PWA sends it. The amount is any JSON, so that a
    /// test may ask for nonsense.
    pub async fn top_up_body(&self, amount: impl Into<Value>) -> Value {
        json!({
            "paymentMethodId": self.mesh.method("MPESA").await,
            "amount": amount.into(),
            "mpesaPhoneNumber": self.phone,
        })
    }

    /// Asks for a top-up under a name of the attempt.
    pub fn top_up_call(&self, key: &str, body: &Value) -> RequestBuilder {
        self.call(Method::POST, "/payments/top-up").header("idempotency-key", key).json(body)
    }

    /// Tops up by M-Pesa, in whole shillings, and gives the payment's id.
    pub async fn top_up(&self, shillings: u32) -> String {
        let body = self.top_up_body(shillings).await;
        let payment = Reply::to(self.top_up_call(&self.mesh.new_name(), &body)).await.ok();
        payment["paymentId"].as_str().expect("a paymentId").to_owned()
    }

    /// A payment as it stands.
    pub async fn payment(&self, id: &str) -> Value {
        self.get(&format!("/payments/{id}")).await.ok()
    }

    /// Waits until a payment is final, and gives it.
    pub async fn until_final(&self, id: &str) -> Value {
        self.until_final_within(SOON, id).await
    }

    /// [`Self::until_final`], where it takes longer by design.
    pub async fn until_final_within(&self, limit: Duration, id: &str) -> Value {
        within(limit, "a final payment", || async {
            let payment = self.payment_if_told(id).await?;
            let is_final = payment["status"] == "COMPLETED" || payment["status"] == "ERROR";
            is_final.then_some(payment)
        })
        .await
    }

    /// Waits until a payment has a status.
    pub async fn until_status(&self, id: &str, status: &str) {
        within(SOON, status, || async {
            (self.payment_if_told(id).await?["status"] == status).then_some(())
        })
        .await;
    }

    /// A payment, unless the mesh is too busy to tell.
    async fn payment_if_told(&self, id: &str) -> Option<Value> {
        let reply = self.get(&format!("/payments/{id}")).await;
        (!matches!(reply.status, 503 | 504)).then(|| reply.ok())
    }

    /// What is in the wallet. Nothing holds money back yet, so all of it is
    /// available.
    pub async fn balance(&self) -> Money {
        let balance = self.get("/wallets/balance").await.ok();
        assert_eq!(balance["balance"], balance["available"]);
        amount(&balance["balance"])
    }

    /// The wallet's history, newest first.
    pub async fn transactions(&self) -> Vec<Value> {
        self.get("/wallets/list").await.ok().as_array().expect("a list").clone()
    }

    /// Watches payments; expects Hello.
    pub async fn watch(&self, payments: &[&str]) -> Live {
        Live::open(Live::call(&self.mesh, payments).bearer_auth(&self.access_token)).await
    }

    /// What the bank's own book says this phone has paid, in whole shillings.
    pub async fn paid_by_phone(&self) -> Money {
        let received = self.mesh.sandbox().received_from(&self.phone).await;
        let cents = received.iter().map(|line| line.amount * 100).sum();
        Money::from_cents(cents)
    }

    /// Holds the wallet to the world's word: so much is in it, the bank got as
    /// much, in as many payments as the history has, and the ledger is whole.
    pub async fn reconcile(&self, expected: Money) {
        assert_eq!(self.balance().await, expected, "the wallet");
        assert_eq!(self.paid_by_phone().await, expected, "the bank's book");
        let received = self.mesh.sandbox().received_from(&self.phone).await;
        assert_eq!(self.transactions().await.len(), received.len(), "the history");
        self.mesh.prove().await;
    }
}

/// An amount of KES as the contract writes it: a number, exact to the cent.
fn amount(value: &Value) -> Money {
    let number = value.as_number().unwrap_or_else(|| panic!("{value} is no number"));
    Money::parse(&number.to_string()).expect("at most two decimals")
}
