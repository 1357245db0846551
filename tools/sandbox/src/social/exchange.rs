//! The exchange of an authorization code for an access token.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use time::{Duration, OffsetDateTime};

use crate::clock;
use crate::world::World;
use crate::world::account::IdentityProvider;
use crate::world::social::{Access, Grant, Social, SocialFact};
use crate::world::state::Fact;

/// The parameters of a token request.
pub(super) struct CodeExchange<'c> {
    pub(super) code: &'c str,
    pub(super) redirect_uri: &'c str,
    /// PKCE's code verifier.
    pub(super) verifier: Option<&'c str>,
}

/// Why a code is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeError {
    Unknown,
    Used,
    Expired,
    WrongRedirect,
    WrongVerifier,
}

/// Exchanges a code for this new token with this lifetime. A code that is used
/// twice may be stolen, so its first token is revoked.
pub(super) fn redeem(
    world: &World,
    provider: IdentityProvider,
    exchange: &CodeExchange<'_>,
    token: String,
    lifetime: Duration,
) -> Result<Grant, CodeError> {
    let now = clock::now();
    let result = world.update(|state| match validate(&state.social, provider, exchange, now) {
        Ok(grant) => {
            let grant = Grant { token: Some(token.clone()), ..grant.clone() };
            let access = Access {
                provider,
                token,
                sub: grant.sub.clone(),
                scope: grant.scope.clone(),
                expires_at: now + lifetime,
            };
            let facts = [SocialFact::Grant(grant.clone()), SocialFact::Access(access)];
            (facts.map(Fact::Social).into(), Ok(grant))
        }
        Err((error, revoked)) => {
            let fact = revoked.map(|token| Fact::Social(SocialFact::Revoked(token)));
            (fact.into_iter().collect(), Err(error))
        }
    });
    tracing::info!(?provider, error = ?result.as_ref().err(), "social.exchange");
    result
}

/// The grant of a code, or the error and the token to revoke.
fn validate<'s>(
    social: &'s Social,
    provider: IdentityProvider,
    exchange: &CodeExchange<'_>,
    now: OffsetDateTime,
) -> Result<&'s Grant, (CodeError, Option<String>)> {
    let grant = social.grant(provider, exchange.code).ok_or((CodeError::Unknown, None))?;
    if let Some(token) = &grant.token {
        return Err((CodeError::Used, Some(token.clone())));
    }
    if grant.expires_at <= now {
        return Err((CodeError::Expired, None));
    }
    if grant.redirect_uri != exchange.redirect_uri {
        return Err((CodeError::WrongRedirect, None));
    }
    // A verifier without a challenge is refused too: an attacker may have removed
    // the challenge from the authorization request.
    if exchange.verifier.map(challenge) != grant.challenge {
        return Err((CodeError::WrongVerifier, None));
    }
    Ok(grant)
}

/// PKCE's `S256` challenge of a verifier.
fn challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::social::Tamper;

    #[test]
    fn computes_the_challenge_of_rfc_7636() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert_eq!(challenge(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn refuses_an_expired_code() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let grant = Grant {
            provider: IdentityProvider::Google,
            code: "c".into(),
            redirect_uri: "r".into(),
            sub: "1".into(),
            scope: String::new(),
            nonce: None,
            challenge: None,
            tamper: Tamper::None,
            expires_at: now + Duration::seconds(60),
            token: None,
        };
        let mut social = Social::default();
        social.apply(SocialFact::Grant(grant));
        let exchange = CodeExchange { code: "c", redirect_uri: "r", verifier: None };
        let after = |seconds| {
            let now = now + Duration::seconds(seconds);
            validate(&social, IdentityProvider::Google, &exchange, now)
        };
        assert!(after(59).is_ok());
        assert_eq!(after(60), Err((CodeError::Expired, None)));
    }
}
