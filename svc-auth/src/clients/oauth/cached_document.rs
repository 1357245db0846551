//! Caches a document that a provider publishes.

use std::sync::Arc;

use time::{Duration, OffsetDateTime};
use tokio::sync::Mutex;
use tracing::warn;
use types::Clock;

use super::ProviderError;

/// How long a document is used without fetching it again.
const MAX_AGE: Duration = Duration::hours(1);
/// Least time between two fetches, so that forged key ids or an outage of the provider do not
/// cause a fetch for every call.
const PAUSE: Duration = Duration::seconds(3);

/// A document that is fetched when it is needed and cached for an hour.
pub(super) struct CachedDocument<T> {
    clock: Clock,
    /// Locked during a fetch, so that concurrent calls wait for one fetch.
    slot: Mutex<Slot<T>>,
}

struct Slot<T> {
    document: Option<(Arc<T>, OffsetDateTime)>,
    fetched_at: Option<OffsetDateTime>,
}

impl<T> CachedDocument<T> {
    /// An empty cache.
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, slot: Mutex::new(Slot { document: None, fetched_at: None }) }
    }

    /// Returns the document, fetched if it is old or not `usable`. An old document is used when the
    /// fetch fails. An unusable document is returned when it was fetched less than 3 s ago; the
    /// caller checks it again.
    pub(super) async fn get<F>(
        &self,
        usable: impl Fn(&T) -> bool,
        fetch: impl FnOnce() -> F,
    ) -> Result<Arc<T>, ProviderError>
    where
        F: Future<Output = Result<T, ProviderError>>,
    {
        let mut slot = self.slot.lock().await;
        let now = self.clock.now();
        if let Some((document, at)) = &slot.document
            && now - *at < MAX_AGE
            && usable(document)
        {
            return Ok(Arc::clone(document));
        }
        if slot.fetched_at.is_some_and(|at| now - at < PAUSE) {
            let cached = slot.document.as_ref().map(|(document, _)| Arc::clone(document));
            return cached.ok_or_else(|| {
                ProviderError::Unavailable("a fetch failed a moment ago".to_owned())
            });
        }
        let fetched = fetch().await;
        // Time of the fetch's end, not its start: calls that waited for a slow fetch would
        // otherwise find the pause over, and each wait for a fetch of its own.
        slot.fetched_at = Some(self.clock.now());
        match (fetched, &slot.document) {
            (Ok(fresh), _) => {
                let fresh = Arc::new(fresh);
                slot.document = Some((Arc::clone(&fresh), now));
                Ok(fresh)
            }
            (Err(error), Some((old, _))) if usable(old) => {
                warn!(%error, "cannot refresh a provider's document, using the old one");
                Ok(Arc::clone(old))
            }
            (Err(error), _) => Err(error),
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

    /// A provider that counts fetches.
    #[derive(Default)]
    struct Counter(AtomicU32);

    impl Counter {
        fn fetch(&self) -> Ready<Result<u32, ProviderError>> {
            ready(Ok(self.0.fetch_add(1, Ordering::SeqCst) + 1))
        }
    }

    fn outage() -> Ready<Result<u32, ProviderError>> {
        ready(Err(ProviderError::Unavailable("outage".to_owned())))
    }

    fn cached() -> (CachedDocument<u32>, Clock) {
        let clock = Clock::settable(OffsetDateTime::UNIX_EPOCH);
        (CachedDocument::new(clock.clone()), clock)
    }

    const PAUSE: std::time::Duration = std::time::Duration::from_secs(3);
    const HOUR: std::time::Duration = std::time::Duration::from_hours(1);

    #[tokio::test]
    async fn a_document_is_fetched_once_an_hour() {
        let ((cache, clock), provider) = (cached(), Counter::default());
        for _ in 0..3 {
            assert_eq!(*cache.get(|_| true, || provider.fetch()).await.unwrap(), 1);
        }
        clock.advance(HOUR);
        assert_eq!(*cache.get(|_| true, || provider.fetch()).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn an_unusable_document_is_fetched_again_after_a_pause() {
        let ((cache, clock), provider) = (cached(), Counter::default());
        let second = |document: &u32| *document > 1;
        assert_eq!(*cache.get(second, || provider.fetch()).await.unwrap(), 1);
        assert_eq!(
            *cache.get(second, || provider.fetch()).await.unwrap(),
            1,
            "fetched a moment ago"
        );
        clock.advance(PAUSE);
        assert_eq!(*cache.get(second, || provider.fetch()).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn concurrent_calls_wait_for_one_slow_fetch() {
        let ((cache, clock), provider) = (cached(), Counter::default());
        let slow = || {
            clock.advance(2 * PAUSE);
            outage()
        };
        assert!(cache.get(|_| true, slow).await.is_err());
        assert!(cache.get(|_| true, || provider.fetch()).await.is_err(), "not fetched again yet");
        clock.advance(PAUSE);
        assert_eq!(*cache.get(|_| true, || provider.fetch()).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn during_an_outage_the_old_document_is_used_or_the_call_fails_at_once() {
        let ((cache, clock), provider) = (cached(), Counter::default());
        assert!(cache.get(|_| true, outage).await.is_err());
        assert!(cache.get(|_| true, || provider.fetch()).await.is_err(), "not fetched again yet");
        clock.advance(PAUSE);
        assert_eq!(*cache.get(|_| true, || provider.fetch()).await.unwrap(), 1);
        clock.advance(HOUR);
        assert_eq!(*cache.get(|_| true, outage).await.unwrap(), 1);
        clock.advance(PAUSE);
        assert!(cache.get(|document| *document > 1, outage).await.is_err());
    }
}
