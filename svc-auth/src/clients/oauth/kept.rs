//! What a provider publishes, kept for a while.

use std::sync::Arc;

use time::{Duration, OffsetDateTime};
use tokio::sync::Mutex;
use tracing::warn;
use types::Clock;

use super::Trouble;

/// How long what was fetched is believed without another look.
const MAX_AGE: Duration = Duration::hours(1);
/// Least time between two looks, so that forged key ids, or a provider that is away,
/// cannot make every call of ours a call of theirs.
const PAUSE: Duration = Duration::seconds(3);

/// A document of a provider's.
pub(super) struct Kept<T> {
    clock: Clock,
    /// Held while it is fetched, so that one call at a time does.
    slot: Mutex<Slot<T>>,
}

struct Slot<T> {
    document: Option<(Arc<T>, OffsetDateTime)>,
    tried_at: Option<OffsetDateTime>,
}

impl<T> Kept<T> {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, slot: Mutex::new(Slot { document: None, tried_at: None }) }
    }

    /// The document: fetched if it is old or does not serve the purpose. While the
    /// provider is away an old one does; and one that does not serve comes all the same
    /// when it was looked at just now, for the caller to find that out.
    pub(super) async fn get<F>(
        &self,
        serves: impl Fn(&T) -> bool,
        fetch: impl FnOnce() -> F,
    ) -> Result<Arc<T>, Trouble>
    where
        F: Future<Output = Result<T, Trouble>>,
    {
        let mut slot = self.slot.lock().await;
        let now = self.clock.now();
        if let Some((document, at)) = &slot.document
            && now - *at < MAX_AGE
            && serves(document)
        {
            return Ok(Arc::clone(document));
        }
        if slot.tried_at.is_some_and(|at| now - at < PAUSE) {
            let known = slot.document.as_ref().map(|(document, _)| Arc::clone(document));
            return known.ok_or_else(|| Trouble::Away("it was a moment ago".to_owned()));
        }
        let fetched = fetch().await;
        // When it was over, not when it began: whoever waited in line while a provider
        // said nothing would otherwise find the pause over, and wait as long again.
        slot.tried_at = Some(self.clock.now());
        match (fetched, &slot.document) {
            (Ok(fresh), _) => {
                let fresh = Arc::new(fresh);
                slot.document = Some((Arc::clone(&fresh), now));
                Ok(fresh)
            }
            (Err(trouble), Some((old, _))) if serves(old) => {
                warn!(%trouble, "what a provider published is used beyond its time");
                Ok(Arc::clone(old))
            }
            (Err(trouble), _) => Err(trouble),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::{Ready, ready},
        sync::atomic::{AtomicU32, Ordering},
    };

    use super::*;

    /// A provider that counts its visitors, and is away for some of them.
    #[derive(Default)]
    struct Counter(AtomicU32);

    impl Counter {
        fn fetch(&self) -> Ready<Result<u32, Trouble>> {
            ready(Ok(self.0.fetch_add(1, Ordering::SeqCst) + 1))
        }
    }

    fn away() -> Ready<Result<u32, Trouble>> {
        ready(Err(Trouble::Away("asleep".to_owned())))
    }

    fn kept() -> (Kept<u32>, Clock) {
        let clock = Clock::settable(OffsetDateTime::UNIX_EPOCH);
        (Kept::new(clock.clone()), clock)
    }

    const PAUSE: std::time::Duration = std::time::Duration::from_secs(3);
    const HOUR: std::time::Duration = std::time::Duration::from_hours(1);

    #[tokio::test]
    async fn it_is_fetched_once_an_hour() {
        let ((kept, clock), provider) = (kept(), Counter::default());
        for _ in 0..3 {
            assert_eq!(*kept.get(|_| true, || provider.fetch()).await.unwrap(), 1);
        }
        clock.advance(HOUR);
        assert_eq!(*kept.get(|_| true, || provider.fetch()).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn what_does_not_serve_is_fetched_anew_but_not_all_the_time() {
        let ((kept, clock), provider) = (kept(), Counter::default());
        let second = |document: &u32| *document > 1;
        assert_eq!(*kept.get(second, || provider.fetch()).await.unwrap(), 1);
        assert_eq!(*kept.get(second, || provider.fetch()).await.unwrap(), 1, "just looked");
        clock.advance(PAUSE);
        assert_eq!(*kept.get(second, || provider.fetch()).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn a_silent_provider_is_waited_for_once_by_all_who_wait_in_line() {
        let ((kept, clock), provider) = (kept(), Counter::default());
        let silent = || {
            clock.advance(2 * PAUSE);
            away()
        };
        assert!(kept.get(|_| true, silent).await.is_err());
        assert!(kept.get(|_| true, || provider.fetch()).await.is_err(), "not asked again yet");
        clock.advance(PAUSE);
        assert_eq!(*kept.get(|_| true, || provider.fetch()).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn an_outage_is_bridged_by_what_is_known_and_else_told_at_once() {
        let ((kept, clock), provider) = (kept(), Counter::default());
        assert!(kept.get(|_| true, away).await.is_err());
        assert!(kept.get(|_| true, || provider.fetch()).await.is_err(), "not asked again yet");
        clock.advance(PAUSE);
        assert_eq!(*kept.get(|_| true, || provider.fetch()).await.unwrap(), 1);
        clock.advance(HOUR);
        assert_eq!(*kept.get(|_| true, away).await.unwrap(), 1);
        clock.advance(PAUSE);
        assert!(kept.get(|document| *document > 1, away).await.is_err());
    }
}
