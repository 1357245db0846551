//! Verifies Google's ID tokens (OpenID Connect Core, section 3.1.3.7).

use jsonwebtoken::{
    Algorithm, DecodingKey, Validation,
    jwk::{Jwk, JwkSet},
};
use serde::Deserialize;
use subtle::ConstantTimeEq as _;
use time::{Duration, OffsetDateTime};

use super::ProviderError;
use crate::domain::{Email, EmailTrust, Person};

/// How far the provider's clock and ours may differ.
const LEEWAY: Duration = Duration::MINUTE;

/// What a token must contain.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: OffsetDateTime,
}

/// A token before its verification, and the id of its key.
pub(super) struct UnverifiedToken<'a> {
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
    /// The domain of a Google Workspace account.
    hd: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(#[expect(dead_code, reason = "the library compares it")] String),
    Many(Vec<String>),
}

impl<'a> UnverifiedToken<'a> {
    /// Parses the header. Only RS256 is accepted, OpenID Connect's default, which Google uses:
    /// a token must not choose how it is verified.
    pub(super) fn parse(token: &'a str) -> Result<Self, ProviderError> {
        let header = jsonwebtoken::decode_header(token)
            .map_err(|_| ProviderError::invalid("its ID token cannot be parsed"))?;
        if header.alg != Algorithm::RS256 {
            return Err(ProviderError::invalid("its ID token is not signed with RS256"));
        }
        let key_id =
            header.kid.ok_or_else(|| ProviderError::invalid("its ID token names no key"))?;
        Ok(Self { token, key_id })
    }

    /// Verifies the signature and the claims.
    pub(super) fn verify(
        &self,
        keys: &JwkSet,
        expected: &Expected<'_>,
    ) -> Result<Person, ProviderError> {
        let key = find(keys, &self.key_id)
            .ok_or_else(|| ProviderError::invalid("its ID token is signed by an unknown key"))?;
        let key = DecodingKey::from_jwk(key).map_err(ProviderError::invalid)?;
        let claims = jsonwebtoken::decode::<Claims>(self.token, &key, &validation(expected))
            .map_err(ProviderError::invalid)?
            .claims;
        claims.validate(expected).map_err(ProviderError::invalid)?;
        Ok(claims.into())
    }
}

/// The key with an id.
pub(super) fn find<'a>(keys: &'a JwkSet, id: &str) -> Option<&'a Jwk> {
    keys.find(id)
}

/// What the library verifies: signature, issuer, audience. Times are compared with our clock.
fn validation(expected: &Expected<'_>) -> Validation {
    let mut validation = Validation::new(Algorithm::RS256);
    // Google documents both forms of its issuer.
    let bare = expected.issuer.strip_prefix("https://").unwrap_or(expected.issuer);
    validation.set_issuer(&[expected.issuer, bare]);
    validation.set_audience(&[expected.client_id]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    validation.validate_exp = false;
    validation
}

impl Claims {
    /// Validates the claims that the library does not.
    fn validate(&self, expected: &Expected<'_>) -> Result<(), &'static str> {
        let now = expected.now;
        if self.exp <= (now - LEEWAY).unix_timestamp() {
            return Err("its ID token has expired");
        }
        if self.iat > (now + LEEWAY).unix_timestamp() {
            return Err("its ID token is from the future");
        }
        // A token with several audiences must name the client that it was issued to.
        let shared = matches!(&self.aud, Audience::Many(audience) if audience.len() > 1);
        if self.azp.as_deref().map_or(shared, |azp| azp != expected.client_id) {
            return Err("its ID token was made for another client");
        }
        let nonce = self.nonce.as_deref().unwrap_or_default();
        if !bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
            return Err("its ID token has another nonce");
        }
        if self.sub.is_empty() || self.sub.len() > Person::MAX_SUBJECT {
            return Err("its ID token has an invalid subject");
        }
        Ok(())
    }

    /// Google is authoritative for its own mailboxes and for the domains that it hosts. Any other
    /// address it has verified once, perhaps for an owner before this one
    /// (<https://developers.google.com/identity/gsi/web/guides/verify-google-id-token>).
    fn email_trust(&self, email: Option<&Email>) -> EmailTrust {
        if !self.email_verified {
            return EmailTrust::Unverified;
        }
        let is_gmail = email.is_some_and(|email| email.as_str().ends_with("@gmail.com"));
        let is_hosted = self.hd.as_deref().is_some_and(|domain| !domain.is_empty());
        if is_gmail || is_hosted { EmailTrust::Authoritative } else { EmailTrust::Verified }
    }
}

impl From<Claims> for Person {
    fn from(claims: Claims) -> Self {
        let email = claims.email.as_deref().and_then(|email| Email::parse(email).ok());
        Self {
            email_trust: claims.email_trust(email.as_ref()),
            subject: claims.sub,
            name: claims.name,
            email,
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

    /// Validates the default claims with some changed.
    fn validate(changed: serde_json::Value) -> Result<(), &'static str> {
        let now = EXPECTED.now.unix_timestamp();
        let mut claims = json!({
            "aud": "playon", "sub": "1", "exp": now + 3_600, "iat": now, "nonce": "nonce",
        });
        for (name, value) in changed.as_object().unwrap() {
            claims[name] = value.clone();
        }
        serde_json::from_value::<Claims>(claims).unwrap().validate(&EXPECTED)
    }

    #[test]
    fn a_token_with_several_audiences_must_name_its_client() {
        for (claims, accepted) in [
            (json!({}), true),
            (json!({ "aud": ["playon"] }), true),
            (json!({ "azp": "playon" }), true),
            (json!({ "aud": ["playon", "other"], "azp": "playon" }), true),
            (json!({ "aud": ["playon", "other"] }), false),
            (json!({ "aud": ["playon", "other"], "azp": "other" }), false),
            (json!({ "azp": "other" }), false),
        ] {
            assert_eq!(validate(claims.clone()).is_ok(), accepted, "{claims}");
        }
    }

    #[test]
    fn a_token_must_have_the_nonce_and_a_subject() {
        for claims in [
            json!({ "nonce": null }),
            json!({ "nonce": "" }),
            json!({ "nonce": "nonce2" }),
            json!({ "sub": "" }),
            json!({ "sub": "1".repeat(256) }),
        ] {
            assert!(validate(claims.clone()).is_err(), "{claims}");
        }
        assert_eq!(validate(json!({ "sub": "1".repeat(255) })), Ok(()));
    }

    #[test]
    fn times_have_a_minute_of_leeway() {
        let now = EXPECTED.now.unix_timestamp();
        for (claims, accepted) in [
            (json!({ "exp": now - 59 }), true),
            (json!({ "exp": now - 60 }), false),
            (json!({ "iat": now + 60 }), true),
            (json!({ "iat": now + 61 }), false),
        ] {
            assert_eq!(validate(claims.clone()).is_ok(), accepted, "{claims}");
        }
    }
}
