//! Verifies access tokens, and admits operators.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use jsonwebtoken::{Algorithm, Validation};
use proto::Rpc;
use thiserror::Error;
use time::OffsetDateTime;
use tokio::sync::SetOnce;
use types::Clock;

use super::{
    AUDIENCE, Admission, Caller, Claims, ISSUER, Operator, Player, RevokedSessions, bearer,
    keys::{Keys, Lookup, MAX_AGE, RETRY, key_hash},
    revoked,
    token_cache::{TokenCache, VerifiedToken, hash},
};
use crate::{Fault, Shutdown, grpc::client::Upstream, tls::OperatorCertificate};

/// Longest token that is read, in bytes; ours have some 400.
const TOKEN_MAX_LENGTH: usize = 2_048;

/// Longest that a call waits for the first list of revoked sessions. It comes together
/// with the keys unless svc-auth is out of reach.
const INITIAL_SYNC_LIMIT: Duration = Duration::from_secs(1);

/// The claims that every token must have. Expiry is checked by the clock of the service,
/// which tests set.
static VALIDATION: LazyLock<Validation> = LazyLock::new(|| {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    validation.validate_exp = false;
    validation
});

/// Why a token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
enum TokenError {
    #[error("the token is not valid")]
    Invalid,
    #[error("svc-auth is out of reach")]
    VerifierUnavailable,
}

/// Verifies access tokens, and admits operators. Cheap to clone; clones share keys and cache.
#[derive(Clone)]
pub struct Verifier(Arc<Inner>);

struct Inner {
    clock: Clock,
    keys: Keys,
    tokens: TokenCache,
    revoked: RevokedSessions,
    /// Set when the list was received for the first time; `None` where the list is local.
    synced: Option<Arc<SetOnce<()>>>,
    admission: Admission,
}

impl Verifier {
    /// Accepts the keys of one set and refuses the sessions of a local list: for svc-auth
    /// itself and for tests.
    pub fn fixed(
        clock: Clock,
        jwks_json: &str,
        revoked: RevokedSessions,
        admission: Admission,
    ) -> anyhow::Result<Self> {
        Ok(Self::new(clock, Keys::fixed(jwks_json)?, (revoked, None), admission))
    }

    /// Accepts the keys that svc-auth publishes and refuses the sessions that it has
    /// revoked, until the stop.
    pub fn remote(clock: Clock, upstream: Upstream, shutdown: &Shutdown) -> Self {
        let list = RevokedSessions::default();
        let synced = revoked::follow(list.clone(), clock.clone(), upstream.clone(), shutdown);
        let (keys, admission) = (Keys::remote(upstream.clone()), Admission::remote(upstream));
        let verifier = Self::new(clock, keys, (list, Some(synced)), admission);
        let (refresher, stop) = (verifier.clone(), shutdown.clone());
        shutdown.spawn("keys", async move {
            loop {
                let pause = if refresher.0.keys.refresh().await { MAX_AGE } else { 2 * RETRY };
                tokio::select! {
                    () = tokio::time::sleep(pause) => {}
                    () = stop.stopping() => return,
                }
            }
        });
        verifier
    }

    fn new(
        clock: Clock,
        keys: Keys,
        (revoked, synced): (RevokedSessions, Option<Arc<SetOnce<()>>>),
        admission: Admission,
    ) -> Self {
        let tokens = TokenCache::default();
        Self(Arc::new(Inner { clock, keys, tokens, revoked, synced, admission }))
    }

    /// The operator of a certificate, if one of the operator's roles lets them call an RPC.
    pub(crate) async fn admit(
        &self,
        certificate: &OperatorCertificate,
        rpc: &'static Rpc,
    ) -> Result<Operator, Fault> {
        self.0.admission.admit(certificate, rpc).await
    }

    /// The sessions that are revoked, for work that outlives its call.
    pub fn revoked_sessions(&self) -> &RevokedSessions {
        &self.0.revoked
    }

    /// The time by which tokens are verified.
    pub(crate) fn now(&self) -> OffsetDateTime {
        self.0.clock.now()
    }

    /// Whether tokens can be verified: the revoked sessions were received once.
    pub fn is_synced(&self) -> bool {
        self.0.synced.as_ref().is_none_or(|synced| synced.initialized())
    }

    /// Verifies the value of an `authorization` header.
    pub async fn verify(&self, authorization: Option<&str>) -> Caller {
        let Some(token) = authorization.and_then(bearer) else {
            return Caller::Guest;
        };
        match self.verify_token(token).await {
            Ok(player) => Caller::Player(player),
            Err(TokenError::Invalid) => Caller::InvalidToken,
            Err(TokenError::VerifierUnavailable) => Caller::Unverified,
        }
    }

    async fn verify_token(&self, token: &str) -> Result<Player, TokenError> {
        if token.len() > TOKEN_MAX_LENGTH {
            return Err(TokenError::Invalid);
        }
        let player = self.signed(token).await?;
        self.await_initial_sync().await?;
        let expired = player.expires_at <= self.0.clock.now().unix_timestamp();
        if expired || self.0.revoked.contains(player.session) {
            return Err(TokenError::Invalid);
        }
        Ok(player)
    }

    /// Waits for the first list of revoked sessions: without it, a process that starts
    /// while svc-auth is out of reach would accept the tokens of players who signed out.
    async fn await_initial_sync(&self) -> Result<(), TokenError> {
        match &self.0.synced {
            Some(synced) if !synced.initialized() => {
                let waiting = tokio::time::timeout(INITIAL_SYNC_LIMIT, synced.wait());
                waiting.await.map(drop).map_err(|_| TokenError::VerifierUnavailable)
            }
            _ => Ok(()),
        }
    }

    /// Returns the player that the signature proves: from the cache while its key is still
    /// accepted.
    async fn signed(&self, token: &str) -> Result<Player, TokenError> {
        let token_hash = hash(token);
        if let Some(verified) = self.0.tokens.get(&token_hash)
            && self.0.keys.contains(verified.key)
        {
            return Ok(verified.player);
        }
        let verified = self.check_signature(token).await?;
        let player = verified.player;
        self.0.tokens.insert(token_hash, verified);
        Ok(player)
    }

    async fn check_signature(&self, token: &str) -> Result<VerifiedToken, TokenError> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Invalid)?;
        if header.alg != Algorithm::EdDSA {
            return Err(TokenError::Invalid);
        }
        let key = key_hash(&header.kid.ok_or(TokenError::Invalid)?);
        let decoding_key = match self.0.keys.get(key).await {
            Lookup::Found(key) => key,
            Lookup::Unknown => return Err(TokenError::Invalid),
            Lookup::Unavailable => return Err(TokenError::VerifierUnavailable),
        };
        let claims = jsonwebtoken::decode::<Claims>(token, &decoding_key, &VALIDATION)
            .map_err(|_| TokenError::Invalid)?
            .claims;
        let player = Player {
            id: claims.sub,
            session: claims.sid,
            expires_at: claims.exp,
            money_from: claims.money_from,
            break_until: claims.break_until,
        };
        Ok(VerifiedToken { player, key })
    }
}
