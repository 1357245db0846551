//! A sandbox on a free port, a business that calls it, and its callback server.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::{Client, Method, StatusCode};
use rsa::pkcs8::DecodePublicKey;
use rsa::rand_core::OsRng;
use rsa::{Pkcs1v15Encrypt, RsaPublicKey};
use sandbox::{Merchant, Options, Running};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Longest wait in a test, which only a failing test reaches.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) const PHONE: &str = "254712345678";

/// A running sandbox and the business that uses it.
pub(crate) struct Harness {
    pub(crate) running: Running,
    pub(crate) http: Client,
    pub(crate) token: String,
    pub(crate) callbacks: CallbackServer,
}

impl Harness {
    pub(crate) async fn start() -> Self {
        Self::start_with(Options::default()).await
    }

    pub(crate) async fn start_with(mut options: Options) -> Self {
        let callbacks = CallbackServer::open().await;
        options.paystack.webhook_url.clone_from(&callbacks.url);
        "secret".clone_into(&mut options.carrier.notify_secret);
        options.carrier.notify_url = callbacks.url.trim_end_matches("/secret").to_owned();
        let running = sandbox::start(options).await.unwrap();
        let http = Client::builder().no_proxy().build().unwrap();
        let mut sandbox = Self { running, http, token: String::new(), callbacks };
        sandbox.token = sandbox.fresh_token().await;
        sandbox
    }

    /// A sandbox in which [`PHONE`] has this script.
    pub(crate) async fn with_script(script: Value) -> Self {
        let sandbox = Self::start().await;
        sandbox.script(PHONE, script).await;
        sandbox
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.running.addr)
    }

    pub(crate) async fn fresh_token(&self) -> String {
        let Merchant { consumer_key, consumer_secret, .. } = Merchant::default();
        let url = self.url("/daraja/oauth/v1/generate?grant_type=client_credentials");
        let reply = self.http.get(url).basic_auth(consumer_key, Some(consumer_secret)).send();
        let reply: Value = reply.await.unwrap().json().await.unwrap();
        reply["access_token"].as_str().unwrap().to_owned()
    }

    /// Sets the handset's script.
    pub(crate) async fn script(&self, msisdn: &str, script: Value) {
        let (status, reply) =
            self.control(Method::PUT, &format!("/handsets/{msisdn}"), script).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
    }

    pub(crate) async fn control(
        &self,
        method: Method,
        path: &str,
        body: Value,
    ) -> (StatusCode, Value) {
        let url = self.url(&format!("/control{path}"));
        let reply = self.http.request(method, url).body(body.to_string()).send().await.unwrap();
        (reply.status(), reply.json().await.unwrap())
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, reply) = self.control(Method::GET, path, Value::Null).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
        reply
    }

    /// A valid request to pay.
    pub(crate) fn request(&self, msisdn: &str, amount: u64) -> Value {
        let Merchant { short_code, passkey, .. } = Merchant::default();
        let timestamp = east_africa_now();
        let password = BASE64_STANDARD.encode(format!("{short_code}{passkey}{timestamp}"));
        json!({
            "BusinessShortCode": short_code,
            "Password": password,
            "Timestamp": timestamp,
            "TransactionType": "CustomerPayBillOnline",
            "Amount": amount,
            "PartyA": msisdn,
            "PartyB": short_code,
            "PhoneNumber": msisdn,
            "CallBackURL": self.callbacks.url,
            "AccountReference": "PLAYON12",
            "TransactionDesc": "Top up",
        })
    }

    pub(crate) async fn daraja(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let reply = self.try_daraja(path, body).await.unwrap();
        (reply.status(), reply.json().await.unwrap())
    }

    pub(crate) async fn try_daraja(
        &self,
        path: &str,
        body: &Value,
    ) -> reqwest::Result<reqwest::Response> {
        let url = self.url(&format!("/daraja/mpesa/{path}"));
        self.http.post(url).bearer_auth(&self.token).json(body).send().await
    }

    /// The password of the operator, encrypted as `SecurityCredential`.
    pub(crate) async fn credential(&self, password: &str) -> String {
        let reply = self.http.get(self.url("/mpesa/certificate.pem")).send().await.unwrap();
        let pem = reply.text().await.unwrap();
        let (_, pem) = x509_parser::pem::parse_x509_pem(pem.as_bytes()).unwrap();
        let key = pem.parse_x509().unwrap().public_key().raw.to_vec();
        let key = RsaPublicKey::from_public_key_der(&key).unwrap();
        let encrypted = key.encrypt(&mut OsRng, Pkcs1v15Encrypt, password.as_bytes()).unwrap();
        BASE64_STANDARD.encode(encrypted)
    }

    /// A valid payout with this id.
    pub(crate) async fn payout_request(&self, id: &str, amount: u64) -> Value {
        let Merchant { short_code, initiator_name, initiator_password, .. } = Merchant::default();
        json!({
            "OriginatorConversationID": id,
            "InitiatorName": initiator_name,
            "SecurityCredential": self.credential(&initiator_password).await,
            "CommandID": "BusinessPayment",
            "Amount": amount,
            "PartyA": short_code,
            "PartyB": PHONE,
            "Remarks": "Withdrawal",
            "QueueTimeOutURL": format!("{}?timeout", self.callbacks.url),
            "ResultURL": self.callbacks.url,
            "Occassion": "",
        })
    }

    /// Requests a payout and expects it to be accepted.
    pub(crate) async fn pay_out(&self, id: &str, amount: u64) -> Value {
        let request = self.payout_request(id, amount).await;
        let (status, reply) = self.daraja("b2c/v3/paymentrequest", &request).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
        reply
    }

    /// The `Result` of the next callback.
    pub(crate) async fn result(&mut self) -> Value {
        let callback = self.callbacks.next().await;
        let body: Value = serde_json::from_str(&callback.text).unwrap();
        body["Result"].clone()
    }

    pub(crate) async fn push(&self, request: &Value) -> (StatusCode, Value) {
        self.daraja("stkpush/v1/processrequest", request).await
    }

    /// Requests a payment and expects it to be accepted.
    pub(crate) async fn pay(&self, msisdn: &str, amount: u64) -> Value {
        let (status, reply) = self.push(&self.request(msisdn, amount)).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
        reply
    }

    pub(crate) async fn query(&self, checkout: &Value) -> (StatusCode, Value) {
        let mut request = self.request(PHONE, 1);
        request["CheckoutRequestID"] = checkout.clone();
        self.daraja("stkpushquery/v1/query", &request).await
    }

    /// Queries the payment until it has ended.
    pub(crate) async fn outcome(&self, checkout: &Value) -> Value {
        poll(async || {
            let (status, reply) = self.query(checkout).await;
            if status == StatusCode::OK {
                return Some(reply);
            }
            assert_eq!(reply["errorMessage"], "The transaction is being processed");
            None
        })
        .await
    }
}

