//! Google's ID tokens, and the keys they are checked with.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::errors::Error;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use time::{Duration, OffsetDateTime};

use crate::world::account::Account;
use crate::world::social::{Grant, Tamper, has_scope};

/// How long a token is good, as at Google.
const LIFE: Duration = Duration::hours(1);

/// Development keys, RSA of 2048 bits in DER (`openssl genrsa -traditional`).
/// They stand in the source because the sandbox guards nothing, and because
/// making one takes a debug build longer than all the rest of a test.
const KEYS: [&[u8]; 2] = [include_bytes!("keys/one.der"), include_bytes!("keys/two.der")];

/// A key with its public name.
struct Key {
    id: String,
    secret: EncodingKey,
}

impl Key {
    /// The key in use after so many rotations. There are two keys and ever new
    /// ids, which is all that a client can tell.
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

/// The keys that are good now: after a rotation the one before, too, because
/// its tokens are still about.
pub(super) fn keys(rotations: u32) -> Result<JwkSet, Error> {
    let good = [Some(rotations), rotations.checked_sub(1)];
    let keys = good.into_iter().flatten().map(|rotations| Key::after(rotations).public());
    Ok(JwkSet { keys: keys.collect::<Result<_, _>>()? })
}

/// Who signs, for whom, and when.
pub(super) struct Signing<'s> {
    pub(super) issuer: &'s str,
    pub(super) client_id: &'s str,
    pub(super) rotations: u32,
    pub(super) now: OffsetDateTime,
}

/// The token of this grant, spoilt as it was ordered.
pub(super) fn sign(
    signing: &Signing<'_>,
    grant: &Grant,
    account: &Account,
) -> Result<String, Error> {
    let mut claims = claims(signing, grant);
    person(account, &grant.scope, &mut claims);
    let issued = signing.now.unix_timestamp();
    match grant.tamper {
        Tamper::None | Tamper::WrongSignature => {}
        Tamper::WrongNonce => claims["nonce"] = json!(super::secret()),
        Tamper::WrongAudience => {
            claims["aud"] = json!("somebody-else");
            claims["azp"] = json!("somebody-else");
        }
        Tamper::Expired => {
            let life = LIFE.whole_seconds();
            claims["iat"] = json!(issued - 2 * life);
            claims["exp"] = json!(issued - life);
        }
        Tamper::WrongIssuer => claims["iss"] = json!("https://accounts.example"),
    }
    let key = Key::after(signing.rotations);
    let header = Header { kid: Some(key.id.clone()), ..Header::new(Algorithm::RS256) };
    let secret = match grant.tamper {
        // The other key under this one's name.
        Tamper::WrongSignature => Key::after(signing.rotations + 1).secret,
        _ => key.secret,
    };
    jsonwebtoken::encode(&header, &claims, &secret)
}

/// What the scopes let a client know about a person.
pub(super) fn person(account: &Account, scope: &str, claims: &mut Value) {
    claims["sub"] = json!(account.sub);
    if let Some(email) = account.email.as_ref().filter(|_| has_scope(scope, "email")) {
        claims["email"] = json!(email);
        claims["email_verified"] = json!(account.email_verified);
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
        "exp": issued + LIFE.whole_seconds(),
    });
    if let Some(nonce) = &grant.nonce {
        claims["nonce"] = json!(nonce);
    }
    if let Some(token) = &grant.token {
        // The left half of its hash ties the access token to this one.
        claims["at_hash"] = json!(BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(token)[..16]));
    }
    claims
}
