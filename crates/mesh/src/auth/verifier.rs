//! Judges access tokens.

use std::{sync::Arc, time::Duration};

use jsonwebtoken::{Algorithm, Validation};
use thiserror::Error;
use tokio::sync::SetOnce;
use types::Clock;

use super::{
    AUDIENCE, Caller, Claims, EndedSessions, ISSUER, Player, bearer, ended,
    judged::{Judged, Memory, fingerprint},
    keys::{Keys, Known, MAX_AGE, RETRY},
};
use crate::{Shutdown, grpc::client::Upstream};

/// Longer than any token of ours; what is longer is not worth a look.
const TOKEN_MAX_LENGTH: usize = 2_048;

/// Longest that a call waits for svc-auth's first word of ended sessions, which comes with
/// its keys when all is well.
const FIRST_WORD_LIMIT: Duration = Duration::from_secs(1);

/// Why a token is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
enum Disbelief {
    #[error("the token proves nothing")]
    Unusable,
    #[error("svc-auth is out of reach")]
    Unjudged,
}

/// Judges access tokens. Cheap to clone; clones share keys and memory.
#[derive(Clone)]
pub struct Verifier(Arc<Inner>);

struct Inner {
    clock: Clock,
    keys: Keys,
    judged: Memory,
    ended: EndedSessions,
    /// Set when the list has been told for the first time; `None`: it is svc-auth's own.
    whole: Option<Arc<SetOnce<()>>>,
}

impl Verifier {
    /// Believes the keys of one set, and refuses sessions that are put on a list:
    /// what svc-auth and tests use.
    pub fn fixed(clock: Clock, jwks_json: &str, ended: EndedSessions) -> anyhow::Result<Self> {
        Ok(Self::new(clock, Keys::fixed(jwks_json)?, ended, None))
    }

    /// Believes the keys that svc-auth publishes, and refuses the sessions that it
    /// says have ended, until the stop.
    pub fn remote(clock: Clock, upstream: Upstream, shutdown: &Shutdown) -> Self {
        let list = EndedSessions::default();
        let whole = ended::follow(list.clone(), clock.clone(), upstream.clone(), shutdown);
        let verifier = Self::new(clock, Keys::remote(upstream), list, Some(whole));
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
        ended: EndedSessions,
        whole: Option<Arc<SetOnce<()>>>,
    ) -> Self {
        Self(Arc::new(Inner { clock, keys, judged: Memory::default(), ended, whole }))
    }

    /// Sessions that have ended. Whatever goes on for longer than a call asks here.
    pub fn ended_sessions(&self) -> &EndedSessions {
        &self.0.ended
    }

    /// Judges the value of an `authorization` header.
    pub async fn judge(&self, authorization: Option<&str>) -> Caller {
        let Some(token) = authorization.and_then(bearer) else {
            return Caller::Guest;
        };
        match self.verify(token).await {
            Ok(player) => Caller::Player(player),
            Err(Disbelief::Unusable) => Caller::Unusable,
            Err(Disbelief::Unjudged) => Caller::Unjudged,
        }
    }

    async fn verify(&self, token: &str) -> Result<Player, Disbelief> {
        if token.len() > TOKEN_MAX_LENGTH {
            return Err(Disbelief::Unusable);
        }
        let judged = self.signed(token).await?;
        self.know_who_ended().await?;
        // By our own clock, so that tests can let a token grow old.
        let expired = judged.player.expires_at <= self.0.clock.now().unix_timestamp();
        if expired || self.0.ended.contains(judged.player.session) {
            return Err(Disbelief::Unusable);
        }
        Ok(judged.player)
    }

    /// Until svc-auth has told who was signed out, nobody is let in by a token that may be
    /// one of theirs: a process that begins while it is deaf would believe them all.
    async fn know_who_ended(&self) -> Result<(), Disbelief> {
        match &self.0.whole {
            Some(whole) if !whole.initialized() => {
                let first_word = tokio::time::timeout(FIRST_WORD_LIMIT, whole.wait());
                first_word.await.map(drop).map_err(|_| Disbelief::Unjudged)
            }
            _ => Ok(()),
        }
    }

    /// What the signature proves, from memory while its key is still one of ours.
    async fn signed(&self, token: &str) -> Result<Judged, Disbelief> {
        let fingerprint = fingerprint(token);
        if let Some(judged) = self.0.judged.recall(&fingerprint)
            && self.0.keys.has(&judged.key_id).await
        {
            return Ok(judged);
        }
        let judged = self.check_signature(token).await?;
        self.0.judged.keep(fingerprint, judged.clone());
        Ok(judged)
    }

    async fn check_signature(&self, token: &str) -> Result<Judged, Disbelief> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| Disbelief::Unusable)?;
        if header.alg != Algorithm::EdDSA {
            return Err(Disbelief::Unusable);
        }
        let key_id = header.kid.ok_or(Disbelief::Unusable)?;
        let key = match self.0.keys.get(&key_id).await {
            Known::Key(key) => key,
            Known::Unknown => return Err(Disbelief::Unusable),
            Known::Unreachable => return Err(Disbelief::Unjudged),
        };
        let claims = jsonwebtoken::decode::<Claims>(token, &key, &validation())
            .map_err(|_| Disbelief::Unusable)?
            .claims;
        let player = Player { id: claims.sub, session: claims.sid, expires_at: claims.exp };
        Ok(Judged { player, key_id })
    }
}

fn validation() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    validation.validate_exp = false;
    validation
}
