//! The push service of browsers.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use p256::elliptic_curve::pkcs8::EncodePrivateKey as _;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use web_push_native::p256::PublicKey;

use crate::support::Harness;

/// A sender with a key of its own.
struct Sender {
    key: p256::SecretKey,
}

impl Sender {
    fn new(seed: u8) -> Self {
        Self { key: p256::SecretKey::from_slice(&[seed; 32]).unwrap() }
    }

    fn public_key(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(p256::EncodedPoint::from(self.key.public_key()))
    }

    fn authorization(&self, origin: &str) -> String {
        let der = self.key.to_pkcs8_der().unwrap();
        let key = EncodingKey::from_ec_der(der.as_bytes());
        let expires_at = sandbox_now() + 3600;
        let claims = json!({ "aud": origin, "exp": expires_at, "sub": "mailto:a@playon.example" });
        let token = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, &key).unwrap();
        format!("vapid t={token}, k={}", self.public_key())
    }
}

#[expect(clippy::disallowed_methods, reason = "the sandbox has the machine's clock")]
fn sandbox_now() -> i64 {
    time::OffsetDateTime::now_utc().unix_timestamp()
}

fn encrypt(subscription: &Value, text: &str) -> Vec<u8> {
    let decode = |name: &str| {
        BASE64_URL_SAFE_NO_PAD.decode(subscription["keys"][name].as_str().unwrap()).unwrap()
    };
    let key = PublicKey::from_sec1_bytes(&decode("p256dh")).unwrap();
    let auth: [u8; 16] = decode("auth").try_into().unwrap();
    web_push_native::encrypt(text.into(), &key, &auth.into()).unwrap()
}

async fn push(
    sandbox: &Harness,
    subscription: &Value,
    authorization: &str,
    text: &str,
) -> Response {
    sandbox
        .http
        .post(subscription["endpoint"].as_str().unwrap())
        .header("TTL", "60")
        .header("Content-Encoding", "aes128gcm")
        .header("Authorization", authorization)
        .body(encrypt(subscription, text))
        .send()
        .await
        .unwrap()
}

#[tokio::test]
async fn a_signed_message_arrives_decrypted() {
    let sandbox = Harness::start().await;
    let sender = Sender::new(7);
    let order = json!({ "applicationServerKey": sender.public_key() });
    let (status, browser) = sandbox.control(Method::POST, "/push/browsers", order).await;
    assert_eq!(status, StatusCode::CREATED);
    let origin = sandbox.url("");
    let subscription = &browser["subscription"];
    let text = r#"{"title":"Habari"}"#;
    let reply = push(&sandbox, subscription, &sender.authorization(&origin), text).await;
    assert_eq!(reply.status(), StatusCode::CREATED);
    let pushed = sandbox.get("/push").await;
    assert_eq!(pushed[0]["message"]["title"], "Habari");
    assert_eq!(pushed[0]["browser"], browser["id"]);

    let other = Sender::new(8).authorization(&origin);
    let elsewhere = sender.authorization("https://fcm.googleapis.com");
    let mut forged = sender.authorization(&origin);
    forged = forged.replacen("vapid t=ey", "vapid t=ez", 1);
    for authorization in [other, elsewhere, forged] {
        let reply = push(&sandbox, subscription, &authorization, text).await;
        assert_eq!(reply.status(), StatusCode::FORBIDDEN, "{authorization}");
    }
    assert_eq!(sandbox.get("/push").await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn replies_are_as_ordered() {
    let sandbox = Harness::start().await;
    let sender = Sender::new(7);
    let (_, browser) = sandbox.control(Method::POST, "/push/browsers", json!({})).await;
    let path = format!("/push/browsers/{}", browser["id"].as_str().unwrap());
    let authorization = sender.authorization(&sandbox.url(""));
    for status in [404, 410, 429, 500] {
        let order = json!({ "answer": { "status": status, "retryAfter": 7, "count": 1 } });
        assert_eq!(sandbox.control(Method::PUT, &path, order).await.0, StatusCode::OK);
        let reply = push(&sandbox, &browser["subscription"], &authorization, "x").await;
        assert_eq!(reply.status().as_u16(), status);
        assert_eq!(reply.headers()["retry-after"], "7");
    }
    let reply = push(&sandbox, &browser["subscription"], &authorization, "x").await;
    assert_eq!(reply.status(), StatusCode::CREATED);
    assert_eq!(sandbox.get(&path).await["attempts"], 5);
}
