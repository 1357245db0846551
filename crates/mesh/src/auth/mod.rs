//! Who is calling. Every service verifies the access token itself, against the
//! keys that svc-auth publishes; nobody takes a neighbour's word for it.

mod ended;
mod judged;
mod keys;
mod verifier;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use tonic::Request;
use types::{PlayerId, SessionId};

use crate::Fault;

pub use ended::{EndedSession, EndedSessions};
pub use verifier::Verifier;

/// Who signs.
pub const ISSUER: &str = "playon";
/// For whom.
pub const AUDIENCE: &str = "playon";

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
    /// When the token expires, in seconds since the epoch.
    pub expires_at: i64,
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
