//! Google's ID tokens and signing keys.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::errors::Error;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use time::{Duration, OffsetDateTime};

use super::secret::secret;
use crate::world::account::Account;
use crate::world::social::{Grant, Tamper, has_scope};

/// How long a token is valid, as at Google.
const LIFETIME: Duration = Duration::hours(1);

/// Development keys, RSA of 2048 bits in DER (`openssl genrsa -traditional`).
/// They are not secret, and generating one takes a debug build seconds.
const KEYS: [&[u8]; 2] = [include_bytes!("keys/one.der"), include_bytes!("keys/two.der")];

struct Key {
    id: String,
    secret: EncodingKey,
}

impl Key {
    /// The key after this many rotations: one of two keys under a new id, which is
    /// what a client sees of a rotation.
    fn after(rotations: u32) -> Self {
        let der = KEYS[usize::from(!rotations.is_multiple_of(2))];
        Self { id: format!("sandbox-{rotations}"), secret: EncodingKey::from_rsa_der(der) }
    }

    fn public(&self) -> Result<Jwk, Error> {
        let mut jwk = Jwk::from_encoding_key(&self.secret, Algorithm::RS256)?;
        jwk.common.key_id = Some(self.id.clone());
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        Ok(jwk)
    }
}

/// The valid keys: the current one and, because its tokens are still in use, the
/// one before.
pub(super) fn keys(rotations: u32) -> Result<JwkSet, Error> {
    let valid = [Some(rotations), rotations.checked_sub(1)];
    let keys = valid.into_iter().flatten().map(|rotations| Key::after(rotations).public());
    Ok(JwkSet { keys: keys.collect::<Result<_, _>>()? })
}

pub(super) struct Signing<'s> {
    pub(super) issuer: &'s str,
    pub(super) client_id: &'s str,
    pub(super) rotations: u32,
    pub(super) now: OffsetDateTime,
}

/// The token of this grant, invalid in the way that a test has ordered.
pub(super) fn sign(
    signing: &Signing<'_>,
    grant: &Grant,
    account: &Account,
) -> Result<String, Error> {
    let mut claims = claims(signing, grant);
    add_profile(account, &grant.scope, &mut claims);
    let issued = signing.now.unix_timestamp();
    match grant.tamper {
        Tamper::None | Tamper::WrongSignature => {}
        Tamper::WrongNonce => claims["nonce"] = json!(secret()),
        Tamper::WrongAudience => {
            claims["aud"] = json!("another-client");
            claims["azp"] = json!("another-client");
        }
        Tamper::Expired => {
            let lifetime = LIFETIME.whole_seconds();
            claims["iat"] = json!(issued - 2 * lifetime);
            claims["exp"] = json!(issued - lifetime);
        }
        Tamper::WrongIssuer => claims["iss"] = json!("https://accounts.example"),
    }
    let key = Key::after(signing.rotations);
    let header = Header { kid: Some(key.id.clone()), ..Header::new(Algorithm::RS256) };
    let secret = match grant.tamper {
        // The token is signed with the other key under this key's id.
        Tamper::WrongSignature => Key::after(signing.rotations + 1).secret,
        _ => key.secret,
    };
    jsonwebtoken::encode(&header, &claims, &secret)
}

/// Adds the claims about a person that the scopes allow.
pub(super) fn add_profile(account: &Account, scope: &str, claims: &mut Value) {
    claims["sub"] = json!(account.sub);
    if let Some(email) = account.email.as_ref().filter(|_| has_scope(scope, "email")) {
        claims["email"] = json!(email);
        claims["email_verified"] = json!(account.email_verified);
        if let Some(domain) = &account.hosted_domain {
            claims["hd"] = json!(domain);
        }
    }
    if has_scope(scope, "profile") {
        claims["name"] = json!(account.name);
        claims["given_name"] = json!(account.name.split(' ').next());
    }
}

fn claims(signing: &Signing<'_>, grant: &Grant) -> Value {
    let issued = signing.now.unix_timestamp();
    let mut claims = json!({
        "iss": signing.issuer,
        "azp": signing.client_id,
        "aud": signing.client_id,
        "iat": issued,
        "exp": issued + LIFETIME.whole_seconds(),
    });
    if let Some(nonce) = &grant.nonce {
        claims["nonce"] = json!(nonce);
    }
    if let Some(token) = &grant.token {
        // OpenID Connect Core, 3.1.3.6: the left half of the access token's hash.
        claims["at_hash"] = json!(BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(token)[..16]));
    }
    claims
}
