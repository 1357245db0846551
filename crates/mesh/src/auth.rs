//! Who is calling. Every service verifies the access token itself, against the
//! keys that svc-auth publishes; nobody takes a neighbour's word for it.

use std::{collections::HashMap, sync::Arc, time::Duration};

use jsonwebtoken::{Algorithm, DecodingKey, Validation, jwk::JwkSet};
use proto::auth::v1::{GetKeySetRequest, key_service_client::KeyServiceClient};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use time::OffsetDateTime;
use tokio::{
    sync::{Mutex, RwLock},
    time::Instant,
};
use tonic::Request;
use tracing::warn;
use types::{Clock, PlayerId, SessionId};

use crate::{Fault, Shutdown, grpc::client::Upstream};

/// Who signs.
pub const ISSUER: &str = "playon";
/// For whom.
pub const AUDIENCE: &str = "playon";

/// How often the keys are fetched anew, so that a withdrawn key is forgotten. While
/// svc-auth is away the last known keys stay good: an outage signs nobody out.
const KEYS_MAX_AGE: Duration = Duration::from_mins(1);
/// Least time between two fetches for unknown keys, so that forged key ids
/// cannot make every call a call to svc-auth.
const KEYS_MIN_AGE: Duration = Duration::from_secs(2);
/// Longer than any token of ours; what is longer is not worth a look.
const TOKEN_MAX_LENGTH: usize = 2_048;

/// What an access token says (RFC 7519).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Claims {
    /// [`ISSUER`].
    pub iss: String,
    /// [`AUDIENCE`].
    pub aud: String,
    /// The player.
    pub sub: PlayerId,
    /// The session that the token belongs to.
    pub sid: SessionId,
    /// Issued at, in seconds since the epoch.
    pub iat: i64,
    /// Expires at, in seconds since the epoch.
    pub exp: i64,
}

/// A signed-in player, verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Player {
    /// Who.
    pub id: PlayerId,
    /// By which signing-in.
    pub session: SessionId,
}

/// What a call's token came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// No token.
    Guest,
    /// A good one.
    Player(Player),
    /// One that proves nothing: malformed, expired, forged. A guest where guests
    /// may call (the specification's lists are called with an empty token).
    Unusable,
    /// One that cannot be judged, because the keys are out of reach.
    Unjudged,
}

impl Caller {
    /// The player, or why there is none.
    pub fn player(self) -> Result<Player, Fault> {
        match self {
            Self::Player(player) => Ok(player),
            Self::Guest | Self::Unusable => Err(Fault::unauthenticated()),
            Self::Unjudged => Err(Fault::unavailable()),
        }
    }

    /// Who called an RPC, as the server layer found.
    pub fn of<T>(request: &Request<T>) -> Self {
        request.extensions().get().copied().unwrap_or(Self::Guest)
    }
}

/// The player who called an RPC, or the refusal that says there is none.
pub fn player<T>(request: &Request<T>) -> Result<Player, Fault> {
    Caller::of(request).player()
}

/// Why a token is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
enum Disbelief {
    #[error("the token proves nothing")]
    Unusable,
    #[error("the keys are out of reach")]
    Unjudged,
}

/// Judges access tokens. Cheap to clone; clones share one cache of keys.
#[derive(Clone)]
pub struct Verifier(Arc<Inner>);

struct Inner {
    clock: Clock,
    source: Source,
    keys: RwLock<Keys>,
    /// When somebody last tried to fetch, and whether it worked. Held while
    /// fetching, so that one call at a time does.
    fetched: Mutex<Option<(Instant, bool)>>,
}

enum Source {
    /// svc-auth knows its own keys.
    Fixed,
    Remote(KeyServiceClient<Upstream>),
}

#[derive(Default)]
struct Keys {
    by_id: HashMap<String, DecodingKey>,
}

