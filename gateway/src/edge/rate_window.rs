//! Windows of time in which calls are counted, as this process knows them.

use std::{collections::HashMap, fmt, time::Duration};

use mesh::http_server::ClientNetwork;
use tokio::time::Instant;
use types::PlayerId;

use crate::config::Rate;

/// Most windows that are kept in memory: enough for each client of a busy minute.
pub(super) const MOST_WINDOWS: usize = 100_000;

/// The calls that a window counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum RateKind {
    /// Calls without a valid token.
    Guest,
    /// Sign-ins without a token.
    SignIn,
    /// New captchas.
    Captcha,
    /// Reads of players.
    Read,
    /// Reads of media.
    Media,
    /// Files of the web app.
    Static,
    /// Writes that move no money.
    Write,
    /// Writes that move money.
    Money,
    /// Uploads.
    Upload,
    /// Openings of a live stream.
    Live,
    /// Calls that send a message.
    Message,
    /// Codes to phones for devices that their owners are not known on.
    StrangeCode,
    /// Feedback.
    Feedback,
    /// Providers' callbacks.
    Hook,
    /// Sign-ins that failed.
    SignInFailures,
}

impl RateKind {
    /// Whether Redis counts each call. The others are reads: counted in the process, their
    /// sums exchanged with Redis (docs/decisions/0016).
    pub(super) const fn is_exact(self) -> bool {
        match self {
            Self::Guest | Self::Captcha | Self::Read | Self::Media | Self::Static => false,
            Self::SignIn
            | Self::Write
            | Self::Money
            | Self::Upload
            | Self::Live
            | Self::Message
            | Self::StrangeCode
            | Self::Feedback
            | Self::Hook
            | Self::SignInFailures => true,
        }
    }
}

/// Whose calls a window counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateSubject {
    /// A player's.
    Player(PlayerId),
    /// A client network's.
    Network(ClientNetwork),
}

/// Identifies a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RateKey {
    /// The calls that it counts.
    pub kind: RateKind,
    /// Whose calls.
    pub subject: RateSubject,
}

/// The key in Redis.
impl fmt::Display for RateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind: &str = self.kind.into();
        match self.subject {
            RateSubject::Player(player) => write!(f, "gateway.rate.{kind}.{player}"),
            RateSubject::Network(network) => write!(f, "gateway.rate.{kind}.{network}"),
        }
    }
}

/// A window and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateWindow {
    /// Identifies it.
    pub key: RateKey,
    /// Its limit.
    pub rate: Rate,
}

/// The windows of this process.
#[derive(Default)]
pub(super) struct Windows {
    by_key: HashMap<RateKey, Counts>,
    /// The windows with calls that Redis has not counted.
    changed: Vec<RateKey>,
}

#[derive(Clone, Copy)]
struct Counts {
    /// Calls of all replicas as of the last exchange, and what was sent since.
    shared: u64,
    /// Calls of this process since.
    unsent: u64,
    ends: Instant,
    length: Duration,
    is_queued: bool,
}

/// Calls that Redis is to add to a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) key: RateKey,
    pub(super) calls: u64,
    pub(super) length: Duration,
}

/// What Redis replies to a [`Change`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Total {
    /// Calls of all replicas in the window.
    pub(super) count: u64,
    /// Until the window ends.
    pub(super) left: Duration,
}

impl Windows {
    /// Counts a call if the window has room for it, and returns how many it has; otherwise
    /// returns when it ends. With `exchanged` the call is queued for the next exchange.
    pub(super) fn count(
        &mut self,
        window: RateWindow,
        exchanged: bool,
        now: Instant,
    ) -> Result<u64, Duration> {
        self.make_room(now);
        let RateWindow { key, rate } = window;
        let fresh = Counts {
            shared: 0,
            unsent: 0,
            ends: now + rate.per,
            length: rate.per,
            is_queued: false,
        };
        let counts = self.by_key.entry(key).or_insert(fresh);
        if counts.ends <= now {
            *counts = Counts { is_queued: counts.is_queued, ..fresh };
        }
        if counts.shared + counts.unsent >= u64::from(rate.limit) {
            return Err(counts.ends - now);
        }
        if exchanged {
            counts.unsent += 1;
            if !std::mem::replace(&mut counts.is_queued, true) {
                self.changed.push(key);
            }
        } else {
            counts.shared += 1;
        }
        Ok(counts.shared + counts.unsent)
    }

