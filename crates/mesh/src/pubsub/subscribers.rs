//! The subscribers of this process, by channel.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use tokio::sync::mpsc;

/// Most messages that wait for one subscriber; more are dropped, and the subscriber lags.
pub(super) const BACKLOG: usize = 64;

/// What a subscriber receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A message on one of its channels.
    Message {
        /// The channel's full name.
        channel: Arc<str>,
        /// The text that was published.
        payload: Arc<str>,
    },
    /// Messages may have been missed: read the state again.
    Lagged,
}

/// The subscribers of this process, by channel.
#[derive(Default)]
pub(super) struct Subscribers {
    by_channel: Mutex<HashMap<Arc<str>, Vec<Subscriber>>>,
    next_id: AtomicU64,
    stopped: AtomicBool,
}

#[derive(Clone)]
struct Subscriber {
    id: u64,
    events: mpsc::Sender<Event>,
    lagged: Arc<AtomicBool>,
}

impl Subscriber {
    /// Sends an event without waiting: a subscriber that is too slow is marked as lagging.
    fn send(&self, event: Event) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.events.try_send(event) {
            self.lagged.store(true, Ordering::Relaxed);
        }
    }
}

impl Subscribers {
    pub(super) fn add(self: &Arc<Self>, channels: Vec<Arc<str>>) -> Subscription {
        let (sender, events) = mpsc::channel(BACKLOG);
        let lagged = Arc::<AtomicBool>::default();
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        if !self.stopped.load(Ordering::SeqCst) {
            let mut by_channel = self.lock();
            for channel in &channels {
                let subscriber =
                    Subscriber { id, events: sender.clone(), lagged: Arc::clone(&lagged) };
                by_channel.entry(Arc::clone(channel)).or_default().push(subscriber);
            }
        }
        Subscription { id, channels, events, lagged, subscribers: Arc::clone(self) }
    }

    fn remove(&self, id: u64, channels: &[Arc<str>]) {
        let mut by_channel = self.lock();
        for channel in channels {
            if let Some(subscribers) = by_channel.get_mut(channel) {
                subscribers.retain(|subscriber| subscriber.id != id);
                if subscribers.is_empty() {
                    by_channel.remove(channel);
                }
            }
        }
    }

    /// Hands a message to the subscribers of its channel, and returns their number.
    pub(super) fn dispatch(&self, channel: &str, payload: &str) -> usize {
        let by_channel = self.lock();
        let Some((channel, subscribers)) = by_channel.get_key_value(channel) else { return 0 };
        let payload: Arc<str> = payload.into();
        for subscriber in subscribers {
            let (channel, payload) = (Arc::clone(channel), Arc::clone(&payload));
            subscriber.send(Event::Message { channel, payload });
        }
        subscribers.len()
    }

    /// Channels with a subscriber.
    #[cfg(test)]
    pub(super) fn channels(&self) -> usize {
        self.lock().len()
    }

    /// Marks every subscriber as lagging: it may have missed messages.
    pub(super) fn lag_all(&self) {
        for subscriber in self.lock().values().flatten() {
            subscriber.send(Event::Lagged);
        }
    }

    /// Ends every subscription.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Vec<Subscriber>>> {
        self.by_channel.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A subscription to some channels; ends when dropped.
pub struct Subscription {
    id: u64,
    channels: Vec<Arc<str>>,
    events: mpsc::Receiver<Event>,
    lagged: Arc<AtomicBool>,
    subscribers: Arc<Subscribers>,
}

impl Subscription {
    /// The next event; `None` when the process is stopping.
    pub async fn next(&mut self) -> Option<Event> {
        if self.lagged.swap(false, Ordering::Relaxed) {
            // The events that still wait are older than those that were dropped.
            while self.events.try_recv().is_ok() {}
            return Some(Event::Lagged);
        }
        self.events.recv().await
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.subscribers.remove(self.id, &self.channels);
    }
}
