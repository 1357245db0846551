//! Publishes that standings changed, for [`super::watch_standings`].

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use mesh::{Shutdown, pubsub::PubSub};
use tracing::{Instrument as _, warn};

use crate::domain::TournamentId;

/// The pattern of all tournaments' channels.
pub(crate) const STANDING_CHANNELS: &str = "tournament.standings.*";

/// Pause between two messages about a tournament.
const PAUSE: Duration = Duration::from_millis(500);

/// The channel of one tournament.
pub(super) fn channel(tournament: TournamentId) -> String {
    format!("tournament.standings.{tournament}")
}

/// Publishes changes of boards. Cheap to clone.
#[derive(Clone)]
pub(crate) struct StandingsPublisher {
    pubsub: PubSub,
    shutdown: Shutdown,
    /// The tournaments about which a message was just published, and whether they changed
    /// again since.
    recent: Arc<Mutex<HashMap<TournamentId, bool>>>,
}

impl StandingsPublisher {
    pub(crate) fn new(pubsub: PubSub, shutdown: Shutdown) -> Self {
        Self { pubsub, shutdown, recent: Arc::default() }
    }

    /// Publishes, in a task of its own, that a board changed: at once, or half a second after
    /// the last message about it. Call it after the commit. The message is a hint that may be
    /// lost: watchers read the board again, with or without it.
    pub(crate) fn publish_changed(&self, tournament: TournamentId) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        match recent.entry(tournament) {
            Entry::Occupied(mut changed) => {
                changed.insert(true);
                return;
            }
            Entry::Vacant(vacant) => {
                vacant.insert(false);
            }
        }
        drop(recent);
        let own = self.clone();
        let publishing = async move {
            loop {
                // Fails after half a second, so a Redis that does not reply cannot pile up tasks.
                if let Err(error) = own.pubsub.publish(&channel(tournament), "").await {
                    let error = format!("{error:#}");
                    warn!(error, "cannot publish that standings changed");
                }
                tokio::select! {
                    () = tokio::time::sleep(PAUSE) => {}
                    () = own.shutdown.stopping() => {}
                }
                if !own.take_change(tournament) {
                    return;
                }
            }
        };
        let publishing = publishing.in_current_span();
        self.shutdown.spawn_contained("publish standings change", publishing);
    }

    /// Whether the tournament changed since the last message. If not, its entry is removed.
    fn take_change(&self, tournament: TournamentId) -> bool {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        match recent.get_mut(&tournament) {
            Some(changed) if *changed => {
                *changed = false;
                true
            }
            _ => {
                recent.remove(&tournament);
                false
            }
        }
    }
}