    /// Takes back a call that was counted here.
    pub(super) fn give_back(&mut self, key: RateKey) {
        if let Some(counts) = self.by_key.get_mut(&key) {
            counts.shared = counts.shared.saturating_sub(1);
        }
    }

    /// Takes at most `most` changes to send. What was counted in a window that is over is
    /// dropped.
    pub(super) fn take_changes(&mut self, most: usize, now: Instant) -> Vec<Change> {
        let rest = self.changed.split_off(self.changed.len().min(most));
        let keys = std::mem::replace(&mut self.changed, rest);
        let changes = keys.into_iter().filter_map(|key| {
            let counts = self.by_key.get_mut(&key)?;
            counts.is_queued = false;
            if counts.ends <= now || counts.unsent == 0 {
                return None;
            }
            // Not sent a second time if the exchange fails: Redis may have counted it.
            let calls = std::mem::take(&mut counts.unsent);
            counts.shared += calls;
            Some(Change { key, calls, length: counts.length })
        });
        changes.collect()
    }

    /// Keeps the changes for later; a window is queued again at its next call.
    pub(super) fn postpone_changes(&mut self) {
        for key in std::mem::take(&mut self.changed) {
            if let Some(counts) = self.by_key.get_mut(&key) {
                counts.is_queued = false;
            }
        }
    }

    /// Takes over what Redis counted.
    pub(super) fn merge(&mut self, changes: &[Change], totals: &[Total], now: Instant) {
        for (change, total) in changes.iter().zip(totals) {
            if let Some(counts) = self.by_key.get_mut(&change.key) {
                counts.shared = total.count;
                counts.ends = now + total.left;
            }
        }
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Removes windows that are over, or else the quarter that ends first: removing some
    /// lets a few calls through, and without it memory would grow.
    fn make_room(&mut self, now: Instant) {
        if self.by_key.len() < MOST_WINDOWS {
            return;
        }
        self.by_key.retain(|_, counts| counts.ends > now);
        if self.by_key.len() >= MOST_WINDOWS {
            let mut ends: Vec<Instant> = self.by_key.values().map(|counts| counts.ends).collect();
            let quarter = ends.len() / 4;
            let (_, last, _) = ends.select_nth_unstable(quarter);
            let last = *last;
            self.by_key.retain(|_, counts| counts.ends > last);
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

    #[test]
    fn an_exchange_replaces_the_sum_and_the_end_and_keeps_later_calls() {
        let (mut windows, window, now) = (Windows::default(), window(5), Instant::now());
        windows.count(window, true, now).unwrap();
        let changes = windows.take_changes(10, now);
        assert_eq!(changes, [Change { key: window.key, calls: 1, length: MINUTE }]);
        windows.count(window, true, now).unwrap();
        let total = Total { count: 3, left: Duration::from_secs(10) };
        windows.merge(&changes, &[total], now);
        windows.count(window, true, now).unwrap();
        assert_eq!(windows.count(window, true, now), Err(Duration::from_secs(10)));
        assert_eq!(windows.take_changes(10, now)[0].calls, 2);
        assert!(windows.take_changes(10, now).is_empty());
    }

    #[test]
    fn postponed_calls_are_sent_with_the_next_call_of_their_window() {
        let (mut windows, window, now) = (Windows::default(), window(5), Instant::now());
        windows.count(window, true, now).unwrap();
        windows.postpone_changes();
        assert!(windows.take_changes(10, now).is_empty());
        windows.count(window, true, now).unwrap();
        assert_eq!(windows.take_changes(10, now)[0].calls, 2);
    }
}