pub(crate) async fn poll(probe: impl AsyncFn() -> Option<Value>) -> Value {
    let polling = async {
        loop {
            if let Some(value) = probe().await {
                return value;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, polling).await.expect("the state is reached")
}

/// The business's server, which receives callbacks.
pub(crate) struct CallbackServer {
    pub(crate) url: String,
    received: mpsc::Receiver<Callback>,
    _server: JoinSet<()>,
}

#[derive(Debug)]
pub(crate) struct Callback {
    pub(crate) text: String,
    pub(crate) headers: HeaderMap,
}

impl Callback {
    pub(crate) fn stk_callback(&self) -> Value {
        let body: Value = serde_json::from_str(&self.text).unwrap();
        body["Body"]["stkCallback"].clone()
    }
}

impl CallbackServer {
    async fn open() -> Self {
        let (sender, received) = mpsc::channel(64);
        let app = Router::new().route("/hooks/stk/secret", post(receive)).with_state(sender);
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = TcpListener::bind(any_port).await.unwrap();
        let url = format!("http://{}/hooks/stk/secret", listener.local_addr().unwrap());
        let mut server = JoinSet::new();
        server.spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, received, _server: server }
    }

    pub(crate) async fn next(&mut self) -> Callback {
        let next = tokio::time::timeout(TIMEOUT, self.received.recv()).await;
        next.expect("a callback").expect("the server runs")
    }

    /// Whether no callback has arrived since the last one that was read.
    pub(crate) fn is_empty(&mut self) -> bool {
        self.received.try_recv().is_err()
    }
}

async fn receive(
    State(sender): State<mpsc::Sender<Callback>>,
    headers: HeaderMap,
    text: String,
) -> axum::Json<Value> {
    sender.send(Callback { text, headers }).await.unwrap();
    axum::Json(json!({"ResultCode": 0, "ResultDesc": "Accepted"}))
}

#[expect(clippy::disallowed_methods, reason = "Daraja compares a Timestamp with the real time")]
pub(crate) fn now() -> time::OffsetDateTime {
    time::OffsetDateTime::now_utc()
}

pub(crate) fn timestamp(at: time::OffsetDateTime) -> String {
    let form = time::macros::format_description!("[year][month][day][hour][minute][second]");
    at.format(form).unwrap()
}

fn east_africa_now() -> String {
    timestamp(now().to_offset(time::macros::offset!(+3)))
}
