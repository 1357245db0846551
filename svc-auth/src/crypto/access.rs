//! Access tokens: short-lived JWTs that every service verifies itself.

use std::time::Duration;

use anyhow::Context as _;
use jsonwebtoken::{
    Algorithm, EncodingKey, Header,
    jwk::{Jwk, JwkSet, KeyOperations, PublicKeyUse, ThumbprintHash},
};
use mesh::auth::{AUDIENCE, Claims, ISSUER};
use secrecy::{ExposeSecret as _, SecretBox};
use time::OffsetDateTime;
use types::{PlayerId, SessionId};

/// The PKCS#8 v1 document of an Ed25519 key, up to the seed (RFC 8410, section 7).
const PKCS8_PREFIX: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// Signs access tokens and publishes the keys that verify them.
pub(crate) struct AccessTokens {
    key: EncodingKey,
    header: Header,
    jwks_json: String,
    ttl: Duration,
}

/// What a player may do by an access token.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AccessRules {
    /// Time from which money may leave the wallet; `None` until the device is confirmed.
    pub(crate) money_from: Option<OffsetDateTime>,
    /// The end of the player's last break from play.
    pub(crate) break_until: Option<OffsetDateTime>,
}

/// A signed token.
pub(crate) struct AccessToken {
    pub(crate) token: String,
    pub(crate) expires_at: OffsetDateTime,
}

impl AccessTokens {
    /// The first seed signs; all are published. To rotate without signing players out, add
    /// the new seed at the end, later move it to the front, and remove the old one when its
    /// last token has expired.
    pub(crate) fn new(seeds: &[SecretBox<[u8; 32]>], ttl: Duration) -> anyhow::Result<Self> {
        let mut keys = Vec::new();
        let mut set = Vec::new();
        for seed in seeds {
            let document = [PKCS8_PREFIX.as_slice(), seed.expose_secret()].concat();
            let key = EncodingKey::from_ed_der(&document);
            set.push(publish(&key)?);
            keys.push(key);
        }
        let signer = set.first().context("there is no signing key")?;
        let header = Header { kid: signer.common.key_id.clone(), ..Header::new(Algorithm::EdDSA) };
        Ok(Self {
            key: keys.swap_remove(0),
            header,
            jwks_json: serde_json::to_string(&JwkSet { keys: set })?,
            ttl,
        })
    }

    /// A token for a session, valid from `now` on.
    pub(crate) fn issue(
        &self,
        player: PlayerId,
        session: SessionId,
        rules: AccessRules,
        now: OffsetDateTime,
    ) -> anyhow::Result<AccessToken> {
        let claims = Claims {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: player,
            sid: session,
            iat: now.unix_timestamp(),
            exp: (now + self.ttl).unix_timestamp(),
            money_from: rules.money_from.map(OffsetDateTime::unix_timestamp),
            break_until: rules.break_until.map(OffsetDateTime::unix_timestamp),
        };
        let token = jsonwebtoken::encode(&self.header, &claims, &self.key)
            .context("an access token could not be signed")?;
        Ok(AccessToken { token, expires_at: mesh::auth::expires_at(&claims) })
    }

    /// How long a token is valid.
    pub(crate) fn lifetime(&self) -> Duration {
        self.ttl
    }

    /// The JWK set, as JSON.
    pub(crate) fn jwks_json(&self) -> &str {
        &self.jwks_json
    }
}

fn publish(key: &EncodingKey) -> anyhow::Result<Jwk> {
    let mut jwk = Jwk::from_encoding_key(key, Algorithm::EdDSA)?;
    jwk.common.key_id = Some(jwk.thumbprint(ThumbprintHash::SHA256)?);
    jwk.common.public_key_use = Some(PublicKeyUse::Signature);
    jwk.common.key_operations = Some(vec![KeyOperations::Verify]);
    Ok(jwk)
}

#[cfg(test)]
mod tests {
    use mesh::auth::{Admission, Caller, RevokedSessions, Verifier};
    use time::macros::datetime;
    use types::{Clock, Rng};

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn tokens(seeds: &[u8]) -> AccessTokens {
        let seeds: Vec<_> =
            seeds.iter().map(|byte| SecretBox::new(Box::new([*byte; 32]))).collect();
        AccessTokens::new(&seeds, Duration::from_mins(15)).unwrap()
    }

    async fn verify(tokens: &AccessTokens, by: &AccessTokens, clock: &Clock) -> Caller {
        let rng = Rng::from_seed(1);
        let (player, session) = (PlayerId::generate(clock, &rng), SessionId::generate(clock, &rng));
        let token = tokens.issue(player, session, AccessRules::default(), NOW).unwrap().token;
        let admission = Admission::new(|_| Box::pin(async { Err(mesh::Fault::forbidden()) }));
        Verifier::fixed(clock.clone(), by.jwks_json(), RevokedSessions::default(), admission)
            .unwrap()
            .verify(Some(&format!("Bearer {token}")))
            .await
    }

    #[tokio::test]
    async fn a_token_is_valid_for_15_minutes() {
        let clock = Clock::settable(NOW);
        let ours = tokens(&[1]);
        assert!(matches!(verify(&ours, &ours, &clock).await, Caller::Player(_)));
        clock.advance(Duration::from_mins(15));
        assert_eq!(verify(&ours, &ours, &clock).await, Caller::InvalidToken);
    }

    #[tokio::test]
    async fn a_rotation_keeps_old_tokens_valid_and_unknown_keys_are_refused() {
        let clock = Clock::settable(NOW);
        let (old, new) = (tokens(&[1]), tokens(&[2, 1]));
        assert!(matches!(verify(&old, &new, &clock).await, Caller::Player(_)));
        assert!(matches!(verify(&new, &new, &clock).await, Caller::Player(_)));
        assert_eq!(verify(&new, &old, &clock).await, Caller::InvalidToken);
    }

    #[test]
    fn the_key_id_is_the_thumbprint() {
        // RFC 8037, appendix A.1 to A.3.
        let seed = [
            0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec,
            0x2c, 0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03,
            0x1c, 0xae, 0x7f, 0x60,
        ];
        let seeds = [SecretBox::new(Box::new(seed))];
        let tokens = AccessTokens::new(&seeds, Duration::from_mins(15)).unwrap();
        let set: JwkSet = serde_json::from_str(tokens.jwks_json()).unwrap();
        assert_eq!(
            set.keys[0].common.key_id.as_deref(),
            Some("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        );
        assert!(!tokens.jwks_json().contains("\"d\""), "a private key is published");
    }
}
