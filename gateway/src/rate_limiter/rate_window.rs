//! Windows of time in which calls are counted, as this process knows them.

use std::{collections::HashMap, fmt, time::Duration};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use mesh::http_server::ClientNetwork;
use tokio::time::Instant;
use types::{PlayerId, uuid::Uuid};

use crate::config::Rate;

/// Most windows that are kept in memory: enough for each client of a busy minute.
pub(super) const MOST_WINDOWS: usize = 100_000;

/// The calls that a window counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum RateKind {
    /// Calls without a valid token.
    Guest,
    /// Sign-ins by password without a token.
    SignIn,
    /// Attempts with a code without a token.
    Code,
    /// Reads of players.
    Read,
    /// Reads of media.
    Media,
    /// Writes that move no money.
    Write,
    /// Runs that are submitted.
    Score,
    /// Writes that move money.
    Money,
    /// Uploads.
    Upload,
    /// Openings of a live stream.
    Live,
    /// Calls that send a message.
    Message,
    /// Requests of a link for a new password.
    Reset,
    /// Codes to phones for devices that their owners are not known on.
    StrangeCode,
    /// Feedback.
    Feedback,
    /// Providers' callbacks.
    Hook,
    /// Sign-ins by password that failed.
    SignInFailures,
    /// Attempts with a code that failed.
    CodeFailures,
}

impl RateKind {
    /// Whether Redis counts each call, so that a limit holds over all replicas. The other kinds are
    /// reads, which each replica counts for itself (docs/decisions/0016).
    pub(super) const fn is_exact(self) -> bool {
        match self {
            Self::Guest | Self::Read | Self::Media => false,
            Self::SignIn
            | Self::Code
            | Self::Score
            | Self::Write
            | Self::Money
            | Self::Upload
            | Self::Live
            | Self::Message
            | Self::Reset
            | Self::StrangeCode
            | Self::Feedback
            | Self::Hook
            | Self::SignInFailures
            | Self::CodeFailures => true,
        }
    }
}

/// Whose calls a window counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateSubject {
    /// The calls of a player.
    Player(PlayerId),
    /// The calls of a client network.
    Network(ClientNetwork),
    /// The calls of a guest on a device.
    Device(Uuid),
    /// The calls of a play session, by the hash of its ticket.
    PlaySession([u8; 32]),
}

/// Identifies a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RateKey {
    /// The calls that the window counts.
    pub kind: RateKind,
    /// Whose calls the window counts.
    pub subject: RateSubject,
}

/// The key in Redis.
impl fmt::Display for RateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind: &str = self.kind.into();
        match self.subject {
            RateSubject::Player(player) => write!(f, "gateway.rate.{kind}.{player}"),
            RateSubject::Network(network) => write!(f, "gateway.rate.{kind}.{network}"),
            RateSubject::Device(device) => write!(f, "gateway.rate.{kind}.{device}"),
            RateSubject::PlaySession(hash) => {
                write!(f, "gateway.rate.{kind}.{}", URL_SAFE_NO_PAD.encode(hash))
            }
        }
    }
}

/// A window and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateWindow {
    /// Identifies the window.
    pub key: RateKey,
    /// The window's limit.
    pub rate: Rate,
}

/// The windows of this process.
#[derive(Default)]
pub(super) struct Windows(HashMap<RateKey, Counts>);

#[derive(Clone, Copy)]
struct Counts {
    calls: u32,
    ends: Instant,
}

impl Windows {
    /// Counts a call if the window has room for it, and returns how many it has; otherwise
    /// returns the time until the window ends.
    pub(super) fn count(&mut self, window: RateWindow, now: Instant) -> Result<u64, Duration> {
        self.make_room(now);
        let RateWindow { key, rate } = window;
        let fresh = Counts { calls: 0, ends: now + rate.per };
        let counts = self.0.entry(key).or_insert(fresh);
        if counts.ends <= now {
            *counts = fresh;
        }
        if counts.calls >= rate.limit {
            return Err(counts.ends - now);
        }
        counts.calls += 1;
        Ok(u64::from(counts.calls))
    }

    /// Takes back a call that was counted here.
    pub(super) fn give_back(&mut self, key: RateKey) {
        if let Some(counts) = self.0.get_mut(&key) {
            counts.calls = counts.calls.saturating_sub(1);
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes the windows that are over or, if there are none, the quarter that ends first.
    /// Removing running windows lets a few calls through; keeping all of them would let memory
    /// grow.
    fn make_room(&mut self, now: Instant) {
        if self.0.len() < MOST_WINDOWS {
            return;
        }
        self.0.retain(|_, counts| counts.ends > now);
        if self.0.len() >= MOST_WINDOWS {
            let mut ends: Vec<Instant> = self.0.values().map(|counts| counts.ends).collect();
            let quarter = ends.len() / 4;
            let (_, last, _) = ends.select_nth_unstable(quarter);
            let last = *last;
            self.0.retain(|_, counts| counts.ends > last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    fn window(limit: u32) -> RateWindow {
        let network = ClientNetwork::of([203, 0, 113, 9].into());
        let key = RateKey { kind: RateKind::Guest, subject: RateSubject::Network(network) };
        RateWindow { key, rate: Rate { limit, per: MINUTE } }
    }

    #[test]
    fn a_key_in_redis_names_kind_and_subject() {
        assert_eq!(window(1).key.to_string(), "gateway.rate.guest.203.0.113.9");
    }
}
