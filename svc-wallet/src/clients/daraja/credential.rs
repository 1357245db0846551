//! The security credential of payouts and queries: the initiator's password, encrypted with
//! the public key in Safaricom's certificate.

use std::{fs, time::Duration};

use anyhow::{Context as _, anyhow};
use base64::{Engine, prelude::BASE64_STANDARD};
use rsa::{Pkcs1v15Encrypt, RsaPublicKey, pkcs8::DecodePublicKey as _, rand_core::OsRng};
use time::OffsetDateTime;
use tokio::sync::Mutex;
use tracing::warn;
use types::{Clock, ExposeSecret, SecretString};
use x509_parser::{parse_x509_certificate, pem::parse_x509_pem};

use crate::config::CertificateSource;

/// Pause after a failed fetch of the certificate before the next.
const FETCH_PAUSE: Duration = Duration::from_secs(3);

/// Encrypts the initiator's password for each request.
pub(super) struct Credentials {
    http: reqwest::Client,
    source: CertificateSource,
    password: SecretString,
    clock: Clock,
    key: Mutex<Key>,
}

#[derive(Default)]
struct Key {
    key: Option<RsaPublicKey>,
    /// The time until which no fetch is tried, after a failed one.
    paused_until: Option<OffsetDateTime>,
}

impl Credentials {
    /// Reads a certificate in a file or in PEM at once; a certificate behind a URL is fetched when
    /// it is needed.
    pub(super) fn new(
        http: reqwest::Client,
        source: CertificateSource,
        password: SecretString,
        clock: Clock,
    ) -> anyhow::Result<Self> {
        let key = match &source {
            CertificateSource::Pem(text) => Some(public_key(text.as_bytes())?),
            CertificateSource::File(path) => {
                let bytes = fs::read(path)
                    .with_context(|| format!("cannot read the certificate {}", path.display()))?;
                Some(public_key(&bytes)?)
            }
            CertificateSource::Url(_) => None,
        };
        let key = Mutex::new(Key { key, paused_until: None });
        Ok(Self { http, source, password, clock, key })
    }

    /// Returns a new credential. `None` while the certificate cannot be fetched.
    pub(super) async fn make(&self) -> Option<String> {
        let mut state = self.key.lock().await;
        if state.key.is_none() {
            let now = self.clock.now();
            if state.paused_until.is_some_and(|until| now < until) {
                return None;
            }
            match self.fetch().await {
                Ok(key) => state.key = Some(key),
                Err(error) => {
                    warn!(error = format!("{error:#}"), "cannot fetch Safaricom's certificate");
                    state.paused_until = Some(now + FETCH_PAUSE);
                }
            }
        }
        encrypt(state.key.as_ref()?, self.password.expose_secret())
    }

    async fn fetch(&self) -> anyhow::Result<RsaPublicKey> {
        let CertificateSource::Url(url) = &self.source else {
            return Err(anyhow!("the certificate has no URL"));
        };
        let reply = self.http.get(url).send().await.map_err(reqwest::Error::without_url)?;
        let bytes = reply.error_for_status().map_err(reqwest::Error::without_url)?.bytes().await?;
        public_key(&bytes)
    }
}

fn encrypt(key: &RsaPublicKey, password: &str) -> Option<String> {
    let sealed = key.encrypt(&mut OsRng, Pkcs1v15Encrypt, password.as_bytes());
    sealed
        .map(|sealed| BASE64_STANDARD.encode(sealed))
        .inspect_err(|error| warn!(%error, "cannot encrypt the initiator's password"))
        .ok()
}

/// Returns the RSA key of a certificate, in PEM or DER.
fn public_key(certificate: &[u8]) -> anyhow::Result<RsaPublicKey> {
    let pem = parse_x509_pem(certificate).map(|(_, pem)| pem.contents);
    let der = pem.unwrap_or_else(|_| certificate.to_vec());
    let (_, certificate) = parse_x509_certificate(&der).context("not a certificate")?;
    let key = RsaPublicKey::from_public_key_der(certificate.public_key().raw);
    key.context("the certificate's key is not RSA")
}

#[cfg(test)]
mod tests {
    use rsa::{RsaPrivateKey, pkcs8::DecodePrivateKey as _};

    use super::*;

    const CERTIFICATE: &str = include_str!("../../../tests/it/payouts/certificate.pem");
    const KEY: &str = include_str!("../../../tests/it/payouts/key.pem");

    #[test]
    fn the_owner_of_the_certificate_can_read_the_password() {
        let key = public_key(CERTIFICATE.as_bytes()).unwrap();
        let sealed = encrypt(&key, "Sandbox#1").unwrap();
        assert_ne!(encrypt(&key, "Sandbox#1").unwrap(), sealed, "the padding is random");
        let sealed = BASE64_STANDARD.decode(sealed).unwrap();
        let owner = RsaPrivateKey::from_pkcs8_pem(KEY).unwrap();
        assert_eq!(owner.decrypt(Pkcs1v15Encrypt, &sealed).unwrap(), b"Sandbox#1");
    }

    #[test]
    fn refuses_what_is_no_certificate() {
        assert!(public_key(b"").is_err());
        assert!(public_key(b"-----BEGIN CERTIFICATE-----").is_err());
    }
}
