//! Google's ID token: who somebody is, signed (OpenID Connect Core, section 3.1.3.7).

use jsonwebtoken::{
    Algorithm, DecodingKey, Validation,
    jwk::{Jwk, JwkSet},
};
use serde::Deserialize;
use subtle::ConstantTimeEq as _;
use time::{Duration, OffsetDateTime};

use super::Trouble;
use crate::domain::{Email, Person};

/// How far the provider's clock and ours may be apart.
const LEEWAY: Duration = Duration::MINUTE;

/// What a token must say.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: OffsetDateTime,
}

/// A token that is not yet believed, and the key it names.
pub(super) struct Unproved<'a> {
    token: &'a str,
    pub(super) key_id: String,
}

#[derive(Deserialize)]
struct Claims {
    aud: Audience,
    azp: Option<String>,
    sub: String,
    exp: i64,
    iat: i64,
    nonce: Option<String>,
    name: Option<String>,
    email: Option<String>,
    #[serde(default)]
    email_verified: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(#[expect(dead_code, reason = "the library compares it")] String),
    Many(Vec<String>),
}

impl<'a> Unproved<'a> {
    /// Reads the header alone. One algorithm is accepted, the one that OpenID Connect
    /// makes the default and Google uses: a token does not choose how it is judged.
    pub(super) fn read(token: &'a str) -> Result<Self, Trouble> {
        let header = jsonwebtoken::decode_header(token)
            .map_err(|_| Trouble::disbelieved("its ID token cannot be read"))?;
        if header.alg != Algorithm::RS256 {
            return Err(Trouble::disbelieved("its ID token is signed in another way"));
        }
        let key_id = header.kid.ok_or_else(|| Trouble::disbelieved("its ID token names no key"))?;
        Ok(Self { token, key_id })
    }

    /// Believes the token, or says why not.
    pub(super) fn prove(&self, keys: &JwkSet, expected: &Expected<'_>) -> Result<Person, Trouble> {
        let key = find(keys, &self.key_id)
            .ok_or_else(|| Trouble::disbelieved("its ID token is signed by an unknown key"))?;
        let key = DecodingKey::from_jwk(key).map_err(Trouble::disbelieved)?;
        let claims = jsonwebtoken::decode::<Claims>(self.token, &key, &validation(expected))
            .map_err(Trouble::disbelieved)?
            .claims;
        claims.judge(expected).map_err(Trouble::disbelieved)?;
        Ok(claims.into())
    }
}

/// The key of an id, as long as it is one that signatures are verified by.
pub(super) fn find<'a>(keys: &'a JwkSet, id: &str) -> Option<&'a Jwk> {
    keys.find(id)
}

/// What the library judges: signature, issuer, audience. Time is ours to tell.
fn validation(expected: &Expected<'_>) -> Validation {
    let mut validation = Validation::new(Algorithm::RS256);
    // Google documents both spellings of its own name.
    let bare = expected.issuer.strip_prefix("https://").unwrap_or(expected.issuer);
    validation.set_issuer(&[expected.issuer, bare]);
    validation.set_audience(&[expected.client_id]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    validation.validate_exp = false;
    validation
}

impl Claims {
    /// What is left to judge once the signature holds.
    fn judge(&self, expected: &Expected<'_>) -> Result<(), &'static str> {
        let now = expected.now;
        if self.exp <= (now - LEEWAY).unix_timestamp() {
            return Err("its ID token has expired");
        }
        if self.iat > (now + LEEWAY).unix_timestamp() {
            return Err("its ID token is from the future");
        }
        // A token that was meant for more than one must say for whom it was made.
        let shared = matches!(&self.aud, Audience::Many(audience) if audience.len() > 1);
        if self.azp.as_deref().map_or(shared, |azp| azp != expected.client_id) {
            return Err("its ID token was made for another client");
        }
        let nonce = self.nonce.as_deref().unwrap_or_default();
        if !bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
            return Err("its ID token answers another question");
        }
        if self.sub.is_empty() || self.sub.len() > Person::MAX_SUBJECT {
            return Err("its ID token names nobody");
        }
        Ok(())
    }
}

impl From<Claims> for Person {
    fn from(claims: Claims) -> Self {
        Self {
            subject: claims.sub,
            name: claims.name,
            email: claims.email.and_then(|email| Email::parse(&email).ok()),
            email_vouched: claims.email_verified,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use time::macros::datetime;

    use super::*;

    const EXPECTED: Expected<'static> = Expected {
        issuer: "https://accounts.example",
        client_id: "playon",
        nonce: "nonce",
        now: datetime!(2026-11-20 09:00 UTC),
    };

    /// Whether claims are believed once their signature, issuer and audience are.
    fn judge(changed: serde_json::Value) -> Result<(), &'static str> {
        let now = EXPECTED.now.unix_timestamp();
        let mut claims = json!({
            "aud": "playon", "sub": "1", "exp": now + 3_600, "iat": now, "nonce": "nonce",
        });
        for (name, value) in changed.as_object().unwrap() {
            claims[name] = value.clone();
        }
        serde_json::from_value::<Claims>(claims).unwrap().judge(&EXPECTED)
    }

    #[test]
    fn a_token_for_more_than_one_says_for_whom_it_was_made() {
        for (claims, believed) in [
            (json!({}), true),
            (json!({ "aud": ["playon"] }), true),
            (json!({ "azp": "playon" }), true),
            (json!({ "aud": ["playon", "other"], "azp": "playon" }), true),
            (json!({ "aud": ["playon", "other"] }), false),
            (json!({ "aud": ["playon", "other"], "azp": "other" }), false),
            (json!({ "azp": "other" }), false),
        ] {
            assert_eq!(judge(claims.clone()).is_ok(), believed, "{claims}");
        }
    }

    #[test]
    fn a_token_answers_our_question_and_names_somebody() {
        for claims in [
            json!({ "nonce": null }),
            json!({ "nonce": "" }),
            json!({ "nonce": "nonce2" }),
            json!({ "sub": "" }),
            json!({ "sub": "1".repeat(256) }),
        ] {
            assert!(judge(claims.clone()).is_err(), "{claims}");
        }
        assert_eq!(judge(json!({ "sub": "1".repeat(255) })), Ok(()));
    }

    #[test]
    fn time_has_a_minute_of_leeway() {
        let now = EXPECTED.now.unix_timestamp();
        for (claims, believed) in [
            (json!({ "exp": now - 59 }), true),
            (json!({ "exp": now - 60 }), false),
            (json!({ "iat": now + 60 }), true),
            (json!({ "iat": now + 61 }), false),
        ] {
            assert_eq!(judge(claims.clone()).is_ok(), believed, "{claims}");
        }
    }
}
