//! Authentication of callers. Every service verifies the access token itself, against the keys that
//! svc-auth publishes; no service relies on another's check.

mod act;
mod admission;
mod device_tokens;
mod keys;
mod mac_key;
mod revoked;
mod token_cache;
mod verifier;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use tonic::{Code, Request};
use types::{PlayerId, SessionId, full_date, time_and_date};

use crate::Fault;

pub use act::{Act, ActChain, ActHash};
pub use admission::{Admission, OperatorCall};
pub use device_tokens::DeviceTokens;
pub use mac_key::{MacKey, decode_secret};
pub use revoked::{RevokedSession, RevokedSessions};
pub use verifier::Verifier;

/// The issuer of access tokens.
pub const ISSUER: &str = "playon";
/// The audience of access tokens.
pub const AUDIENCE: &str = "playon";

/// The claims of an access token (RFC 7519).
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
    /// Time from which money may leave the wallet by this token, in seconds since the epoch; absent
    /// until the player has confirmed the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money_from: Option<i64>,
    /// End of the player's break, in seconds since the epoch; absent for a player who never took one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_until: Option<i64>,
}

/// A signed-in player whose token was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Player {
    /// The player.
    pub id: PlayerId,
    /// The session that the token belongs to.
    pub session: SessionId,
    /// When the token expires, in seconds since the epoch.
    pub expires_at: i64,
    /// Time from which money may leave the wallet, in seconds since the epoch; `None` until the
    /// player has confirmed the device.
    pub money_from: Option<i64>,
    /// End of the player's break, in seconds since the epoch.
    pub break_until: Option<i64>,
}

impl Player {
    /// Refuses a call that takes money or data out of the account from a device that is new to it.
    ///
    /// # Errors
    ///
    /// `DEVICE_NOT_CONFIRMED` until the player has confirmed the device, and `DEVICE_TOO_NEW` before
    /// the time that svc-auth wrote into the access token.
    pub fn check_device(self, now: OffsetDateTime) -> Result<(), Fault> {
        let refused = |reason| Err(Fault::new(Code::PermissionDenied, reason));
        match self.money_from {
            None => refused("DEVICE_NOT_CONFIRMED"),
            Some(from) if now.unix_timestamp() < from => refused("DEVICE_TOO_NEW"),
            Some(_) => Ok(()),
        }
    }

    /// Refuses a call that a player cannot make on a break.
    ///
    /// # Errors
    ///
    /// `ON_A_BREAK` until the break ends.
    pub fn check_break(self, now: OffsetDateTime) -> Result<(), Fault> {
        let until = self.break_until.and_then(|end| OffsetDateTime::from_unix_timestamp(end).ok());
        let Some(until) = until.filter(|until| now < *until) else { return Ok(()) };
        let (time, _) = time_and_date(until);
        let fault = Fault::new(Code::PermissionDenied, "ON_A_BREAK");
        Err(fault.param("time", time).param("date", full_date(until)))
    }
}

/// The caller of an RPC, identified by its token or by the certificate of its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A caller without a token.
    Guest,
    /// A player with a valid token.
    Player(Player),
    /// A process of the mesh that calls for itself. Only RPCs for services have this caller.
    Service(&'static str),
    /// A token that is malformed, expired, revoked or forged. It counts as a guest where guests may
    /// call (the specification's lists are called with an empty token).
    InvalidToken,
    /// A token that cannot be verified now, because svc-auth is out of reach.
    Unverified,
}

impl Caller {
    /// The player, or the refusal for a caller who is none.
    pub fn player(self) -> Result<Player, Fault> {
        match self {
            Self::Player(player) => Ok(player),
            Self::Guest | Self::Service(_) | Self::InvalidToken => Err(Fault::unauthenticated()),
            Self::Unverified => Err(Fault::session_unverified()),
        }
    }

    /// The caller of an RPC, as the server layer verified it.
    pub fn of<T>(request: &Request<T>) -> Self {
        request.extensions().get().copied().unwrap_or(Self::Guest)
    }
}

/// The player who calls an RPC, or the refusal for a caller who is none.
pub fn player<T>(request: &Request<T>) -> Result<Player, Fault> {
    Caller::of(request).player()
}

/// An operator with a role that lets them call the RPC. The certificate of `playonctl` names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator(pub(crate) Arc<str>);

impl Operator {
    /// The operator's name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// The operator who calls an RPC, or the refusal for a caller who is none.
pub fn operator<T>(request: &Request<T>) -> Result<Operator, Fault> {
    request.extensions().get().cloned().ok_or_else(Fault::forbidden)
}

/// The token of a `Bearer` credential; `None` when it is empty.
pub fn bearer(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// When a token with these claims expires.
pub fn expires_at(claims: &Claims) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(claims.exp).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
