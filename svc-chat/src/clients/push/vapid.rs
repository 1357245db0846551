//! The key that identifies this deployment to push services (VAPID, RFC 8292).

use anyhow::{Context as _, anyhow};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;
use time::{Duration, OffsetDateTime};
use types::{ExposeSecret, SecretString};
use web_push_native::p256::{
    EncodedPoint, SecretKey, elliptic_curve::pkcs8::EncodePrivateKey as _,
};

use crate::domain::PushEndpoint;

/// How long a token is valid; RFC 8292 allows a day.
const TOKEN_LIFE: Duration = Duration::hours(1);

/// The private key, and the values derived from it for push services and browsers.
pub(super) struct VapidKey {
    signing: EncodingKey,
    /// The public key, as an uncompressed point in base64url.
    public: String,
    /// The contact URL by which a push service reaches the operator.
    subject: String,
}

#[derive(Serialize)]
struct Claims<'a> {
    aud: String,
    exp: i64,
    sub: &'a str,
}

impl VapidKey {
    /// Parses 32 bytes in base64url, the form in which tools for VAPID write a private key.
    pub(super) fn parse(secret: &SecretString, subject: &str) -> anyhow::Result<Self> {
        let invalid =
            || anyhow!("VAPID_PRIVATE_KEY should be a key of P-256, 32 bytes in base64url");
        let text = secret.expose_secret().trim_end_matches('=');
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| invalid())?;
        let key = SecretKey::from_slice(&bytes).map_err(|_| invalid())?;
        let public = BASE64_URL_SAFE_NO_PAD.encode(EncodedPoint::from(key.public_key()));
        let der = key.to_pkcs8_der().map_err(|_| invalid())?;
        let signing = EncodingKey::from_ec_der(der.as_bytes());
        Ok(Self { signing, public, subject: subject.to_owned() })
    }

    pub(super) fn public_key(&self) -> &str {
        &self.public
    }

    /// The header `Authorization` for a message to an endpoint.
    pub(super) fn authorization(
        &self,
        endpoint: &PushEndpoint,
        now: OffsetDateTime,
    ) -> anyhow::Result<String> {
        let claims = Claims {
            aud: endpoint.url().origin().ascii_serialization(),
            exp: (now + TOKEN_LIFE).unix_timestamp(),
            sub: &self.subject,
        };
        let header = Header::new(Algorithm::ES256);
        let token = jsonwebtoken::encode(&header, &claims, &self.signing).context("VAPID")?;
        Ok(format!("vapid t={token}, k={}", self.public))
    }
}
