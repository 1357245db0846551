//! A code for an access token, once.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use time::{Duration, OffsetDateTime};

use crate::clock;
use crate::world::World;
use crate::world::account::Network;
use crate::world::social::{Access, Grant, Social, SocialFact};
use crate::world::state::Fact;

/// What a client says to get a token.
pub(super) struct Claim<'c> {
    pub(super) code: &'c str,
    pub(super) redirect_uri: &'c str,
    /// PKCE's secret.
    pub(super) verifier: Option<&'c str>,
}

/// What a code cannot be exchanged for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spoilt {
    Unknown,
    Used,
    Expired,
    WrongRedirect,
    WrongVerifier,
}

/// Exchanges a code for this new token, which is good for so long.
pub(super) async fn redeem(
    world: &World,
    provider: Network,
    claim: Claim<'_>,
    token: String,
    life: Duration,
) -> Result<Grant, Spoilt> {
    let now = clock::now();
    let outcome = world
        .update(|state| match judge(&state.social, provider, &claim, now) {
            Ok(grant) => {
                let grant = Grant { token: Some(token.clone()), ..grant.clone() };
                let access = Access {
                    provider,
                    token,
                    sub: grant.sub.clone(),
                    scope: grant.scope.clone(),
                    expires_at: now + life,
                };
                let facts = [SocialFact::Grant(grant.clone()), SocialFact::Access(access)];
                (facts.map(Fact::Social).into(), Ok(grant))
            }
            Err((spoilt, revoked)) => {
                let fact = revoked.map(|token| Fact::Social(SocialFact::Revoked(token)));
                (fact.into_iter().collect(), Err(spoilt))
            }
        })
        .await;
    tracing::info!(?provider, spoilt = ?outcome.as_ref().err(), "social.exchange");
    outcome
}

/// The grant behind a claim, or what is wrong with it and which token has to go:
/// a code that comes twice was stolen by one of the two.
fn judge<'s>(
    social: &'s Social,
    provider: Network,
    claim: &Claim<'_>,
    now: OffsetDateTime,
) -> Result<&'s Grant, (Spoilt, Option<String>)> {
    let spoilt = |spoilt| Err((spoilt, None));
    let Some(grant) = social.grant(provider, claim.code) else {
        return spoilt(Spoilt::Unknown);
    };
    if let Some(token) = &grant.token {
        return Err((Spoilt::Used, Some(token.clone())));
    }
    if grant.expires_at <= now {
        return spoilt(Spoilt::Expired);
    }
    if grant.redirect_uri != claim.redirect_uri {
        return spoilt(Spoilt::WrongRedirect);
    }
    // A verifier without a challenge means that somebody took the challenge
    // away on the way here.
    if claim.verifier.map(challenge_of) != grant.challenge {
        return spoilt(Spoilt::WrongVerifier);
    }
    Ok(grant)
}

fn challenge_of(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_that_of_rfc_7636() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert_eq!(challenge_of(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn a_code_is_good_until_it_expires() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let grant = Grant {
            provider: Network::Google,
            code: "c".into(),
            redirect_uri: "r".into(),
            sub: "1".into(),
            scope: String::new(),
            nonce: None,
            challenge: None,
            tamper: crate::world::social::Tamper::None,
            expires_at: now + Duration::seconds(60),
            token: None,
        };
        let mut social = Social::default();
        social.apply(SocialFact::Grant(grant));
        let claim = Claim { code: "c", redirect_uri: "r", verifier: None };
        let at =
            |seconds| judge(&social, Network::Google, &claim, now + Duration::seconds(seconds));
        assert!(at(59).is_ok());
        assert_eq!(at(60), Err((Spoilt::Expired, None)));
    }
}
