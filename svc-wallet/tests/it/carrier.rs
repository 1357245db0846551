//! A stub of the carrier: tokens, activations and charges.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use mesh::Shutdown;
use serde_json::{Value, json};
use svc_wallet::CarrierArgs;

/// The secret in the path of notifications.
pub(crate) const SECRET: &str = "0123456789abcdef0123456789abcdef";

/// How the stub replies to charges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Charges {
    #[default]
    Take,
    /// The phone has too little airtime.
    TooLittle,
    /// The charge is under way; a notification follows.
    Accept,
    /// Takes the airtime, and loses the reply.
    LoseReply,
    /// Issues no token.
    NoToken,
}

#[derive(Clone, Default)]
pub(crate) struct Carrier {
    charges: Arc<Mutex<Charges>>,
    calls: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Carrier {
    pub(crate) async fn open(shutdown: &Shutdown) -> (Self, SocketAddr) {
        let stub = Self::default();
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let addr = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/auth/login", post(login))
            .route("/public/SDP/activate", post(activate))
            .route("/public/SDP/paymentRequest", post(charge))
            .with_state(stub.clone());
        shutdown.spawn("carrier stub", async move { axum::serve(listener, router).await.unwrap() });
        (stub, addr)
    }

    pub(crate) fn args(addr: SocketAddr) -> CarrierArgs {
        CarrierArgs {
            carrier_base_url: format!("http://{addr}"),
            carrier_username: "playon".to_owned(),
            carrier_password: "secret".into(),
            carrier_cp_id: "321".into(),
            carrier_offer_code: "BRONZE".to_owned(),
            carrier_notify_secret: SECRET.into(),
            carrier_timeout: Duration::from_secs(5),
        }
    }

    pub(crate) fn set(&self, charges: Charges) {
        *self.charges.lock().unwrap() = charges;
    }

    /// The bodies of the calls of a kind: activate or charge.
    pub(crate) fn calls(&self, kind: &str) -> Vec<Value> {
        let calls = self.calls.lock().unwrap();
        calls.iter().filter(|(of, _)| of == kind).map(|(_, body)| body.clone()).collect()
    }

    fn note(&self, kind: &str, body: Value) {
        self.calls.lock().unwrap().push((kind.to_owned(), body));
    }
}

/// A notification about a charge.
pub(crate) fn notification(request_id: &str, code: &str, reason: &str, shillings: u32) -> Value {
    json!({
        "requestId": "of-the-carrier", "operation": "CP_NOTIFICATION", "requestTimeStamp": "x",
        "requestParam": {
            "data": [
                {"name": "ClientTransactionId", "value": request_id},
                {"name": "Msisdn", "value": "254712345678"},
                {"name": "ChargeAmount", "value": shillings.to_string()},
                {"name": "TransactionId", "value": format!("T{request_id}")},
                {"name": "statusCode", "value": code},
                {"name": "Reason", "value": reason},
            ],
            "additionalData": [],
        },
    })
}

async fn login(
    State(stub): State<Carrier>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    assert!(headers.contains_key("x-requested-with"));
    assert_eq!(body, json!({"username": "playon", "password": "secret"}));
    if *stub.charges.lock().unwrap() == Charges::NoToken {
        return (StatusCode::SERVICE_UNAVAILABLE, Json(json!({})));
    }
    (StatusCode::OK, Json(json!({"token": "a-token"})))
}

async fn activate(State(stub): State<Carrier>, Json(body): Json<Value>) -> Json<Value> {
    stub.note("activate", body.clone());
    reply(&body, "0000", "Success")
}

async fn charge(
    State(stub): State<Carrier>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    assert_eq!(headers["x-authorization"], "Bearer a-token");
    stub.note("charge", body.clone());
    match *stub.charges.lock().unwrap() {
        Charges::Take => (StatusCode::OK, reply(&body, "0000", "Success")),
        Charges::Accept => (StatusCode::OK, reply(&body, "0000", "Request accepted")),
        Charges::TooLittle => (StatusCode::OK, reply(&body, "1001", "Insufficient balance")),
        Charges::LoseReply | Charges::NoToken => (StatusCode::BAD_GATEWAY, Json(json!({}))),
    }
}

fn reply(body: &Value, code: &str, description: &str) -> Json<Value> {
    Json(json!({
        "requestId": body["requestId"], "responseId": format!("T{}", body["requestId"].as_str().unwrap()),
        "responseTimeStamp": "x",
        "responseParam": {"status": "1", "statusCode": code, "description": description},
    }))
}