impl Verifier {
    /// Believes the keys of one set: what svc-auth and tests use.
    pub fn fixed(clock: Clock, jwks_json: &str) -> anyhow::Result<Self> {
        let keys = read_keys(jwks_json)?;
        Ok(Self::new(clock, Source::Fixed, keys))
    }

    /// Believes the keys that svc-auth publishes, fetched when first needed and
    /// kept fresh until the stop.
    pub fn remote(clock: Clock, upstream: Upstream, shutdown: &Shutdown) -> Self {
        let source = Source::Remote(KeyServiceClient::new(upstream));
        let verifier = Self::new(clock, source, Keys::default());
        let refresher = verifier.clone();
        let stop = shutdown.clone();
        shutdown.spawn("keys", async move {
            loop {
                refresher.refresh(KEYS_MIN_AGE).await;
                tokio::select! {
                    () = tokio::time::sleep(KEYS_MAX_AGE) => {}
                    () = stop.stopping() => return,
                }
            }
        });
        verifier
    }

    fn new(clock: Clock, source: Source, keys: Keys) -> Self {
        Self(Arc::new(Inner { clock, source, keys: RwLock::new(keys), fetched: Mutex::default() }))
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
        let header = jsonwebtoken::decode_header(token).map_err(|_| Disbelief::Unusable)?;
        if header.alg != Algorithm::EdDSA {
            return Err(Disbelief::Unusable);
        }
        let key = self.key(&header.kid.ok_or(Disbelief::Unusable)?).await?;
        let claims = jsonwebtoken::decode::<Claims>(token, &key, &validation())
            .map_err(|_| Disbelief::Unusable)?
            .claims;
        // By our own clock, so that tests can let a token grow old.
        if claims.exp <= self.0.clock.now().unix_timestamp() {
            return Err(Disbelief::Unusable);
        }
        Ok(Player { id: claims.sub, session: claims.sid })
    }

    async fn key(&self, id: &str) -> Result<DecodingKey, Disbelief> {
        if let Some(key) = self.0.keys.read().await.by_id.get(id) {
            return Ok(key.clone());
        }
        // A key we have not seen: a rotation, or a forgery.
        let reached = self.refresh(KEYS_MIN_AGE).await;
        match self.0.keys.read().await.by_id.get(id) {
            Some(key) => Ok(key.clone()),
            None if reached => Err(Disbelief::Unusable),
            None => Err(Disbelief::Unjudged),
        }
    }

    /// Fetches the keys unless somebody tried within `min_age`; true when what is
    /// cached is what svc-auth says.
    async fn refresh(&self, min_age: Duration) -> bool {
        let Source::Remote(client) = &self.0.source else {
            return true;
        };
        let mut fetched = self.0.fetched.lock().await;
        if let Some((at, reached)) = *fetched
            && at.elapsed() < min_age
        {
            return reached;
        }
        let keys = match client.clone().get_key_set(GetKeySetRequest {}).await {
            Ok(reply) => read_keys(&reply.into_inner().jwks_json),
            Err(status) => Err(status.into()),
        };
        let reached = match keys {
            Ok(keys) => {
                *self.0.keys.write().await = keys;
                true
            }
            Err(error) => {
                warn!(error = format!("{error:#}"), "could not fetch the signing keys");
                false
            }
        };
        *fetched = Some((Instant::now(), reached));
        reached
    }
}

/// The token of a `Bearer` credential; an empty one is none.
pub fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// When a token of this claim set stops being good.
pub fn expires_at(claims: &Claims) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(claims.exp).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

fn validation() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    validation.validate_exp = false;
    validation
}

fn read_keys(jwks_json: &str) -> anyhow::Result<Keys> {
    let set: JwkSet = serde_json::from_str(jwks_json)?;
    let mut by_id = HashMap::new();
    for jwk in &set.keys {
        if let Some(id) = &jwk.common.key_id {
            by_id.insert(id.clone(), DecodingKey::from_jwk(jwk)?);
        }
    }
    Ok(Keys { by_id })
}
